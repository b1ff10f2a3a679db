"""What a figure depends on besides the code: the machine, the versions, the revision, the noise."""

import os
import platform
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from time import perf_counter
from typing import Any

import numba
import numpy as np
from llvmlite import binding

from spelkast.cli.speed import rate
from spelkast.train.versions import CHECKOUT, PACKAGES, git, installed, processor

from .sampling import Json, rounded

RESULTS = CHECKOUT / "benchmarks" / "results"
LOCAL = RESULTS / "local"
"""The figures of your own machine, which git ignores."""
PEERS = ("jax", "llvmlite", "open_spiel", "pgx", "pygame-ce")
SWITCHES = ("NUMBA_DISABLE_JIT", "NUMBA_BOUNDSCHECK", "NUMBA_OPT")
"""Settings with which a figure says nothing about what a user gets."""
ONE, SEVEN, THIRTEEN, SEVENTEEN = (np.uint64(number) for number in (1, 7, 13, 17))
NOT_MEASURED = (":(exclude)benchmarks/results", ":(exclude)docs", ":(exclude)*.md")


def circumstances() -> Json:
    """Everything that a result says about where it was measured; nothing that names the owner."""
    return {
        "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "revision": git("rev-parse", "--short=12", "HEAD"),
        "modified": bool(git("status", "--porcelain", "-uno", "--", ".", *NOT_MEASURED)),
        "machine": {
            "cpu": processor(),
            # What numba compiles for says more than many a model name.
            "target": str(binding.get_host_cpu_name()),
            "cores": os.cpu_count(),
            "system": platform.system(),
            "arch": platform.machine(),
            "python": f"{platform.python_implementation()} {platform.python_version()}",
        },
        "versions": installed(sorted((*PACKAGES, *PEERS))),
    }


@contextmanager
def watched() -> Iterator[Json]:
    """Fills the result in with what distinguishes a quiet machine from a busy one.

    `yardstick` is the speed of two loops that never change, before and after: it shows how fast the
    processor was, whatever spelkast does. `share` is CPU time by wall time, of this process and of
    those that it waited for: below 1, others had the core in between.
    """
    noise: Json = {"load_before": _load(), "yardstick_before": yardstick()}
    wall, cpu = perf_counter(), sum(os.times()[:4])
    yield noise
    noise["share"] = round((sum(os.times()[:4]) - cpu) / (perf_counter() - wall), 2)
    noise["wall_seconds"] = round(perf_counter() - wall, 1)
    noise["yardstick_after"] = yardstick()
    noise["load_after"] = _load()


def yardstick() -> Json:
    """Millions of rounds per CPU second of a compiled and of an interpreted loop."""
    shuffle: Any = numba.njit(_shuffle)
    shuffle(1)  # compiles
    loops = {"compiled": partial(shuffle, 10_000_000), "interpreted": partial(_count, 300_000)}
    return {
        name: rounded(max(rate(loop, 0.0) for _ in range(3)) / 1e6) for name, loop in loops.items()
    }


def _shuffle(rounds: int) -> int:
    """Xorshift: six operations, each of which waits for the one before."""
    word = ONE
    for _ in range(rounds):
        word ^= word << THIRTEEN
        word ^= word >> SEVEN
        word ^= word << SEVENTEEN
    return rounds if word else 0  # never 0, but what looks at the word makes the loop be run


def _count(rounds: int) -> int:
    total = 1
    for number in range(rounds):
        total = (total + number) & 1023
    return rounds


def _load() -> float | None:
    """How many processes wanted a core over the last minute; None where nobody counts."""
    return round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None


def disturbing_switches() -> list[str]:
    """The settings of this process under which measuring is pointless."""
    return [name for name in SWITCHES if os.environ.get(name)]
