"""The import contracts catch what they are there for, tried on a copy that breaks them."""

import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).parents[1]
LINT = "from importlinter.cli import lint_imports_command as lint; lint()"
Lint = Callable[[str, str], subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def package(copied_checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The copied checkout under the name by which the contracts know it."""
    link = tmp_path_factory.mktemp("linked") / "spelkast"
    link.symlink_to(copied_checkout, target_is_directory=True)
    return link


@pytest.fixture
def lint_with(package: Path) -> Iterator[Lint]:
    """Lint the imports of the package with one more module in it."""
    written: list[Path] = []

    def lint(module: str, code: str) -> subprocess.CompletedProcess[str]:
        path = package / module
        assert not path.exists()
        for needed in (path.parent / "__init__.py", path):
            if not needed.exists():
                needed.parent.mkdir(exist_ok=True)
                needed.touch()
                written.append(needed)
        path.write_text(code, "utf-8")
        return subprocess.run(
            [sys.executable, "-c", LINT, "--no-cache", "--no-logo"],
            cwd=package,
            env={**os.environ, "PYTHONPATH": str(package.parent)},
            capture_output=True,
            text=True,
            check=False,
        )

    yield lint
    for path in written:
        path.unlink()


@pytest.mark.parametrize(
    ("module", "code"),
    [
        ("envs/fifth/game.py", "from ..engine import spec"),
        ("agents/added.py", "from ..envs.tacocat import board"),
        ("train/added.py", "import torch, sb3_contrib"),
        ("cli/added.py", "from .. import train"),
        ("adapters/added.py", "import ray\nfrom .. import train"),
    ],
)
def test_downward_import_is_allowed(lint_with: Lint, module: str, code: str):
    """Also from the folder of a game that no contract names."""
    done = lint_with(module, code)

    assert done.returncode == 0, done.stdout
    assert "0 broken" in done.stdout


@pytest.mark.parametrize(
    ("module", "code", "contract"),
    [
        ("envs/added.py", "from .. import agents", "Each part imports only"),
        ("eval/added.py", "from ..train import added", "Each part imports only"),
        ("train/added.py", "from ..play import added", "Each part imports only"),
        ("adapters/added.py", "from ..play import table", "Each part imports only"),
        ("envs/fifth/game.py", "from ..tacocat import board", "Games know the engine"),
        ("envs/engine/added.py", "from ..tacocat import board", "Games know the engine"),
        ("agents/added.py", "import torch", "Torch only"),
        ("agents/search/added.py", "from ..heuristics import tacocat", "A search is handed"),
        ("cli/added.py", "def run():\n    import torch", "Torch only"),
        ("agents/added.py", "import stable_baselines3", "Stable-Baselines3 only"),
        ("eval/added.py", "import sb3_contrib", "Stable-Baselines3 only"),
        ("play/added.py", "import ray", "Ray only"),
        ("envs/tacocat/added.py", "import pygame", "The games need no"),
        ("envs/engine/added.py", "import ray", "The games need no"),
    ],
)
def test_forbidden_import_is_caught(lint_with: Lint, module: str, code: str, contract: str):
    done = lint_with(module, code)

    broken = [line for line in done.stdout.splitlines() if " BROKEN" in line]
    assert done.returncode == 1
    assert [line for line in broken if line.startswith(contract)], done.stdout


def test_the_drawing_in_contributing_is_the_contract():
    """The rooms from the roof down, the unbuilt one in brackets, as `make check` holds them."""
    page = (CHECKOUT / "CONTRIBUTING.md").read_text("utf-8")
    drawn = re.findall(r"^    (\(?\w+/?\)?)\S* ", page.partition("## Kernels")[0], re.MULTILINE)
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text("utf-8"))
    contracts = {
        contract["id"]: contract for contract in project["tool"]["importlinter"]["contracts"]
    }
    layers = " ".join(contracts["layers"]["layers"]).replace("|", "").split()

    assert list(dict.fromkeys(room.replace("/", "") for room in drawn)) == layers
