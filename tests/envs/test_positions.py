"""Whatever is put into a position of any game, wherever: a `PositionError`, or a position."""

import copy
import json
from collections.abc import Iterator
from typing import Any

import fastjsonschema
import numpy as np
import pytest

from games.pig.game import SPEC as PIG
from games.slag.game import SPEC as SLAG
from spelkast.envs import games, spec
from spelkast.envs.engine.errors import PositionError
from spelkast.envs.engine.spec import GameSpec

SPECS = [*map(spec, games()), PIG, SLAG]
HUGE = 10**30
DEEP: Any = []
for _ in range(300):
    DEEP = [DEEP]


def examples(game: GameSpec) -> list[Any]:
    text = (game.folder / "cases" / "positions.json").read_text("utf-8")
    return list(json.loads(text))


def positions(game: GameSpec) -> list[Any]:
    """The last worked example of each phase."""
    by_kind = {case["position"].get("phase"): case["position"] for case in examples(game)}
    return list(by_kind.values())


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths to the values in a nested position; of a list to its first and its last."""
    if path:
        yield path
    keys = list(value) if isinstance(value, dict) else []
    if isinstance(value, list) and value:
        keys = sorted({0, len(value) - 1})
    for key in keys:
        yield from places(value[key], (*path, key))


def replacements(value: Any) -> Iterator[Any]:
    """What a value is replaced by: the same in other types, and what is wrong almost anywhere."""
    yield from (True, 1, -1, 1.0, HUGE, -HUGE, None, "", "?", [], {}, DEEP, [value], {"a": value})
    yield from (np.float64(1), np.array([value], dtype=object), {1, 2}, b"", object())
    if isinstance(value, bool):
        yield from (int(value), np.bool_(value))
    elif isinstance(value, int):
        yield from (float(value), np.int64(value), np.array(value), value + 2**16, value + 2**32)
    elif isinstance(value, list):
        yield from (tuple(value), value + value, value[:1] * 70_000, value[1:])
    elif isinstance(value, str):
        yield from (np.str_(value), value.encode(), value + value, [*value])
    elif isinstance(value, dict):
        yield from ({**value, "?": 1}, {**value, 1: 1}, dict(list(value.items())[1:]))


def with_value(position: Any, path: tuple[Any, ...], value: Any) -> Any:
    """A copy of the position with another value at the path."""
    key, *rest = path
    changed = copy.copy(position)
    changed[key] = with_value(position[key], tuple(rest), value) if rest else value
    return changed


def as_json(value: Any) -> Any:
    """What NumPy holds, and tuples, as plain JSON."""
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    if isinstance(value, dict):
        return {key: as_json(item) for key, item in value.items()}
    return [as_json(item) for item in value] if isinstance(value, list | tuple) else value


@pytest.mark.parametrize("game", SPECS, ids=lambda game: game.name)
def test_schema_of_a_position(game: GameSpec, golden):
    """cases/position.schema.json says what a position under any options looks like."""
    text = json.dumps(game.position_schema(), indent=1) + "\n"

    golden(game.folder / "cases" / "position.schema.json", text)


@pytest.mark.parametrize("game", SPECS, ids=lambda game: game.name)
def test_worked_examples_keep_the_schema_of_their_options(game: GameSpec):
    check = fastjsonschema.compile(game.position_schema())
    by_options: dict[str, Any] = {}
    for case in examples(game):
        position = case["position"]
        key = json.dumps(position["config"])
        if key not in by_options:
            by_options[key] = fastjsonschema.compile(game.position_schema(position["config"]))

        check(position)
        by_options[key](position)


@pytest.mark.parametrize("game", SPECS, ids=lambda game: game.name)
def test_every_value_replaced_is_refused_or_comes_back(game: GameSpec):
    """Tacocat took the seat 0.0 for 0, and 65,536 cards more in a hand for none."""
    check = fastjsonschema.compile(game.position_schema())
    for position in positions(game):
        for path in places(position):
            value = position
            for key in path:
                value = value[key]
            for other in replacements(value):
                changed = with_value(position, path, other)
                try:
                    states = game.from_position(changed)
                except PositionError:
                    continue
                found, wanted = game.position(states, 0), as_json(changed)
                assert not isinstance(other, float), (path, other)
                assert found.pop("config") == game.read_options(states, 0).changed()
                check(wanted)
                wanted.pop("config")
                assert json.dumps(found) == json.dumps(wanted), (path, other)
