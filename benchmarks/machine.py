"""What a figure depends on besides the code: the machine, the versions, the revision, the noise."""

from __future__ import annotations

import os
import platform
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import numba
import numpy as np
from llvmlite import binding

from .sampling import Json, rounded

CHECKOUT = Path(__file__).parents[1]
RESULTS = CHECKOUT / "benchmarks" / "results"
LOCAL = RESULTS / "local"
"""Not in the repository: figures of one's own machine."""
PACKAGES = (
    "gymnasium",
    "jax",
    "llvmlite",
    "numba",
    "numpy",
    "open_spiel",
    "pettingzoo",
    "pgx",
    "pygame-ce",
    "sb3-contrib",
    "stable-baselines3",
    "torch",
)
SWITCHES = ("NUMBA_DISABLE_JIT", "NUMBA_BOUNDSCHECK", "NUMBA_OPT")
"""Settings with which a figure says nothing about what a user gets."""
ONE, SEVEN, THIRTEEN, SEVENTEEN = (np.uint64(number) for number in (1, 7, 13, 17))
NOT_MEASURED = (":(exclude)benchmarks/results", ":(exclude)docs", ":(exclude)*.md")


def circumstances() -> Json:
    """Everything that a result says about where it was measured; nothing that names the owner."""
    return {
        "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "revision": _git("rev-parse", "--short=12", "HEAD"),
        "modified": bool(_git("status", "--porcelain", "-uno", "--", ".", *NOT_MEASURED)),
        "machine": {
            "cpu": _cpu_model(),
            "target": _cpu_target(),
            "cores": os.cpu_count(),
            "system": platform.system(),
            "arch": platform.machine(),
            "python": f"{platform.python_implementation()} {platform.python_version()}",
        },
        "versions": {name: found for name in PACKAGES if (found := _version(name))},
    }


@contextmanager
def watched() -> Iterator[Json]:
    """Fills the result in with what distinguishes a quiet machine from a busy one.

    `yardstick` is the speed of two loops that never change, before and after: it shows how fast the
    processor was, whatever spelkast does. `share` is CPU time by wall time: below 1, others had
    the core in between.
    """
    noise: Json = {"load_before": _load(), "yardstick_before": yardstick()}
    wall, cpu = perf_counter(), _cpu_seconds()
    yield noise
    noise["share"] = round((_cpu_seconds() - cpu) / (perf_counter() - wall), 2)
    noise["wall_seconds"] = round(perf_counter() - wall, 1)
    noise["yardstick_after"] = yardstick()
    noise["load_after"] = _load()


def yardstick() -> Json:
    """Millions of rounds per CPU second of a compiled and of an interpreted loop."""
    shuffle: Any = numba.njit(_shuffle)
    shuffle(ONE, 1)  # compiles
    loops = {"compiled": (shuffle, 10_000_000), "interpreted": (_count, 300_000)}
    speeds = {}
    for name, (loop, rounds) in loops.items():
        best = 0.0
        for _ in range(3):
            start = process_time()
            loop(ONE, rounds)
            best = max(best, rounds / 1e6 / (process_time() - start))
        speeds[name] = rounded(best)
    return speeds


def _shuffle(word: Any, rounds: int) -> Any:
    """Xorshift: six operations, each of which waits for the one before."""
    for _ in range(rounds):
        word ^= word << THIRTEEN
        word ^= word >> SEVEN
        word ^= word << SEVENTEEN
    return word


def _count(word: Any, rounds: int) -> int:
    total = int(word)
    for number in range(rounds):
        total = (total + number) & 1023
    return total


def _load() -> float | None:
    """How many processes wanted a core over the last minute; None where nobody counts."""
    return round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None


def _cpu_seconds() -> float:
    """CPU time of this process and of the processes that it waited for."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def disturbing_switches() -> list[str]:
    """The settings of this process with which measuring makes no sense."""
    return [name for name in SWITCHES if os.environ.get(name)]


def _cpu_model() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def _cpu_target() -> str:
    """The kind of processor that numba compiles for; says more than many a model name."""
    return str(binding.get_host_cpu_name())


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _git(*arguments: str) -> str | None:
    """What git says about the checkout; None without git or outside a repository."""
    try:
        done = subprocess.run(
            ["git", *arguments], cwd=CHECKOUT, capture_output=True, text=True, check=False
        )
    except OSError:
        return None
    return done.stdout.strip() if done.returncode == 0 else None
