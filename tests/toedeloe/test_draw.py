"""The picture of ToedeLoe: what stands on the table is what one sees, from either side."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from spelkast.envs import spec
from spelkast.envs.toedeloe import draw
from spelkast.envs.toedeloe.view import look

from . import oracle

CHECKOUT = Path(__file__).parents[2]
CASES_FILE = CHECKOUT / "envs" / "toedeloe" / "cases" / "positions.json"
CASES = {case["name"]: case["position"] for case in json.loads(CASES_FILE.read_text("utf-8"))}
SHADES = "url(#shine)"


def picture(position: Mapping[str, Any], viewer: int | None = None, last_move: str | None = None):
    return ET.fromstring(draw.svg(position, viewer=viewer, last_move=last_move))


def texts(root: ET.Element) -> list[str]:
    return ["".join(node.itertext()) for node in root.iterfind(".//{*}text")]


def pieces(root: ET.Element) -> int:
    return sum(node.get("fill") == SHADES for node in root.iterfind(".//{*}circle"))


@pytest.mark.parametrize("viewer", [None, 1])
def test_every_example_can_be_drawn(viewer: int | None):
    for name, position in CASES.items():
        check_picture(name, position, viewer)


def check_picture(name: str, position: dict[str, Any], viewer: int | None):
    root, lines = picture(position, viewer), draw.text(position, viewer=viewer).splitlines()
    board = "".join(position["board"])
    standing = sum(board.count(piece) for piece in "wgrt")
    waiting = sum(position["red"]) + sum(position["toedeloe"])

    # Two pawns beside the names, two beside the supplies, two on the penalty tracks.
    assert pieces(root) == standing + waiting + 6, name
    assert max(map(len, lines)) <= 80, name
    assert (
        sum(line.count(mark) for line in lines for mark in "▲◆")
        == sum(board.count(piece) for piece in "rt") + 2
    ), name
    for side in range(2):
        assert str(oracle.parts(position, side)["net"]) in texts(root), name


def test_own_side_lies_below():
    """Grey sees the board turned: his C7 where white sees hers."""
    white, grey = (look(draw.EXAMPLE, viewer=seat, last_move=None) for seat in (0, 1))
    at = [{square.name: (square.row, square.column) for square in v.squares} for v in (white, grey)]

    assert at[0]["wC7"] == at[1]["gC7"] == (7, 6)
    assert at[0]["gE2"] == at[1]["wE2"] == (5, 11)
    assert {name: (11 - r, 11 - c) for name, (r, c) in at[0].items()} == at[1]


def test_all_labels_can_be_read():
    shown = texts(picture(draw.EXAMPLE))

    for suit in "♣♦♥♠":
        for number in range(1, 13):
            assert shown.count(f"{suit}{number}") == 2
    assert shown.count("× 8") == shown.count("× 14") == 1


def test_words_say_which_half_is_whose():
    """The name of a square tells its zone, so the zones stand beside the board."""
    four = CASES["four players: the third seat's first hand"]

    for viewer, below in ((0, "White's zone"), (1, "Grey's zone")):
        root = picture(four, viewer)
        places = {"".join(node.itertext()): node for node in root.iterfind(".//{*}text")}
        zones = sorted(("White's zone", "Grey's zone"), key=lambda z: float(places[z].get("y")))
        assert zones[-1] == below
        assert f"seats {viewer}, {viewer + 2} · yours" in places
        assert f"seats {1 - viewer}, {3 - viewer}" in places


def test_headline_says_what_to_do():
    def words(name: str, viewer: int | None = None) -> str:
        return look(CASES[name], viewer=viewer, last_move=None).headline()

    assert words("seed hand D2 D7 C10: menu", 0) == "Your move: declare the cards you play"
    assert words("seed king CK+C6") == "White: choose a square for C6+CK"
    assert words("king: step after placing") == "White: move the red pawn on wE4"
    assert words("responder may not combine") == "Grey: take an offered card, or pass"
    four = CASES["four players: the third seat's first hand"]
    assert look(four, viewer=0, last_move=None).headline().startswith("White (seat 2): declare")


def test_headline_of_the_end():
    over = {**draw.EXAMPLE, "phase": "over", "to_move": None, "table": [], "used": []}
    over |= {"action": [], "turn_no": 216}

    assert look(over, viewer=1, last_move="pass").headline() == (
        f"White wins by {oracle.parts(over, 0)['net'] - oracle.parts(over, 1)['net']} points, "
        "at the turn limit"
    )
    assert "declined the offer" in draw.text(over, viewer=1, last_move="pass")
    assert "No hand on the table" in draw.text(over, viewer=1)


def test_cards_tell_what_becomes_of_them():
    view = look(draw.EXAMPLE, viewer=0, last_move=None)

    assert [card.note for card in view.cards] == ["in play", "in play", "offered"]
    notes = texts(picture(draw.EXAMPLE))
    assert (notes.count("in play"), notes.count("offered")) == (2, 1)


def test_picture_of_the_docs_is_up_to_date(golden):
    """docs/images/toedeloe.svg is what `example` draws."""
    golden(CHECKOUT / "docs" / "images" / "toedeloe.svg", draw.example())


def test_picture_of_the_docs_is_a_position_of_the_game():
    """[R9.3] The example keeps the invariants."""
    assert spec("toedeloe").from_position(dict(draw.EXAMPLE)).shape == (1,)
