"""The picture of ToedeLoe: what stands on the table is what one sees, from either side."""

import json
import xml.etree.ElementTree as ET
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from spelkast.envs.engine.errors import NotationError
from spelkast.envs.toedeloe.draw import PICTURE
from spelkast.envs.toedeloe.view import ToedeloeView

from . import oracle

CHECKOUT = Path(__file__).parents[2]
FOLDER = CHECKOUT / "envs" / "toedeloe" / "cases"
CASES = {
    case["name"]: case["position"]
    for case in json.loads((FOLDER / "positions.json").read_text("utf-8"))
}
EXAMPLE = json.loads((FOLDER / "picture.json").read_text("utf-8"))["position"]
FOUR = CASES["four players: the third seat's first hand"]


def picture(position: Mapping[str, Any], viewer: int | None = None, last_move: str | None = None):
    """The picture as XML, without its legend."""
    root = ET.fromstring(PICTURE.svg(position, viewer=viewer, last_move=last_move))
    (legend,) = root.findall("{*}g[@class='legend']")
    root.remove(legend)
    return root


def texts(root: ET.Element) -> list[str]:
    return ["".join(node.itertext()) for node in root.iterfind(".//{*}text")]


def pieces(root: ET.Element) -> int:
    return len(root.findall(".//{*}use"))


def look(position: Mapping[str, Any], viewer: int | None = None, last_move: str | None = None):
    return ToedeloeView(position, viewer=viewer, last_move=last_move)


@pytest.mark.parametrize("viewer", [None, 1])
def test_every_example_can_be_drawn(viewer: int | None):
    for name, position in CASES.items():
        check_picture(name, position, viewer)


def check_picture(name: str, position: dict[str, Any], viewer: int | None):
    root, lines = picture(position, viewer), PICTURE.text(position, viewer=viewer).splitlines()
    board = "".join(position["board"])
    standing = sum(board.count(piece) for piece in "wgrt")
    waiting = sum(position["red"]) + sum(position["toedeloe"])

    # Two pawns beside the names, two beside the supplies, two on the penalty tracks.
    assert pieces(root) == standing + waiting + 6, name
    assert max(map(len, lines)) <= 80, name
    # In text the legend and both supplies show them too, and both penalty tracks a red pawn.
    shown = {mark: sum(line.count(mark) for line in lines) for mark in "▲◆"}
    assert shown == {"▲": board.count("r") + 5, "◆": board.count("t") + 3}, name
    for side in range(2):
        assert f"{oracle.parts(position, side)['net']} points" in texts(root), name


def test_own_side_lies_below():
    """Grey sees the board turned: their C7 where white sees theirs."""
    white, grey = (look(EXAMPLE, seat).places for seat in (0, 1))

    assert white["wC7"] == grey["gC7"] == (7, 6)
    assert white["gE2"] == grey["wE2"] == (5, 11)
    assert {name: (11 - r, 11 - c) for name, (r, c) in white.items()} == grey


def test_all_labels_can_be_read():
    shown = texts(picture(EXAMPLE))

    for suit in "♣♦♥♠":
        for number in range(1, 13):
            assert shown.count(f"{suit}{number}") == 2
    for number in range(1, 12, 2):
        assert shown.count(f"O{number}") == shown.count(f"E{number + 1}") == 2
    assert shown.count("× 8") == shown.count("× 14") == 1


def test_yours_was_written_into_the_score_of_four():
    """With four players, "yours" was written into the score.

    What is said of a side, its score and its count stand in lines of their own.
    """
    for viewer in range(4):
        root = picture(FOUR, viewer)
        boxes = [g for g in root.iterfind(".//{*}g") if g.get("transform", "").startswith("tr")]
        sides = [g for g in boxes if any("points" in (t.text or "") for t in g.findall("{*}text"))]
        own = f"your side · seats {viewer % 2} and {viewer % 2 + 2} · draw pile "
        lines = [{t.get("y"): t.text or "" for t in g.findall("{*}text")} for g in sides]
        notes = [next(y for y in line if "seats" in line[y]) for line in lines]

        assert len(sides) == 2
        assert [sum(t.get("y") == y for t in g) for g, y in zip(sides, notes, strict=True)] == [
            1,
            1,
        ]
        assert lines[1][notes[1]].startswith(own)
        assert len(lines[1][notes[1]]) * 7 < 290


def test_words_say_which_zone_is_whose():
    """The name of a square contains its zone, so the zones are named beside the board."""
    for viewer, below in ((0, "White's zone"), (1, "Grey's zone")):
        root = picture(FOUR, viewer)
        places = {"".join(node.itertext()): node for node in root.iterfind(".//{*}text")}
        zones = sorted(
            ("White's zone", "Grey's zone"), key=lambda zone: float(places[zone].get("y", 0))
        )
        assert zones[-1] == below


def test_headline_says_what_to_do():
    def words(name: str, viewer: int | None = None) -> str:
        return str(look(CASES[name], viewer).headline)

    assert words("seed hand D2 D7 C10: menu", 0) == "Your move: play a card, or several together"
    assert words("seed king CK+C6") == "White's move: choose a square for C6+CK"
    assert words("king: step after placing") == "White's move: move the red pawn on wE4"
    assert words("responder may not combine") == "Grey's move: take an offered card, or pass"
    assert look(FOUR, 0).headline.startswith("White 2's move: play")


@pytest.mark.parametrize("viewer", [None, 0, 1])
def test_headline_of_the_end(viewer: int | None):
    over = {**EXAMPLE, "phase": "over", "to_move": None, "table": [], "used": []}
    over |= {"action": [], "turn_no": 300}
    points = oracle.parts(over, 0)["net"] - oracle.parts(over, 1)["net"]

    assert look(over, viewer).headline == (
        f"{'You win' if viewer == 0 else 'White wins'} by {points} points, at the turn limit"
    )
    assert "No hand on the table" in PICTURE.text(over, viewer=viewer, last_move="pass")


def test_cards_say_what_becomes_of_them():
    view = look(EXAMPLE, 0)

    assert [view.card_note(card) for card in EXAMPLE["table"]] == ["in play", "in play", "offered"]
    notes = texts(picture(EXAMPLE))
    assert (notes.count("in play"), notes.count("offered")) == (2, 1)
    assert "Your hand, open to all: [♣A] in play  [♣7] in play  [♦4] offered" in PICTURE.text(
        EXAMPLE, viewer=0
    )


@pytest.mark.parametrize(
    ("move", "words"),
    [
        ("CA+C7", "played CA and C7"),
        ("X1", "played X1"),
        ("@wE4", "placed a red pawn on wE4"),
        ("^wE4", "picked up the red pawn on wE4"),
        ("S", "moved south"),
        ("stay", "stayed on the square"),
        ("pass", "declined the offer"),
    ],
)
def test_moves_in_words(move: str, words: str):
    """[R6.1] Every kind of move."""
    known = look(CASES["king: step after placing"], last_move=move).last_move

    assert str(known) == f"{move} ({words})"


@pytest.mark.parametrize("move", ["!C7", "C7+", "@wC13", ""])
def test_what_is_no_move_is_no_last_move(move: str):
    with pytest.raises(NotationError, match=r"expected a move such as CA\+C7, @wC7"):
        look(EXAMPLE, last_move=move)


def test_named_square_has_ring_and_legend():
    """A named square has a ring, and a line in the legend."""
    shown = CASES["king: step after placing"]

    assert "named by the last move" in PICTURE.svg(shown, viewer=0, last_move="@wE4")
    assert "named by the last move" not in PICTURE.svg(shown, viewer=0, last_move="E")
    assert "> < piece that moves now" in PICTURE.text(shown, viewer=0)


def test_nothing_is_taken_off_without_a_minus():
    view = ToedeloeView(EXAMPLE, viewer=None)
    view.parts[0] |= {"unplaced": 0, "penalty": 2}

    assert view.count_words(0)[1] == "not placed 0 · penalties -2"
