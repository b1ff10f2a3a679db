"""The worked examples of every game, `cases/positions.json`: data that proves the rules."""

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from games.pig.game import SPEC as PIG
from games.slag.game import SPEC as SLAG
from spelkast.envs import games, spec
from spelkast.envs.engine.aec import GameEnv
from spelkast.envs.engine.errors import PositionError
from spelkast.envs.engine.spec import GameSpec

SPECS = [*map(spec, games()), PIG, SLAG]
RESULTS = Path(__file__).parents[2] / "benchmarks" / "results"
KEYS = {"name", "why", "config", "position", "legal_moves"} | {
    *("move", "chance", "after"),
    *("seat", "observation"),
    *("scores", "timed_out", "score_parts", "action_index"),
}
FEWEST, FEWEST_MEASURED = 5, 40
"""Examples of any game, and of one whose players' strengths are published."""


def examples(game: GameSpec) -> list[dict[str, Any]]:
    text = (game.folder / "cases" / "positions.json").read_text("utf-8")
    found: list[dict[str, Any]] = json.loads(text)
    return found


def cases_with(key: str) -> list[Any]:
    """The examples of all games that have *key*, with names for the report."""
    return [
        pytest.param(game, case, id=f"{game.name}-{case['name']}")
        for game in SPECS
        for case in examples(game)
        if key in case
    ]


def set_up(game: GameSpec, case: dict[str, Any]) -> GameEnv:
    env = GameEnv(game, **case["config"])
    options = {"position": case["position"], "chance": case.get("chance", [])}
    env.reset(seed=1, options=options)
    return env


@pytest.mark.parametrize("game", SPECS, ids=lambda game: game.name)
def test_every_game_has_examples_of_every_kind(game: GameSpec):
    cases = examples(game)

    is_measured = any(RESULTS.glob(f"{game.name}-*.json"))
    assert len(cases) >= (FEWEST_MEASURED if is_measured else FEWEST)
    assert all(set(case) <= KEYS for case in cases)
    assert len({case["name"] for case in cases}) == len(cases)
    for key in ("legal_moves", "move", "observation"):
        assert any(key in case for case in cases), key


@pytest.mark.parametrize(("game", "case"), cases_with("position"))
def test_position_comes_back(game: GameSpec, case: dict[str, Any]):
    """An example's position, set up, is the position that the environment then returns."""
    assert set_up(game, case).position() == case["position"]


def numbers_in(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where whole numbers stand in a nested position."""
    if isinstance(value, dict | list):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for key, item in items:
            yield from numbers_in(item, (*path, key))
    elif isinstance(value, int) and not isinstance(value, bool):
        yield path


@pytest.mark.parametrize("game", SPECS, ids=lambda game: game.name)
def test_whole_number_as_a_float_is_refused(game: GameSpec):
    """A whole number written as a float is refused everywhere.

    Tacocat took the seat 0.0 for 0: a position has one way to be written.
    """
    taken = set()
    for case in examples(game):
        # Options are checked by their model, which turns 4.0 into 4 where 4 is a choice.
        for path in numbers_in({**case["position"], "config": {}}):
            position = copy.deepcopy(case["position"])
            place = position
            for key in path[:-1]:
                place = place[key]
            place[path[-1]] = float(place[path[-1]])
            try:
                game.from_position(position)
            except PositionError:
                continue
            taken.add(path)
    assert not taken


@pytest.mark.parametrize(("game", "case"), cases_with("legal_moves"))
def test_legal_moves(game: GameSpec, case: dict[str, Any]):
    env = set_up(game, case)

    mask = env.observe(env.agent_selection)["action_mask"]

    assert env.legal_moves() == case["legal_moves"]
    for move, action in case.get("action_index", {}).items():
        assert (env.move_to_action(move), env.action_to_move(action)) == (action, move)
    assert sorted(map(env.action_to_move, np.flatnonzero(mask).tolist())) == case["legal_moves"]


@pytest.mark.parametrize(("game", "case"), cases_with("move"))
def test_move(game: GameSpec, case: dict[str, Any]):
    """The move, with the chance outcomes listed, leads to what stands in `after`."""
    env = set_up(game, case)

    env.step(env.move_to_action(case["move"]))

    assert env.chance_log() == case["chance"]
    known = {**env.position(), "rewards": pytest.approx(list(env.rewards.values()))}
    assert {key: known[key] for key in case["after"]} == case["after"]
    is_over = known["to_move"] is None
    ends = [*env.terminations.values()], [*env.truncations.values()]
    assert any(all(flags) for flags in ends) == is_over
    if "scores" in case:
        assert env.infos["player_0"]["scores"] == case["scores"]
    for parts, wanted in zip(
        env.infos["player_0"].get("score_parts", ()), case.get("score_parts", ()), strict=False
    ):
        assert wanted.items() <= parts.items()
    if "timed_out" in case:
        # A limit that scores is an end by the rules, and the infos distinguish it from a win.
        assert env.infos["player_0"].get("timed_out", all(ends[1])) == case["timed_out"]


@pytest.mark.parametrize(("game", "case"), cases_with("observation"))
def test_observation(game: GameSpec, case: dict[str, Any]):
    """The numbers listed are what the seat sees; all others are 0."""
    env = set_up(game, case)
    wanted = np.zeros(game.shape(env.options).observation)
    for index, value in case["observation"].items():
        wanted[int(index)] = value

    seen = env.observe(f"player_{case['seat']}")["observation"]

    np.testing.assert_allclose(seen, wanted, atol=1e-6)
