"""Games are found by folder and by entry point, and made by name."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pettingzoo
import pytest

from spelkast.envs import games, make, spec
from spelkast.envs.engine.errors import OptionsError, UnknownNameError

ENVS = Path(__file__).parents[2] / "envs"
FILES = {
    *("README.md", "board.py", "draw.py", "game.py"),
    *("cases/positions.json", "cases/playthrough.txt", "cases/signature"),
}


@pytest.mark.parametrize("name", games())
def test_every_game_has_the_same_files(name: str):
    """So that somebody who knows one game finds their way in the next."""
    game = spec(name)
    missing = [file for file in FILES if not (game.folder / file).exists()]

    assert missing == []
    assert (game.folder / f"{name}_v{game.version}.py").exists()


def test_unknown_game_lists_the_known_ones():
    with pytest.raises(UnknownNameError, match=r"expected a game of .*tacocat.*, got 'tacocta'"):
        spec("tacocta")


def test_near_miss_gets_a_hint():
    with pytest.raises(UnknownNameError, match=r"did you mean tacocat\?"):
        make("tacocatt")


@pytest.mark.parametrize("name", games())
def test_pettingzoo_makes_it_by_its_id(name: str):
    env: Any = pettingzoo.make("aec", f"spelkast/{name}-v{spec(name).version}")

    env.reset(seed=0)

    assert env.unwrapped.spec.name == name
    assert env.metadata["name"] == f"{name}_v{spec(name).version}"


def test_pettingzoo_passes_options_on():
    env: Any = pettingzoo.make("aec", "spelkast/tacocat-v0", tie_rule="arrow", render_mode="ansi")

    assert env.unwrapped.options.tie_rule == "arrow"
    assert env.unwrapped.render_mode == "ansi"


def test_max_cycles_is_no_option():
    """PettingZoo hands it to the constructor; a game is cut off by its own rule only."""
    with pytest.raises(
        OptionsError, match=r"expected an option of tacocat \(.*\), got 'max_cycles'"
    ):
        pettingzoo.make("aec", "spelkast/tacocat-v0", max_cycles=10)


@pytest.fixture
def installed_pig(tmp_path: Path) -> Path:
    """A folder for the path in which a package declares Pig by an entry point."""
    metadata = tmp_path / "pig_for_spelkast-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: pig-for-spelkast\nVersion: 1.0\n", "utf-8"
    )
    (metadata / "entry_points.txt").write_text("[spelkast.games]\npig = games.pig\n", "utf-8")
    return tmp_path


def test_a_game_of_another_package_is_found(installed_pig: Path, run_python):
    result = run_python(
        """
import pettingzoo
from spelkast.envs import games, make, spec
env = pettingzoo.make("aec", "spelkast/pig-v0", goal=12)
env.reset(seed=0, options={"chance": ["!6", "!6"]})
env.step(0), env.step(0), env.step(1)
print(sorted(games()), spec("pig").title, env.rewards, make("pig").possible_agents)
""",
        installed_pig,
    )

    assert result.returncode == 0, result.stderr
    assert "'pig'" in result.stdout
    assert "Pig {'player_0': 1.0, 'player_1': -1.0} ['player_0', 'player_1']" in result.stdout


def test_import_needs_no_learner_and_no_window():
    code = (
        "import sys, spelkast.envs;"
        "print([m for m in ('torch', 'pygame', 'ray', 'stable_baselines3') if m in sys.modules])"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )

    assert result.stdout == "[]\n"
