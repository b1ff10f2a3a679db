"""What all tests share. The folder is no package: tests import `spelkast`, as a user would."""

import difflib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import pytest
from hypothesis import settings

CHECKOUT = Path(__file__).parents[1]
NOT_COPIED = shutil.ignore_patterns(
    ".git",
    ".venv",
    ".tools",
    ".mutants",
    ".*cache*",
    "__pycache__",
    "build",
    "dist",
    "runs",
    "*.egg-info",
)

# One cache for all: workers, the processes that tests start, and copies of the checkout.
# Numba reads the name when it is imported, which is after this.
os.environ.setdefault("NUMBA_CACHE_DIR", str(CHECKOUT / ".numba_cache"))
# The workers keep the cores busy. More threads of torch wait for one another by spinning: one
# test of training took 52 CPU seconds with two of them, and 13 with one.
os.environ.setdefault("OMP_NUM_THREADS", "1")

# A kernel compiles inside the first example it meets, so examples have no deadline.
settings.register_profile("spelkast", deadline=None, print_blob=True)
settings.load_profile("spelkast")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the switch behind `make cases`."""
    parser.addoption(
        "--rewrite-golden",
        action="store_true",
        help="run only the tests of golden files, and write what they find instead of comparing",
    )


def pytest_report_header() -> str:
    """Say what decides the outcome besides the code: versions and numba's switches."""
    names = ("gymnasium", "pettingzoo", "numba", "numpy")
    switches = [f"{key}={value}" for key, value in os.environ.items() if key.startswith("NUMBA_")]
    return ", ".join([f"{name} {version(name)}" for name in names] + switches)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep only tests of golden files when these are to be rewritten."""
    if config.getoption("--rewrite-golden"):
        kept = [item for item in items if "golden" in getattr(item, "fixturenames", ())]
        config.hook.pytest_deselected(items=[item for item in items if item not in kept])
        items[:] = kept


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[Path, str], None]:
    """Compare a text with the file that holds the promise; `--rewrite-golden` writes the file."""
    rewrite = request.config.getoption("--rewrite-golden")

    def compare(path: Path, text: str) -> None:
        before = path.read_text("utf-8") if path.exists() else ""
        name = path.relative_to(CHECKOUT) if path.is_relative_to(CHECKOUT) else path
        lines = difflib.unified_diff(
            before.splitlines(), text.splitlines(), f"{name} (file)", f"{name} (now)", lineterm=""
        )
        changes = "\n".join(lines)
        if rewrite:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
            print(changes or f"{name}: unchanged")
        elif before != text:
            pytest.fail(f"{changes}\n`make cases` rewrites the file; say why in the commit")

    return compare


@pytest.fixture(scope="session")
def copied_checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the sources in a folder called some-thing, which is not a Python name."""
    target = tmp_path_factory.mktemp("copies") / "some-thing"
    shutil.copytree(CHECKOUT, target, ignore=NOT_COPIED)
    return target


@pytest.fixture
def run_python() -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run Python code in a process of its own, which finds Pig; keywords are its environment."""

    def run(code: str, *path: Path, **environment: str) -> subprocess.CompletedProcess[str]:
        inherited = os.environ.get("PYTHONPATH")
        found = [*map(str, path), str(CHECKOUT / "tests"), *([inherited] if inherited else [])]
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
