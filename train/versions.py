"""What a run or a figure was made with: versions, processor, revision."""

import os
import platform
import subprocess
from collections.abc import Iterable
from contextlib import suppress
from importlib import metadata
from pathlib import Path
from typing import Any

from .. import __version__

CHECKOUT = Path(__file__).parents[1]
PACKAGES = (
    "gymnasium", "numba", "numpy", "pettingzoo", "sb3-contrib", "stable-baselines3", "torch",
)  # fmt: skip


def versions() -> dict[str, Any]:
    """What a run was made with: equal numbers are promised for the same machine and versions."""
    return {
        "spelkast": __version__,
        "python": platform.python_version(),
        **dict.fromkeys(PACKAGES),
        **installed(PACKAGES),
        "platform": platform.platform(),
        "processor": processor(),
        "cores": os.cpu_count(),
        "revision": revision(),
    }


def installed(packages: Iterable[str]) -> dict[str, str]:
    """The versions of those of *packages* that are installed."""
    found = {}
    for name in packages:
        with suppress(metadata.PackageNotFoundError):
            found[name] = metadata.version(name)
    return found


def revision() -> str | None:
    """The git revision of the checkout, with a + if files were changed; None outside of one."""
    head = git("rev-parse", "HEAD")
    return head and head + ("+" if git("status", "--porcelain", "-uno") else "")


def git(*arguments: str) -> str | None:
    """What git says about the checkout; None without git or outside of a checkout."""
    if not (CHECKOUT / ".git").exists():
        return None
    command = ["git", "-C", str(CHECKOUT), *arguments]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=10)
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip()


def processor() -> str:
    """The name of the processor, as the system has it."""
    with suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text("utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
