"""Curves of a run for TensorBoard, and what the run was made with."""

from __future__ import annotations

import os
import platform
import subprocess
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path
from typing import Any

from stable_baselines3.common.logger import KVWriter, Logger
from torch.utils.tensorboard import SummaryWriter

from .. import __version__

PACKAGES = (
    "gymnasium",
    "numba",
    "numpy",
    "pettingzoo",
    "sb3-contrib",
    "stable-baselines3",
    "torch",
)


class Curves(KVWriter):
    """Writes numbers to TensorBoard; a full disk ends the curves, not the training."""

    def __init__(self, folder: Path, step: int) -> None:
        """Curves from *step* on: what a killed run wrote after its checkpoint is hidden."""
        self.error: OSError | None = None
        self.writer = SummaryWriter(str(folder), purge_step=step or None)

    def write(
        self, key_values: dict[str, Any], key_excluded: Mapping[str, Any], step: int = 0
    ) -> None:
        """Write one point per curve."""
        if self.error is not None:
            return
        try:
            for name, value in key_values.items():
                if isinstance(value, int | float) or hasattr(value, "item"):
                    self.writer.add_scalar(name, float(value), step)
        except OSError as error:
            self.error = error

    def close(self) -> None:
        """Write what is still in memory."""
        try:
            self.writer.close()
        except OSError as error:
            self.error = error


def make_logger(curves: Curves) -> Logger:
    """A logger for Stable-Baselines3 that writes to TensorBoard only."""
    return Logger(folder=None, output_formats=[curves])


def versions() -> dict[str, Any]:
    """What a run was made with: equal numbers are promised for the same machine and versions."""
    return {
        "spelkast": __version__,
        "python": platform.python_version(),
        **{name: _version(name) for name in PACKAGES},
        "platform": platform.platform(),
        "processor": _processor(),
        "cores": os.cpu_count(),
        "revision": revision(),
    }


def revision() -> str | None:
    """The git revision of the checkout, with a + if files were changed; None outside of one."""
    root = Path(__file__).parents[1]
    if not (root / ".git").exists():
        return None
    try:
        head = _git(root, "rev-parse", "HEAD")
        return head + ("+" if _git(root, "status", "--porcelain", "-uno") else "")
    except (OSError, subprocess.SubprocessError):
        return None


def _git(root: Path, *arguments: str) -> str:
    done = subprocess.run(
        ["git", "-C", str(root), *arguments], capture_output=True, text=True, check=True, timeout=10
    )
    return done.stdout.strip()


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text("utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor()
