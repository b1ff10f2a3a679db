"""The parts of a game are found by one rule; one that is missing is named, with its place."""

import re
import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from spelkast import envs
from spelkast.agents.registry import baselines, make_agent
from spelkast.envs import homes
from spelkast.envs.engine.errors import MissingPartError, OptionsError, UnknownNameError
from spelkast.envs.homes import Home
from spelkast.train.config import load_config, presets

GAME = "from games.pig.game import SPEC as PIG\nfrom dataclasses import replace\n"
SPEC = GAME + "SPEC = replace(PIG, name='garden_gnome', home=__name__)\n"


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An installed package with all that the game needs; Pig lends its rules."""
    folder = tmp_path / "garden" / "garden_gnome"
    folder.mkdir(parents=True)
    (folder.parent / "__init__.py").touch()
    for name, text in {"__init__": "", "game": SPEC, "garden_gnome_v3": ""}.items():
        (folder / f"{name}.py").write_text(text, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    return folder


@pytest.fixture
def install(package: Path, monkeypatch: pytest.MonkeyPatch):
    """Announce the package, by the entry point that is handed in, until the test is over."""

    def announce(value: str = "garden.garden_gnome") -> Home:
        point = EntryPoint(name="garden_gnome", value=value, group=homes.ENTRY_POINTS)
        monkeypatch.setattr(homes, "entry_points", lambda group: [point])
        found = homes.all_homes.__wrapped__()["garden_gnome"]
        monkeypatch.setitem(homes.all_homes(), "garden_gnome", found)
        return found

    yield announce
    for name in [name for name in sys.modules if name.partition(".")[0] == "garden"]:
        del sys.modules[name]


@pytest.mark.parametrize("value", ["garden.garden_gnome", "garden.garden_gnome.game"])
def test_an_entry_point_names_the_package_or_its_game(install, package: Path, value: str):
    """Both forms lead to the same home, and nothing is imported to find it."""
    home = install(value)

    assert (home.folder, home.version) == (package, 3)
    assert "garden" not in sys.modules
    game = envs.spec("garden_gnome")
    assert (game.name, game.version, game.home) == ("garden_gnome", 3, "garden.garden_gnome.game")
    assert "garden_gnome" in envs.games()


def test_baselines_and_presets_of_a_package_are_found(install, package: Path):
    """They lie in the package's own folder, by the same names as here."""
    (package / "heuristics.py").write_text("from games.pig.heuristics import BASELINES", "utf-8")
    (package / "configs").mkdir()
    (package / "configs" / "quick.toml").write_text("steps = 3", "utf-8")

    install()

    assert baselines("garden_gnome") == ["holder"]
    assert make_agent("holder", "garden_gnome").name == "holder"
    assert presets("garden_gnome") == ["quick"]
    assert load_config("garden_gnome", "quick").steps == 3


def test_baselines_and_presets_are_optional(install, package: Path):
    """A game without them can be played; who asks for one reads where it would be."""
    install()

    assert baselines("garden_gnome") == presets("garden_gnome") == []
    with pytest.raises(UnknownNameError, match=r"\(random\).*garden\.garden_gnome\.heuristics"):
        make_agent("holder", "garden_gnome")
    with pytest.raises(
        OptionsError, match=f"no preset 'standard' in {re.escape(str(package / 'configs'))}"
    ):
        load_config("garden_gnome", None)


@pytest.mark.parametrize(
    ("part", "text", "message"),
    [
        ("game.py", None, r"rules of the game 'garden_gnome' in game\.py, got none in FOLDER"),
        ("game.py", "", r"GameSpec as garden\.garden_gnome\.game\.SPEC, got NoneType"),
        (
            "game.py",
            SPEC.replace("'garden_gnome'", "'slug'"),
            r"game 'garden_gnome', got 'slug' in FOLDER",
        ),
        (
            "garden_gnome_v3.py",
            None,
            r"called garden_gnome_vN\.py with its version for N, got none in FOLDER",
        ),
    ],
)
def test_a_package_that_lacks_a_part_says_which(install, package: Path, part, text, message):
    """It is found, so that an author reads what is missing and where."""
    (package / part).unlink()
    if text is not None:
        (package / part).write_text(text, "utf-8")
    install()

    with pytest.raises(MissingPartError, match=message.replace("FOLDER", re.escape(str(package)))):
        envs.spec("garden_gnome")


def test_a_package_that_is_not_there_is_named(install):
    """The entry point of a distribution that was removed by hand."""
    install("garden.slug")

    with pytest.raises(
        MissingPartError, match=r"package 'garden\.slug' for the game 'garden_gnome'"
    ):
        envs.spec("garden_gnome")


def test_heuristics_without_baselines_are_named(install, package: Path):
    """A typo in the one name that is looked for."""
    (package / "heuristics.py").write_text("BASELINE = {}", "utf-8")
    install()

    with pytest.raises(MissingPartError, match=r"BASELINES.*in garden\.garden_gnome\.heuristics"):
        baselines("garden_gnome")


@pytest.mark.parametrize("name", envs.games())
def test_names_of_the_parts_agree(name: str):
    """Here, too, the folder gives the name, and the module the version."""
    home, game = envs.home(name), envs.spec(name)

    assert home.folder == game.folder
    assert (game.name, game.version) == (name, home.version)
    assert envs.spec(name) is game


def test_a_game_of_this_repository_is_not_replaced(install, monkeypatch):
    """An entry point cannot take the name of a game that is here."""
    point = EntryPoint(name="tacocat", value="garden.garden_gnome", group=homes.ENTRY_POINTS)
    monkeypatch.setattr(homes, "entry_points", lambda group: [point])

    assert homes.all_homes.__wrapped__()["tacocat"] == homes.all_homes()["tacocat"]
