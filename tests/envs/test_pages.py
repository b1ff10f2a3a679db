"""Golden files of the games: page, playthrough, signature. `make cases` rewrites them."""

import re
from pathlib import Path

import pytest

from games.pig.game import SPEC as PIG
from games.playthrough import playthrough
from games.slag.game import SPEC as SLAG
from spelkast.cli.speed import signature
from spelkast.envs import games, spec
from spelkast.envs.engine.page import BEGIN, END, spec_block, with_spec_block
from spelkast.envs.engine.spec import GameSpec
from spelkast.envs.tacocat import board

SPECS = [*map(spec, games()), PIG, SLAG]
README_LINES, PLAYTHROUGH_LINES = 210, 60  # the page has one sentence a line


@pytest.mark.parametrize("game", SPECS, ids=lambda game: game.name)
def test_playthrough(game: GameSpec, golden):
    """One game, move by move: a change of the rules shows as lines that can be read."""
    text = playthrough(game)

    assert len(text.splitlines()) <= PLAYTHROUGH_LINES
    golden(game.folder / "cases" / "playthrough.txt", text)


@pytest.mark.compiled
@pytest.mark.parametrize("game", SPECS, ids=lambda game: game.name)
def test_signature(game: GameSpec, golden):
    """All observations and masks of 128,000 random decisions, in eight hex digits."""
    digits = signature(game, game.parse_options(None))

    assert re.fullmatch("[0-9a-f]{8}", digits)
    golden(game.folder / "cases" / "signature", f"{digits}\n")


@pytest.mark.parametrize("game", SPECS, ids=lambda game: game.name)
def test_generated_part_of_the_page_is_up_to_date(game: GameSpec, golden):
    page = game.folder / "README.md"
    text = page.read_text("utf-8")

    golden(page, with_spec_block(text, game))
    assert len(page.read_text("utf-8").splitlines()) <= README_LINES


@pytest.mark.parametrize("name", games())
def test_page_has_every_section(name: str):
    page = (spec(name).folder / "README.md").read_text("utf-8")
    sections = re.findall("^## (.*)$", page, re.MULTILINE)

    assert sections[:3] == ["Rules", "Notation", "Numbers"]
    assert sections[-3:] == ["What the text leaves open", "Baselines", "Versions"]


@pytest.mark.parametrize("name", games())
def test_page_lists_every_decision(name: str):
    """A row has all its parts and no number is left out; every option of the rules is explained."""
    game = spec(name)
    page = (game.folder / "README.md").read_text("utf-8")
    table = page.partition("| open | the text says | here | why | option |\n")[2]
    lines = table.partition("\n\n")[0].splitlines()[1:]
    rows = [line.strip("| ").split(" | ") for line in lines]
    named = {word for row in rows for word in re.findall("`([^`]+)`", row[-1])}

    assert all(len(row) == 5 and {"", "–"}.isdisjoint(row[:4]) for row in rows)
    assert all(re.search(r"\[R\d+\.\d+", row[0]) for row in rows)
    numbers = sorted(int(n) for row in rows for n in re.findall(r"\[R10\.(\d+)\]", row[0]))
    assert numbers == list(range(1, len(numbers) + 1))
    assert {"board.json", *game.options.model_fields} >= named
    assert not rows or {*game.options.model_fields} - named <= {"mode", "players", "reward"}


@pytest.mark.parametrize("name", games())
def test_links_of_the_page_lead_somewhere(name: str):
    page = spec(name).folder / "README.md"
    targets = re.findall(r"\]\(([^)#:]+)\)", page.read_text("utf-8"))

    assert targets
    assert [target for target in targets if not (page.parent / target).exists()] == []


def test_notation_table_of_tacocat_names_the_actions():
    """The one table of the page that is typed by hand."""
    page = (Path(board.__file__).parent / "README.md").read_text("utf-8")
    rows = re.findall(r"^\| (\d+)(?:–(\d+))? \| `([^`]+)`(?:–`([^`]+)`)? \|", page, re.MULTILINE)
    covered: list[int] = []
    for first, last, text, last_text in rows:
        actions = range(int(first), int(last or first) + 1)
        covered += actions
        named = board.MOVES.index(text)
        assert named in actions
        if last_text:
            assert (named, board.MOVES.index(last_text)) == (actions[0], actions[-1])

    assert covered == list(range(150))


def test_block_tells_sizes_options_and_segments():
    block = spec_block(PIG).splitlines()

    assert (block[0], block[-1]) == (BEGIN, END)
    assert "| Import | `from games.pig import pig_v0`, or by its id `spelkast/pig-v0` |" in block
    schema = "[JSON Schema](cases/position.schema.json)"
    assert f"| Actions, positions | `Discrete(2)`; masks int8 `[2]`; {schema} |" in block
    assert "| `goal` | `30` | points that win |" in block
    assert "| 1–3 | my points, the opponent's, those of this turn / goal | 0..1 |" in block


def test_page_without_the_marks_is_refused():
    with pytest.raises(ValueError, match="expected '<!-- generated"):
        with_spec_block("# Pig\n", PIG)
