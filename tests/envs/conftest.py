"""What the tests of engine and games share."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]


@pytest.fixture
def run_python() -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run Python code in a process of its own, which finds Pig; keywords are its environment."""

    def run(code: str, *path: Path, **environment: str) -> subprocess.CompletedProcess[str]:
        inherited = os.environ.get("PYTHONPATH")
        found = [*map(str, path), str(TESTS), *([inherited] if inherited else [])]
        paths = os.pathsep.join(found)
        return subprocess.run(
            [sys.executable, "-W", "error", "-c", code],
            env={**os.environ, "PYTHONPATH": paths, **environment},
            capture_output=True,
            text=True,
            check=False,
            timeout=500,
        )

    return run
