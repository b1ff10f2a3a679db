"""Broken positions and options of Tokken: each is refused by an error that says what is wrong."""

import copy
import json
from typing import Any

import pytest
from edits import Edit, put

from spelkast.envs import spec
from spelkast.envs.engine.contract import check_game
from spelkast.envs.engine.errors import NotationError, OptionsError, PositionError
from spelkast.envs.tokken import tokken_v0

TOKKEN = spec("tokken")
CASES = {
    case["name"]: case["position"]
    for case in json.loads((TOKKEN.folder / "cases" / "positions.json").read_text("utf-8"))
}
PLAY, GIVE, SEVEN = "enter_only", "observe_giver", "seven_rest_to_partner_2"


# ruff: noqa: FBT003  a value put into a position may be true


BROKEN: list[tuple[str, Edit, str]] = [
    (PLAY, put("config", {"players": 2}), r"expected dealer as a whole number 0\.\.1, got 3"),
    (PLAY, put("phase", "sleep"), r"expected phase as one of exchange, .*, got 'sleep'"),
    (PLAY, put("phase", "exchange"), r"expected cards given by the seats before the mover 0"),
    (PLAY, put("phase", "over"), r"expected to_move as null in phase 'over', got 0"),
    (PLAY, put("phase", "split"),
     r"expected split as an object in phase 'split' and null in the others, got None"),
    (PLAY, put("decisions", 600), r"expected phase 'over' after 600 decisions, got 600"),
    (PLAY, put("deal", 2), r"expected 18 cards in the draw pile, got 34"),
    (PLAY, put("pieces", 0, ["Y"] * 3), r"expected pieces\[0\] as a list of 4"),
    (PLAY, put("pieces", 0, 0, "e0"), r"expected pieces\[0\]\[0\] as Y, H1..H4 or a field a0..d15"),
    (PLAY, put("pieces", 0, 0, "a16"), r"got 'a16'"),
    (PLAY, put("pieces", 0, 0, "a05"), r"got 'a05'"),
    (PLAY, put("pieces", 0, 0, "H5"), r"got 'H5'"),
    (PLAY, put("pieces", 0, ["H1", "H1", "Y", "Y"]),
     r"expected pieces\[0\]\[1\] as a place of its own, got 'H1'"),
    (PLAY, put("pieces", [["a3", "Y", "Y", "Y"], ["a3", "Y", "Y", "Y"]] + [["Y"] * 4] * 2),
     r"expected pieces\[1\]\[0\] as a place of its own, got 'a3'"),
    (PLAY, put("pieces", [["H1", "H2", "H3", "H4"], ["Y"] * 4] * 2), r"when a side has won"),
    (PLAY, put("hands", 0, "5A"), r"expected hands\[0\] as a text in the order A, 2, .*, got '5A'"),
    (PLAY, put("hands", 0, "A1"), r"expected hands\[0\]\[1\] as one of A, 2, .*, X, got '1'"),
    (PLAY, put("hands", 0, "AA"), r"expected the pack, 4 of each rank and 2 jokers"),
    (PLAY, put("given", 0, ""), r"expected cards given in turn from seat 0 on"),
    (PLAY, put("given", 0, "23"), r"expected given\[0\] as one of , A, 2, .*, got '23'"),
    (PLAY, put("out", 0, True), r"expected the mover 0 not to be out"),
    (PLAY, put("out", 1, True), r"expected no card in the hand of seat 1, which is out"),
    (PLAY, put("drawn", 0, 3), r"expected drawn\[0\] as a whole number 0\.\.2, got 3"),
    (PLAY, put("drawn", 0, 1), r"expected 33 cards in the draw pile, got 34"),
    (PLAY, put("split", {"left": 1, "moved": [[0, 0]]}),
     r"expected split as an object in phase 'split' and null"),
    (GIVE, put("out", 0, True), r"expected nobody out in the exchange"),
    (GIVE, put("to_move", 0), r"expected cards given by the seats before the mover 0"),
    (SEVEN, put("split", None),
     r"expected split as an object in phase 'split' and null in the others, got None"),
    (SEVEN, put("split", {"left": 6}), r"in the split, got missing \['moved'\]"),
    (SEVEN, put("split", "left", 7), r"expected split.left as a whole number 1\.\.6, got 7"),
    (SEVEN, put("split", "moved", []), r"expected split.moved as 1 to 3 pawns"),
    (SEVEN, put("split", "moved", [[0, 0], [0, 0]]),
     r"expected split.moved as ascending different"),
    (SEVEN, put("split", "moved", [[0, 0], [0, 1]]),
     r"expected split.left as a whole number 1\.\.5, got 6"),
    (SEVEN, put("pieces", 2, ["Y"] * 4), r"expected a legal part of the seven"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "edit", "message"), BROKEN, ids=[f"{k}-{case[0]}" for k, case in enumerate(BROKEN)]
)
def test_broken_position_is_refused_by_name(name: str, edit: Edit, message: str):
    position = copy.deepcopy(CASES[name])
    TOKKEN.from_position(position)
    edit(position)

    with pytest.raises(PositionError, match=message):
        TOKKEN.from_position(position)


@pytest.mark.parametrize("name", CASES)
def test_position_has_its_keys_in_order(name: str):
    """A position has its keys in the order of the rules.

    [R9.2]
    """
    position = CASES[name]

    assert list(TOKKEN.position(TOKKEN.from_position(position), 0)) == list(position)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"players": 5}, r"option 'players' of tokken"),
        ({"players": 2, "teams": True}, r"expected teams only with 4 or 6 players, not with 2"),
        ({"first_dealer": 4}, r"expected first_dealer as a seat 0\.\.3, not 4"),
        ({"first_dealer": -1}, r"option 'first_dealer' of tokken"),
        ({"max_decisions": -1}, r"option 'max_decisions' of tokken"),
        ({"black_dots": [8, 8]}, r"expected black_dots as ascending different numbers 1\.\.13"),
        ({"black_dots": [14]}, r"expected black_dots as ascending different numbers 1\.\.13"),
        ({"dot_blocked": "jump"}, r"option 'dot_blocked' of tokken"),
        ({"home_entry": None}, r"option 'home_entry' of tokken"),
        ({"dot_on_swap": 1}, r"option 'dot_on_swap' of tokken"),
        ({"holograms": [15]}, r"expected an option of tokken .*, got 'holograms'"),
    ],
)
def test_wrong_option_is_refused_by_name(options: dict[str, Any], message: str):
    with pytest.raises(OptionsError, match=message):
        TOKKEN.parse_options(options)


@pytest.mark.parametrize(
    ("options", "sizes"),
    [
        ({"players": 2}, (2, 111, 532, 280)),
        ({"players": 3}, (3, 131, 503, 351)),
        ({}, (4, 151, 698, 518)),
        ({"players": 6}, (6, 191, 1184, 948)),
    ],
)
def test_sizes_are_those_of_the_rules(options: dict[str, Any], sizes: tuple[int, ...]):
    """[R6, R7.3, R7.4]"""
    parsed = TOKKEN.parse_options(options)
    shape = TOKKEN.shape(parsed)

    assert (shape.seats, shape.actions, shape.observation, shape.state) == sizes
    assert sum(segment.size for segment in TOKKEN.segments_of(parsed)) == shape.observation


@pytest.mark.parametrize(
    "text", ["8 b3", "7 a5", "7 a5+8", "5 a5", "J a5~b3", "J a5", "give 1", "A", "#16", "#999", "Y"]
)
def test_text_that_is_no_move_is_refused(text: str):
    states = TOKKEN.from_position(CASES["black_dot"])

    with pytest.raises(NotationError):
        TOKKEN.move_to_action(states, 0, text)


@pytest.mark.parametrize("text", ["!1", "!seat4", "!seat", "A", ""])
def test_text_that_is_no_outcome_is_refused(text: str):
    states = TOKKEN.from_position(CASES["black_dot"])

    with pytest.raises(NotationError, match=r"!seat0 to !seat3, got"):
        TOKKEN.text_to_outcome(states, 0, text)


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize(
    "options",
    [
        {"players": 2, "max_decisions": 80, "home_entry": "free", "dot_on_swap": True},
        {"players": 3, "max_decisions": 60, "black_dots": [3, 8], "dot_blocked": "illegal"},
        {"players": 6, "max_decisions": 120, "first_dealer": 2, "five_on_start": True},
        {"teams": False, "max_decisions": 90, "dot_blocked": "fly"},
        {"max_decisions": 3},
    ],
    ids=["two", "three", "six", "no teams", "time up in the exchange"],
)
def test_tokken_keeps_its_contract_under_other_options(options: dict[str, Any]):
    assert check_game(TOKKEN, options=options, games=1, seed=5).options == options


def test_a_giver_with_five_cards_left_had_six():
    """For the card that it gave it gets another: a hand of six, which was refused later."""
    env = tokken_v0.env(first_dealer=3)
    env.reset(seed=0)
    env.step(env.move_to_action(env.legal_moves()[0]))
    position = env.position()
    first, second = position["hands"][:2]
    order = "A23456789TJQKX"
    position["hands"][0] = "".join(sorted(first + second[0], key=order.index))
    position["hands"][1] = second[1:]

    with pytest.raises(PositionError, match=r"at most 5 cards in a hand, got \[6, 4, 5, 5\]"):
        env.reset(options={"position": position})
