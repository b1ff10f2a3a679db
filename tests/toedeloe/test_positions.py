"""Broken positions of ToedeLoe: each is refused by a `PositionError` that says what is wrong."""

import copy
import json
from typing import Any

import pytest
from edits import Edit, put

from spelkast.envs import spec
from spelkast.envs.engine.errors import NotationError, PositionError

TOEDELOE = spec("toedeloe")
CASES = {
    case["name"]: case["position"]
    for case in json.loads((TOEDELOE.folder / "cases" / "positions.json").read_text("utf-8"))
}
PLAY, TARGET, STEP, OFFER, QUEUED, OVER, THREE = (
    "seed hand D2 D7 C10: menu",
    "seed D2: four squares",
    "king: step after placing",
    "responder may not combine",
    "observe the first of two jokers",
    "observe a finished game",
    "red three: directions",
)

# ruff: noqa: FBT003  a value put into a position may be true


def all_of(*edits: Edit) -> Edit:
    def edit(position: dict[str, Any]) -> None:
        for one in edits:
            one(position)

    return edit


BROKEN: list[tuple[str, Edit, str]] = [
    (PLAY, put("phase", "sleep"), r"expected phase as one of play, .*, over, got 'sleep'"),
    (PLAY, put("to_move", None), r"expected to_move as a whole number 0\.\.1, got None"),
    (PLAY, put("to_move", 1), r"expected to_move 0, got 1"),
    (PLAY, put("turn_no", 217), r"expected turn_no as a whole number 0\.\.216, got 217"),
    (PLAY, put("turn_no", 216), r"turn_no below 216 before the end, got 216"),
    (PLAY, put("board", 0, "." * 12), r"expected board\[0\] as a row like '   \.{6}   '"),
    (PLAY, put("board", 5, "." * 11 + "x"), r"expected board\[5\] as a row .*pieces '\.wgrt'"),
    (PLAY, put("board", 5, "w" + "." * 11), r"expected 30 white pawns .*, got 31"),
    (PLAY, put("board", 5, "." * 11 + "g"), r"expected 30 grey pawns .*, got 31"),
    (PLAY, put("board", 5, "r" + "." * 11), r"expected 8 red pawns .*, got 9"),
    (PLAY, put("board", 5, "t" + "." * 11), r"expected 2 ToedeLoes .*, got 3"),
    (PLAY, put("pawns", 0, 31), r"expected pawns\[0\] as a whole number 0\.\.30, got 31"),
    (PLAY, put("penalty", 0, 9), r"fewer than nine penalties before the end, got \[9, 0\]"),
    (
        PLAY,
        put("draw_pile", 0, 0, "Z4"),
        r"expected draw_pile\[0\]\[0\] as one of CA, .*X2, got 'Z4'",
    ),
    (PLAY, lambda p: p["draw_pile"][1].pop(), r"a multiple of 3 cards in draw_pile\[1\], got 5"),
    (
        PLAY,
        lambda p: p["draw_pile"][0].reverse(),
        r"draw_pile\[0\] as a list in the order CA, C2, .*, got",
    ),
    (PLAY, put("draw_pile", 0, ["D2", "D3", "D4"]), r"no card of the table .*, got \['D2'\]"),
    (PLAY, put("table", []), r"expected 3 cards on the table, got none"),
    (PLAY, put("table", ["C10", "D2"]), r"expected table as 3 cards or none"),
    (
        PLAY,
        put("table", ["D2", "C10", "D7"]),
        r"expected table as a list in the order CA, C2, .*, got",
    ),
    (PLAY, put("table", ["CA", "DA", "HA"]), r"expected a legal move, got none"),
    (PLAY, put("used", ["D2"]), r"no card used in phase 'play'"),
    (PLAY, put("action", ["D2"]), r"no card being resolved, got some"),
    (PLAY, put("queue", ["H2"]), r"expected queue as cards that lie on the table"),
    (PLAY, put("square", "wE2"), r"no moving piece but in phase 'step', got one"),
    (PLAY, put("square", "wE3"), r"expected square as null or one of gS12, .*, got 'wE3'"),
    (PLAY, put("placed", True), r"no moving piece but in phase 'step'"),
    (TARGET, put("used", []), r"used cards once the owner has declared, got none"),
    (TARGET, put("used", ["C10", "D2"]), r"one card, a combination or a special as used"),
    (TARGET, put("action", ["D7"]), r"expected action D2 and an empty queue, got D7"),
    (TARGET, put("queue", ["D7"]), r"expected action D2 and an empty queue, got D2 and D7"),
    (TARGET, put("to_move", 1), r"one card that the owner did not use as the responder's action"),
    (STEP, put("square", None), r"the square of the moving piece in phase 'step', got None"),
    (STEP, put("square", "wE6"), r"expected a piece that CK can move"),
    (STEP, put("placed", False), r"expected a piece that CK can move, got 'r'"),
    (OFFER, put("to_move", 0), r"expected to_move 1, got 0"),
    (OFFER, put("action", ["C5"]), r"no card being resolved"),
    (QUEUED, put("queue", []), r"one card of the special as action and the later ones as queue"),
    (QUEUED, put("action", ["X2"]), r"one card of the special as action and the later ones"),
    (OVER, put("to_move", 0), r"expected to_move as null in phase 'over', got 0"),
    (OVER, put("table", []), r"the dead hand on the table, got none"),
    (OVER, put("penalty", [8, 0]), r"9 penalties of the owner of the last turn"),
    (OVER, put("penalty", [9, 9]), r"9 penalties of the owner .*, got \[9, 9\]"),
    (OVER, put("turn_no", 216), r"no ninth penalty at the turn limit"),
    (
        OVER,
        all_of(put("turn_no", 216), put("penalty", [8, 8])),
        r"an empty table at the turn limit",
    ),
    (OVER, put("used", ["CA"]), r"no card or piece in play when over|used among the cards"),
    (THREE, put("placed", True), r"expected a piece that .3 can move, got '.' just placed"),
]


@pytest.mark.parametrize(
    ("name", "edit", "message"), BROKEN, ids=[str(number) for number in range(len(BROKEN))]
)
def test_broken_position_is_refused(name: str, edit: Edit, message: str):
    position = copy.deepcopy(CASES[name])
    edit(position)

    with pytest.raises(PositionError, match=message):
        TOEDELOE.from_position(position)


@pytest.mark.parametrize("name", [PLAY, TARGET, STEP, OFFER, QUEUED, OVER, THREE])
def test_position_without_the_damage_is_taken(name: str):
    states = TOEDELOE.from_position(CASES[name])

    assert TOEDELOE.position(states, 0) == CASES[name]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected a move of ToedeLoe"),
        ("C7+", "expected a move of ToedeLoe"),
        ("@wC13", "expected a move of ToedeLoe"),
        ("NE", "expected a move of ToedeLoe"),
        (7, "expected a move of ToedeLoe"),
        ("C7", "expected cards of the open hand C10, D2, D7 in this order, got 'C7'"),
        ("D7+D2", "expected cards of the open hand C10, D2, D7 in this order"),
        ("D2+D2", "expected cards of the open hand"),
    ],
)
def test_text_that_is_no_move_is_refused(text: Any, message: str):
    states = TOEDELOE.from_position(CASES[PLAY])

    with pytest.raises(NotationError, match=message):
        TOEDELOE.move_to_action(states, 0, text)


@pytest.mark.parametrize("text", ["!seat2", "!seat", "C7", "!C13", "!", "", None, "!seat0 "])
def test_text_that_is_no_outcome_is_refused(text: Any):
    """Two players: there is no seat 2."""
    states = TOEDELOE.from_position(CASES[PLAY])

    with pytest.raises(NotationError, match=r"expected a card drawn such as .* to !seat1, got"):
        TOEDELOE.text_to_outcome(states, 0, text)
