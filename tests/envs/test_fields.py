"""A game states each field once: what follows from it, and which statements are refused."""

from collections.abc import Callable
from typing import Any, Literal

import numpy as np
import pytest
from pydantic import Field

from spelkast.envs.engine.codecs import (
    At,
    Codec,
    bits,
    choice,
    copies,
    counter,
    each,
    flag,
    letters,
    marks,
    mover,
    named,
    nullable,
    number,
    seat,
    until_over,
)
from spelkast.envs.engine.errors import FieldsError, PositionError
from spelkast.envs.engine.fields import Fields, Hook, field, option, part
from spelkast.envs.engine.options import Options


class FewOptions(Options):
    """One option of each kind."""

    players: Literal[2, 4] = 2
    """seats"""
    is_short: bool | None = None
    """whether the game is short"""
    rule: Literal["soft", "hard"] = "soft"
    """which rule holds"""
    goal: int = Field(default=5, ge=1, le=100_000)
    """points that win"""


OPTIONS = (option("players"), option("is_short"), option("rule"), option("goal"))


def players(options: Any) -> int:
    return int(options.players)


FIELDS = Fields(
    "few",
    FewOptions,
    *OPTIONS,
    field("phase", choice(("play", "over")), "what is due"),
    field("mover", mover(4, seats=players), "seat to move", key="to_move"),
    field("hands", each(copies(number(1, 3), most=2), 4, count=players), "ranks, by seat"),
    field("words", number(0, 2**40), "wide", key=None),
    field(
        "half", number(0, 1), "follows from the options", of=lambda options: options.players // 2
    ),
    field("table", number(0, 1), "two places", shape=(2, 4), key=None),
    part("table.left", each(marks(choice("ab")), 2), "letters, by side", of="table", at=0),
    part("table.right", each(marks(choice("cd")), 2), "letters, by side", of="table", at=2),
)
POSITION = {
    "game": "few",
    "config": {"players": 4, "goal": 70_000},
    "phase": "play",
    "to_move": 3,
    "hands": [[1, 2, 2], [], [3], []],
    "table": {"left": [["a"], ["a", "b"]], "right": [[], ["d"]]},
}


def test_position_goes_through_the_record_and_back():
    states = FIELDS.from_position(POSITION)

    assert FIELDS.position(states, 0) == POSITION
    assert states["hands"][0].tolist() == [[1, 2, 0], [0, 0, 0], [0, 0, 1], [0, 0, 0]]
    assert states["table"][0].tolist() == [[1, 0, 0, 0], [1, 1, 0, 1]]
    assert (states["players"][0], states["is_short"][0], states["half"][0]) == (4, -1, 2)
    assert FIELDS.read_options(states, 0) == FewOptions(players=4, goal=70_000)


def test_record_has_no_gaps_and_narrow_fields():
    """A record has no gaps, and each field is as wide as its range needs."""
    record = FIELDS.record
    names = record.names or ()

    assert sum(record[name].itemsize for name in names) == record.itemsize
    assert record.itemsize % 8 == 0
    assert {name: record[name].base for name in ("words", "goal", "players")} == {
        "words": np.int64,
        "goal": np.int32,
        "players": np.int16,
    }
    assert names[0] == "words"


def test_bounds_are_those_of_the_codec():
    assert (FIELDS.low("hands"), FIELDS.high("hands")) == (0, 2)
    assert (FIELDS.low("is_short"), FIELDS.high("is_short")) == (-1, 1)


def test_schema_follows_the_options():
    hands, under_four = (
        FIELDS.schema(options)["properties"]["hands"] for options in (None, FewOptions(players=4))
    )

    assert (hands["minItems"], hands["maxItems"]) == (0, 4)
    assert (under_four["minItems"], under_four["maxItems"]) == (4, 4)
    assert under_four["items"]["items"] == {"type": "integer", "minimum": 1, "maximum": 3}


# Values ------------------------------------------------------------------------------------------

BAD: list[tuple[Codec, Any, str]] = [
    (number(1, 12), True, "as a whole number 1..12, got True"),
    (number(1, 12), 3.0, "as a whole number 1..12, got 3.0"),
    (number(1, 12), np.float64(3), "as a whole number 1..12, got 3.0"),
    (number(1, 12), np.array([3]), r"as a whole number 1..12, got [3]"),
    (number(1, 12), 2**16 + 1, "as a whole number 1..12, got 65537"),
    (number(1, 12), 10**5000, "as a whole number 1..12, got int too long to show"),
    (seat(4, seats=players), 2, "as a whole number 0..1, got 2"),
    (counter(), 2**31, "as a whole number 0..2147483647, got 2147483648"),
    (flag(), 1, "as true or false, got 1"),
    (flag(), np.int64(1), "as true or false, got 1"),
    (choice(("play", "over")), ["play"], "as one of play, over, got ['play']"),
    (choice(("play", "over")), {}, "as one of play, over, got {}"),
    (choice(range(60)), 60, "as one of 0, 1, 2, ..., 59, got 60"),
    (choice((0, 1)), False, "as one of 0, 1, got False"),
    (choice((0, 1)), 1.0, "as one of 0, 1, got 1.0"),
    (named({"in": 1, "out": -1}), "off", "as one of in, out, got 'off'"),
    (nullable(choice("ab")), "c", "as null or one of a, b, got 'c'"),
    (mover(2), None, "as a whole number 0..1, got None"),
    (until_over(number(1, 6), 0), None, "as a whole number 1..6, got None"),
    (each(number(0, 1), 2), "01", "as a list of 2, got '01'"),
    (each(number(0, 1), 2), [0], "as a list of 2, got [0]"),
    (each(each(number(0, 1), 2), 2), [[0, 1], [0, 2]], "here[1][1] as a whole number 0..1, got 2"),
    (each(flag(), 4, count=players), [True] * 4, "as a list of 2, got [True, True, True, True]"),
    (copies(number(1, 12), most=6), [3, 2], "as a list in ascending order, got [3, 2]"),
    (copies(number(1, 12), most=6), [2, 2.0], "here[1] as a whole number 1..12, got 2.0"),
    (copies(number(1, 3), most=2, descending=True), [1, 2], "as a list in descending order"),
    (copies(number(1, 3), most=2), [1] * 65_537, "as a list of at most 6, got [1, 1,"),
    (copies(number(1, 3), most=2), [1, 1, 1], "as items of which none more than 2 times"),
    (copies(number(1, 3), most=2), "12", "as a list, got '12'"),
    (letters("A2J", most=4), ["A"], "as a text, got ['A']"),
    (letters("A2J", most=4), "JA", "as a text in the order A, 2, J, got 'JA'"),
    (letters("A2J", most=4), "A3", "here[1] as one of A, 2, J, got '3'"),
    (marks(number(1, 7), 9), [0], "here[0] as a whole number 1..7, got 0"),
    (marks(number(1, 7), 9), [2, 2], "as items of which none twice, got [2, 2]"),
    (bits(("K", "Q")), ["Q", "K"], "as a list in the order K, Q, got ['Q', 'K']"),
]


@pytest.mark.parametrize(("codec", "value", "message"), BAD, ids=range(len(BAD)))
def test_wrong_value_is_refused_with_its_place(codec: Codec, value: Any, message: str):
    with pytest.raises(PositionError) as error:
        codec.from_json(value, At("here", FewOptions()))

    assert message in str(error.value)
    assert str(error.value).startswith("expected here")


GOOD: list[tuple[Codec, Any, Any]] = [
    (number(-3, 3), np.int8(-3), -3),
    (number(0, 3), np.array(3), 3),
    (flag(), np.bool_(True), 1),  # noqa: FBT003
    (choice("ab"), np.str_("b"), 1),
    (nullable(choice("ab")), None, -1),
    (each(number(0, 5), 4, count=players, fill=-1), np.array([4, 5]), [4, 5, -1, -1]),
    (copies(number(1, 3), most=2, descending=True), (3, 1, 1), [2, 0, 1]),
    (letters("A2J", most=4), "AAJ", [2, 0, 1]),
    (marks(number(1, 3), 5), [1, 3], [0, 1, 0, 1, 0]),
    (bits(("K", "Q", "S")), ["K", "S"], 5),
]


@pytest.mark.parametrize(("codec", "value", "stored"), GOOD, ids=range(len(GOOD)))
def test_value_is_stored_and_comes_back(codec: Codec, value: Any, stored: Any):
    """What NumPy holds is taken like Python's own."""
    found = codec.from_json(value, At("here", FewOptions()))

    assert found == stored
    assert np.array_equal(codec.to_json(found, FewOptions()), value)
    assert np.shape(found) == codec.shape
    assert codec.low <= np.min(found) <= np.max(found) <= codec.high


@pytest.mark.parametrize("is_over", [False, True])
def test_null_that_does_not_depend_on_the_phase(is_over: bool):  # noqa: FBT001
    assert nullable(flag()).from_json(None, At("here", is_over=is_over)) == -1


def test_null_stands_in_the_phase_over_only():
    """Null stands in the phase over, and nowhere else."""
    over = {**POSITION, "phase": "over"}

    assert FIELDS.from_position({**over, "to_move": None})["mover"][0] == -2
    with pytest.raises(PositionError, match="expected to_move as null in phase 'over', got 3"):
        FIELDS.from_position(over)
    with pytest.raises(PositionError, match=r"expected to_move as a whole number 0\.\.3, got None"):
        FIELDS.from_position({**POSITION, "to_move": None})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"table": {"left": []}}, r"keys left, right in the table, got missing \['right'\]"),
        ({"table": 3}, "expected the table as a JSON object, got 3"),
        ({"config": {"players": 2.0}}, "'players' of few: expected a whole number, got 2.0"),
        ({"game": ["few"]}, r"expected game 'few', got \['few'\]"),
        ({"more": 1}, r"unknown \['more'\]"),
        ({"half": 1}, r"unknown \['half'\]"),
    ],
)
def test_wrong_objects_are_refused(change: dict[str, Any], message: str):
    with pytest.raises(PositionError, match=message):
        FIELDS.from_position({**POSITION, **change})


def test_option_without_a_line_is_a_field_of_its_name():
    """In the order of the model; a line of its own only changes its field."""
    names = Fields("few", FewOptions, option("rule", field="is_hard")).record.names or ()

    assert [name for name in names if name != "filler"] == [
        "goal",
        "players",
        "is_short",
        "is_hard",
    ]


# Statements that contradict themselves -----------------------------------------------------------


def table(*entries: Any) -> Fields:
    return Fields("few", FewOptions, *OPTIONS, *entries)


two = field("two", number(0, 1), "", shape=(2,), key=None)

CONTRADICTIONS: list[tuple[Callable[[], Any], str]] = [
    (lambda: table(two, two), "expected one field called 'two', got two"),
    (lambda: table(field("goal", flag(), "")), "expected one field called 'goal', got two"),
    (
        lambda: table(field("a", flag(), ""), field("b", flag(), "", key="a")),
        "expected one meaning of the key 'a', got two",
    ),
    (lambda: table(field("config", flag(), "")), "expected one meaning of the key 'config'"),
    (
        lambda: table(field("a", flag(), ""), field("b", flag(), "", key="a.b")),
        r"expected one meaning of the key 'a\.b', got two",
    ),
    (
        lambda: table(field("big", number(0, 2**15), "", dtype=np.int16)),
        r"range of the field 'big' within int16, got 0\.\.32768",
    ),
    (lambda: table(field("big", number(0, 2**63), "")), "range of the field 'big' within int64"),
    (lambda: table(field("odd", number(3, 2), "")), r"got 3\.\.2, in the field 'odd'"),
    (
        lambda: table(field("null", nullable(number(-1, 4)), "")),
        "outside of what it stands beside, got -1, in the field 'null'",
    ),
    (
        lambda: table(field("marks", marks(number(1, 7), 7), "")),
        r"expected values 0\.\.6, got 1\.\.7, in the field 'marks'",
    ),
    (
        lambda: table(field("names", named({"a": 1, "b": 1}), "")),
        "a number of its own for each name, .* in the field 'names'",
    ),
    (lambda: table(option("gaol")), r"an option of FewOptions \(players, .*\), got 'gaol'"),
    (
        lambda: table(option("goal", number(1, 9), field="again")),
        "one field for the option 'goal', got two",
    ),
    (
        lambda: Fields("few", FewOptions, *OPTIONS[:-1], option("goal", number(6, 9))),
        r"expected goal as a whole number 6\.\.9, got 5",
    ),
    (
        lambda: Fields(
            "few",
            FewOptions,
            *OPTIONS[:-1],
            option("goal", number(0, 9), write=lambda goal: goal + 1, read=lambda stored: stored),
        ),
        "expected the default 5 of 'goal' back from its field, got 6",
    ),
    (
        lambda: table(two, part("a", number(0, 1), "", of="two", at=0)),
        r"expected the key 'a' within the shape \(2,\) .* of the field 'two'",
    ),
    (
        lambda: table(two, part("a", each(number(0, 1), 2), "", of="two", at=1)),
        r"expected the key 'a' within the shape \(2,\) .* of the field 'two'",
    ),
    (
        lambda: table(two, part("a", each(number(0, 2), 2), "", of="two", at=0)),
        r"and the range 0\.\.1 of the field 'two', got .* 0\.\.2",
    ),
    (
        lambda: table(part("a", each(number(0, 1), 2), "", of="three", at=0)),
        "expected a field 'three' for the key 'a'",
    ),
    (
        lambda: table(
            two,
            part("a", each(number(0, 1), 2), "", of="two", at=0),
            part("b", each(number(0, 1), 1), "", of="two", at=1),
        ),
        "one key for each column of the field 'two', got 'b' and another for column 1",
    ),
    (
        lambda: table(Hook("a", "", max, print, {}), field("a", flag(), "")),
        "expected one meaning of the key 'a', got two",
    ),
]


@pytest.mark.parametrize(("statement", "message"), CONTRADICTIONS, ids=range(len(CONTRADICTIONS)))
def test_statement_that_contradicts_itself_is_refused(statement: Callable[[], Any], message: str):
    with pytest.raises(FieldsError, match=message):
        statement()


def test_option_of_another_type_needs_a_codec():
    class Free(Options):
        size: int = 3
        """without bounds"""

    with pytest.raises(
        FieldsError, match=r"expected a codec for the option 'size': its type .*int"
    ):
        Fields("free", Free, option("size"))


def test_nullable_field_may_be_null_at_the_end():
    """ToedeLoe's square was refused as null in the phase "over"."""
    assert nullable(number(1, 6)).from_json(None, At("square", is_over=True)) == -1
