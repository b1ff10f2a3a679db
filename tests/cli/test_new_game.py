"""`spelkast new-game`: a copy under a name of any length is a game at once, and green."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from spelkast.cli.copying import copy_game, renamed
from spelkast.envs.engine.errors import SpelkastError

CHECKOUT = Path(__file__).parents[2]
NOT_COPIED = shutil.ignore_patterns(
    ".git", ".venv", ".tools", ".*cache*", "__pycache__", "build", "dist", "runs", "*.egg-info"
)
LONG = "the_longest_way_of_the_snail"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of the sources, in a folder from which `spelkast` is imported."""
    copy = tmp_path / "spelkast"
    shutil.copytree(CHECKOUT, copy, ignore=NOT_COPIED)
    return copy


def run(checkout: Path, *command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command in the copy, with the interpreter and the packages of these tests."""
    return subprocess.run(
        [sys.executable, *command],
        cwd=checkout.parent,
        env={**os.environ, "PYTHONPATH": str(checkout.parent), **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_copy_is_a_game_at_once(checkout: Path):
    """In pyproject.toml, found with its baseline and preset, and it keeps its promises."""
    made = run(checkout, "-m", "spelkast.cli", "new-game", "snail")
    listed = run(checkout, "-m", "spelkast.cli", "games", "snail", "--json")
    checked = run(
        checkout, *["-m", "spelkast.cli", "check", "snail", "--games", "1"], NUMBA_DISABLE_JIT="1"
    )

    assert made.returncode == 0, made.stderr
    assert "spelkast check snail" in made.stdout
    assert '"holder"' in listed.stdout, listed.stderr
    assert "snail keeps all" in checked.stdout, checked.stderr
    packages = (checkout / "pyproject.toml").read_text("utf-8")
    assert '\n  "spelkast.agents.heuristics.snail",\n' in packages
    assert '\n  "spelkast.envs.snail",\n' in packages
    assert (checkout / "configs" / "snail" / "standard.toml").is_file()
    assert (checkout / "tests" / "snail" / "test_rules.py").is_file()
    assert not [path for path in (checkout / "envs" / "snail").rglob("*") if "pig" in path.name]


OTHERS = [
    pytest.param(name, marks=pytest.mark.slow)
    for name in ("slag", "tacocat", "tokken", "oduludo", "toedeloe")  # seconds each, and all alike
]


def test_a_copy_makes_no_claims_of_its_tuned_player(checkout: Path):
    """It plays with the same weights, but nothing was measured of it."""
    copy_game(checkout, "toedeloe", "snail")

    tuned = (checkout / "agents/heuristics/snail/tuned.toml").read_text("utf-8")
    assert tuned.startswith('game = "snail"\nbaseline = "hoarder"\n\n[parameters]\nframe = ')
    assert "[made" not in tuned


@pytest.mark.parametrize("model", ["pig", *OTHERS])
def test_a_copy_is_formatted_however_long_its_name(checkout: Path, model: str):
    """Lines, import order and docstrings; the copy of a copy as well."""
    first = copy_game(checkout, model, LONG)
    second = copy_game(checkout, LONG, "ant")

    assert (first.complaint, second.complaint) == ("", "")
    assert {path.suffix for path in first.paths} >= {".py", ".json", ".toml", ".md"}
    assert not [path for path in first.paths if model in path.read_text("utf-8").lower().split()]


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("model", ["pig", "slag", "tacocat"])
def test_a_copy_is_green_at_once(checkout: Path, model: str):
    """`make check` and the tests, with the environment that is there."""
    assert run(checkout, "-m", "spelkast.cli", "new-game", "snail", "--from", model).returncode == 0
    venv = Path(sys.prefix)
    # `-o`: the environment is not made again, nor is the copy installed into it.
    make = ["make", "check", f"VENV={venv}", "-o", str(venv / ".set-up")]
    checked = subprocess.run(make, cwd=checkout, capture_output=True, text=True, check=False)
    words = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "-m"]
    own = run(checkout, *words, "not slow", str(checkout / "tests" / "snail"))
    # Of the tests of all games those of the copy; of docs and packages those that list games.
    lists = ("benchmarks/test_strength.py", "benchmarks/test_pages.py", "test_packaging.py")
    shared = run(
        checkout,
        *(*words, "not slow", "-k", "snail or benchmarks or packaging"),
        *(str(checkout / "tests" / name) for name in ("envs", "train/test_config.py", *lists)),
    )

    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert own.returncode == 0, own.stdout
    assert shared.returncode == 0, shared.stdout


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("Snail", "small letters, digits and _ .* got 'Snail'"),
        ("2snails", "got '2snails'"),
        ("", "got ''"),
        ("class", "not a word of Python's own .* got 'class'"),
        ("tacocat", "not taken, got 'tacocat': there is envs/tacocat"),
        ("engine", "there is envs/engine"),
        ("homes", "there is envs/homes.py"),
        ("train", "there is tests/train"),
        ("states", "no use for, got 'states', which stands in"),
    ],
)
def test_a_name_that_cannot_be_is_refused(name: str, message: str):
    """Before anything is written."""
    with pytest.raises(SpelkastError, match=message):
        copy_game(CHECKOUT, "pig", name)


def test_what_cannot_be_copied_is_named(tmp_path: Path, spelkast):
    """No checkout, no such game: one line, exit code 2."""
    with pytest.raises(SpelkastError, match=f"from a checkout .* got {tmp_path}"):
        copy_game(tmp_path, "pig", "snail")

    ran = spelkast("new-game snail --from chess")

    assert (ran.code, ran.out) == (2, "")
    known = "oduludo, pig, slag, tacocat, toedeloe, tokken"
    assert f"expected a game to copy ({known}), got 'chess'" in ran.err


def test_the_name_is_replaced_in_all_its_forms():
    """In identifiers and in prose; what only begins alike in capitals stays."""
    before = "Pig: PigOptions, PIG, pig_v0, test_pig, two pigs, Pigeon"

    after = "Red Snail: RedSnailOptions, RED_SNAIL, red_snail_v0, test_red_snail, two red_snails"
    assert renamed(before, "pig", "red_snail") == f"{after}, Pigeon"
