"""Broken positions of Tacocat: each is refused by a `PositionError` that says what is wrong."""

import copy
import json
from typing import Any

import pytest
from edits import Edit, put
from hypothesis import given
from hypothesis import strategies as st

from spelkast.envs import spec
from spelkast.envs.engine.errors import PositionError

from .oracle_checks import faults

TACOCAT = spec("tacocat")
CASES = {
    case["name"]: case["position"]
    for case in json.loads((TACOCAT.folder / "cases" / "positions.json").read_text("utf-8"))
}
LENIENT = {"earlier duels were tied"}
"""What no rule of positions excludes, though no game comes there [R9.3]."""

REPLACE, SECOND, DUEL, ATTACK, DEFEND, OVER = (
    "first-round-replace-any",
    "other-player-up-to-same-number",
    "duel-higher-card-attacks",
    "attacks-single-set-run",
    "jumbo-one-sacrifice-goes-on",
    "over",
)

# ruff: noqa: FBT003  a value put into a position may be true


def move_card(source: tuple[Any, ...], target: tuple[Any, ...]) -> Edit:
    """Take the lowest card from one pile to another."""

    def edit(position: dict[str, Any]) -> None:
        piles = []
        for path in (source, target):
            place: Any = position
            for key in path:
                place = place[key]
            piles.append(place)
        piles[1].append(piles[0].pop(0))
        piles[1].sort()

    return edit


BROKEN: list[tuple[str, Edit, str]] = [
    (REPLACE, lambda p: p.pop("round"), r"expected the keys .*, got missing \['round'\]"),
    (REPLACE, put("winner", 0), r"unknown \['winner'\]"),
    (REPLACE, put("game", "tokken"), r"expected game 'tacocat', got 'tokken'"),
    (REPLACE, put("config", None), r"expected config as an object of options, got None"),
    (REPLACE, put("config", {"ties": 1}), r"expected an option of tacocat .*, got 'ties'"),
    (REPLACE, put("config", {"hand_sizes": [1] * 7}), r"hand_sizes to be 7 whole numbers"),
    (REPLACE, put("config", {"deck_counts": [4] * 2 + [3] * 10}), r"expected the deck \[4, 4, 3"),
    (REPLACE, put("phase", "sleep"), r"expected phase as one of replace, duel, .*, got 'sleep'"),
    (REPLACE, put("to_move", True), r"expected to_move as a whole number 0\.\.1, got True"),
    (REPLACE, put("phase", "over"), r"expected to_move as null in phase 'over', got 0"),
    (REPLACE, put("decisions", 1000), r"at most 999 decisions, got 1000"),
    (REPLACE, put("round", 3), r"at least 8 decisions by round 3, got 0"),
    (REPLACE, move_card(("hands", 0), ("aside", 0)), r"at least 1 decisions with these cards"),
    (REPLACE, put("tacocat", 8), r"one block around the centre"),
    (REPLACE, put("covered", [3]), r"round 2 or later with these tiles, got 1"),
    (REPLACE, put("covered", [4]), r"one block .*, got Tacocat on 4 and tiles on \[4\]"),
    (REPLACE, put("covered", [0]), r"expected covered\[0\] as a whole number 1\.\.7, got 0"),
    (SECOND, put("covered", [5, 4]), r"covered as a list in ascending order, got \[5, 4\]"),
    (REPLACE, put("hands", 1, 0, 13), r"expected hands\[1\]\[0\] as a whole number 1.*, got 13"),
    (REPLACE, put("hands", 1, 0, 12), r"expected hands\[1\] as a list in ascending order"),
    (
        REPLACE,
        lambda p: p["draw_pile"].pop(),
        r"expected the deck .*\(copies of rank 1\.\.12\), got",
    ),
    (
        REPLACE,
        move_card(("draw_pile",), ("hands", 0)),
        r"expected 7 cards per seat .*, got \[8, 7\]",
    ),
    (REPLACE, move_card(("draw_pile",), ("discard", "played", 0)), r"7 cards per seat"),
    (REPLACE, move_card(("hands", 0), ("aside", 1)), r"7 cards per seat"),
    (REPLACE, move_card(("hands", 1), ("aside", 1)), r"nothing set aside by seat 1, got 1"),
    (REPLACE, move_card(("hands", 0), ("discard", "played", 0)), r"no card played in phase"),
    (
        REPLACE,
        move_card(("draw_pile",), ("discard", "replaced", 0)),
        r"nothing turned up by seat 0",
    ),
    (REPLACE, put("discard", {}), r"expected the keys .* in the discard"),
    (REPLACE, put("attack", [5]), r"attack cards in phase 'defend' only, got 1"),
    (REPLACE, put("trick_lost", 1), r"expected trick_lost as true or false, got 1"),
    (REPLACE, put("trick_lost", True), r"trick_lost in phase 'defend' only"),
    (DUEL, put("to_move", 0), r"expected \[0, 0\] cards face down, got \[1, 0\]"),
    (ATTACK, move_card(("hands", 0), ("aside", 0)), r"expected \[0, 0\] cards face down"),
    (ATTACK, move_card(("hands", 0), ("discard", "played", 0)), r"hands of equal size"),
    (DEFEND, put("to_move", 0), r"hands of equal size"),
    (DEFEND, put("attack", []), r"attack cards in phase 'defend' only, got 0"),
    (DEFEND, put("attack", [1, 12]), r"expected attack as a list in descending order"),
]


@pytest.mark.parametrize(
    ("name", "edit", "message"),
    BROKEN,
    ids=[f"{number}-{case[0]}" for number, case in enumerate(BROKEN)],
)
def test_broken_position_is_refused_by_name(name: str, edit: Edit, message: str):
    position = copy.deepcopy(CASES[name])
    TACOCAT.from_position(position)
    edit(position)

    with pytest.raises(PositionError, match=message):
        TACOCAT.from_position(position)


def test_second_replacer_is_bound_by_the_first():
    """The second replacer cannot set aside more than the first.

    [R4.5]
    """
    position = copy.deepcopy(CASES[SECOND])
    seat = position["to_move"]
    allowed = len(position["discard"]["replaced"][1 - seat])
    for _ in range(allowed + 1 - len(position["aside"][seat])):
        move_card(("hands", seat), ("aside", seat))(position)

    with pytest.raises(PositionError, match=f"at most {allowed} cards set aside by seat {seat}"):
        TACOCAT.from_position(position)


def test_no_card_lies_below_an_own_sacrifice():
    """[R5.4]"""
    position = copy.deepcopy(CASES["observe-trick-lost"])
    seat = position["to_move"]
    lost, hand = position["discard"]["sacrificed"][seat], position["hands"][seat]
    lost[-1], hand[0] = hand[0], lost[-1]
    if lost[-1] == hand[0]:
        pytest.fail("expected an example in which the sacrifice lies below the hand")

    with pytest.raises(PositionError, match=f"the highest sacrifice, in the hand of seat {seat}"):
        TACOCAT.from_position({**position, "hands": [sorted(h) for h in position["hands"]]})


@pytest.mark.parametrize("position", [None, 3, "start", [], [1], {}, {1: 2}])
def test_what_is_no_position_at_all(position: Any):
    with pytest.raises(PositionError, match=r"expected the (position as a JSON object|keys)"):
        TACOCAT.from_position(position)


def test_wrong_options_are_a_position_error():
    """Wrong options in a position are a position error.

    It was an OptionsError, which is the caller's mistake and not the position's.
    """
    with pytest.raises(PositionError, match=r"got 'ties', in config \{'ties': 1\}"):
        TACOCAT.from_position({**CASES[REPLACE], "config": {"ties": 1}})


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-2, 40)
    | st.floats(allow_nan=False)
    | st.text("a!*", max_size=2),
    lambda children: (
        st.lists(children, max_size=4) | st.dictionaries(st.text("ab"), children, max_size=2)
    ),
    max_leaves=6,
)


@given(st.sampled_from(sorted(CASES)), st.data())
def test_mutations_are_refused_or_are_positions(name: str, data: st.DataObject):
    """Whatever is put into a position, wherever: never another exception, never a wrong record."""
    position = copy.deepcopy(CASES[name])
    place: Any = position
    while True:
        keys = sorted(place) if isinstance(place, dict) else range(len(place))
        key = data.draw(st.sampled_from(list(keys)))
        if isinstance(place[key], dict | list) and place[key] and data.draw(st.booleans()):
            place = place[key]
            continue
        place[key] = data.draw(JSON | st.integers(1, 12))
        break

    try:
        states = TACOCAT.from_position(position)
    except PositionError:
        return
    assert TACOCAT.position(states, 0) == position
    assert set(faults(position)) <= LENIENT
