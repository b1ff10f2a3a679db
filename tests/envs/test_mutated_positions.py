"""Positions that are nearly right: refused, or good for every move that follows.

Positions of random play are changed at a place or two: a number, a card moved, a flag turned. One
that is accepted must be accepted again after every move and every re-drawing, stay in all spaces
and come to an end.
"""

import copy
import random
from typing import Any

import numpy as np
import pytest
from edits import put

from spelkast.envs import games, spec
from spelkast.envs.engine.chance import drawn, settle
from spelkast.envs.engine.dtypes import OVER
from spelkast.envs.engine.errors import PositionError
from spelkast.envs.engine.spec import GameSpec
from spelkast.envs.engine.streams import new_streams

VARIANTS: dict[str, list[dict[str, Any]]] = {
    "oduludo": [{}, {"mode": "last_piece"}, {"mode": "team", "players": 4}, {"reward": "score"}],
    "tacocat": [{}, {"tie_rule": "arrow"}, {"max_decisions": 40}],
    "toedeloe": [{}, {"players": 4}, {"max_turns": 20}],
    "tokken": [{}, {"teams": False}, {"players": 2}, {"max_decisions": 0}],
}
EXTREME = (0, 1, -1, 2**31 - 1, 2**31 - 2, -(2**31), 100, 2**15)
MOST_DECISIONS = 20_000


class Play:
    """One game, moved at random."""

    def __init__(self, game: GameSpec, states: Any, seed: int) -> None:
        self.game, self.states = game, states
        self.shape = game.shape(game.read_options(states, 0))
        self.streams = new_streams(seed, 1, "chance")
        self.choose = np.random.default_rng(seed)

    def settle(self) -> None:
        settle(self.game, self.states, drawn(self.game, self.states, self.streams))

    @property
    def is_over(self) -> bool:
        return bool(self.game.verbs.to_move(self.states, 0) == OVER)

    def move(self) -> None:
        mask = np.zeros(self.shape.actions, np.int8)
        self.game.verbs.legal_mask(self.states, 0, mask)
        assert mask.any(), "a seat to move without a move"
        self.game.verbs.step(self.states, 0, int(self.choose.choice(mask.nonzero()[0])))
        self.settle()

    def check(self) -> None:
        """Accepted again, in all spaces, and so for all that a seat thinks possible."""
        game, states = self.game, self.states
        position = game.position(states, 0)
        assert game.from_position(position).tobytes() == states.tobytes(), "another record"
        for seat in range(self.shape.seats):
            seen = np.full(self.shape.observation, np.nan, np.float32)
            game.verbs.observe(states, 0, seat, seen)
            for segment, columns in zip(
                game.segments_of(game.read_options(states, 0)),
                game.columns_of(game.read_options(states, 0)).values(),
                strict=True,
            ):
                part = seen[columns.start : columns.stop]
                assert segment.low <= part.min() <= part.max() <= segment.high, segment.name
            other = states.copy()
            game.verbs.determinize(other, 0, seat, self.streams, 0)
            game.from_position(game.position(other, 0))
        whole = np.full(self.shape.state, np.nan, np.float32)
        game.verbs.full_state(states, 0, whole)
        assert -1 <= whole.min() <= whole.max() <= 1
        rewards = np.full(self.shape.seats, np.nan, np.float32)
        game.verbs.returns(states, 0, rewards)
        assert np.isfinite(rewards).all()
        assert not game.zero_sum or abs(float(rewards.sum())) < 1e-3, f"rewards {rewards}"


def some_positions(game: GameSpec, options: dict[str, Any], seed: int, count: int) -> list[Any]:
    """Positions of random games, early and late."""
    found: list[Any] = []
    choose = random.Random(seed)
    while len(found) < count:
        play = Play(game, game.new_states(1, options), choose.randrange(2**31))
        game.verbs.reset(play.states, 0)
        play.settle()
        while not play.is_over and len(found) < count:
            play.move()
            if choose.random() < 0.1:
                found.append(game.position(play.states, 0))
    return found


def leaves(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    items: Any = enumerate(value) if isinstance(value, list) else ()
    if isinstance(value, dict):
        items = value.items()
    inner = [found for key, item in items for found in leaves(item, (*path, key))]
    return [*inner, path] if path and path[0] not in {"game", "config"} else inner


def at(position: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        position = position[key]
    return position


def changed(value: Any, other: Any, choose: random.Random) -> Any:
    """Something near *value*, which is not what it was."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return choose.choice((value + 1, value - 1, other, *EXTREME))
    if isinstance(value, list) and value and choose.random() < 0.7:
        value = list(value)
        kind = choose.randrange(4)
        if kind == 0:
            value.pop(choose.randrange(len(value)))
        elif kind == 1:
            value.append(copy.deepcopy(choose.choice(value)))
        elif kind == 2:
            choose.shuffle(value)
        try:
            return sorted(value)
        except TypeError:
            return value
    if isinstance(value, str) and len(value) > 1 and choose.random() < 0.5:
        cut = choose.randrange(len(value))
        return value[:cut] + value[cut + 1 :]
    return choose.choice((other, None, other))


def mutated(position: Any, others: list[Any], choose: random.Random) -> Any:
    """The position, changed at one to three places; some moves keep the cards together."""
    position = copy.deepcopy(position)
    for _ in range(choose.choice((1, 1, 2, 3))):
        paths = leaves(position)
        path = choose.choice(paths)
        partner = choose.choice(paths)
        one, two = at(position, path), at(position, partner)
        if choose.random() < 0.6 and type(one) is type(two) and isinstance(one, list | str):
            are_apart = path != partner[: len(path)] and partner != path[: len(partner)]
            if len(one) and are_apart:
                exchange(position, path, partner, choose)
            continue
        try:
            other = at(choose.choice(others), path)
        except (KeyError, IndexError, TypeError):
            other = None
        put(*path, changed(one, other, choose))(position)
    return position


def exchange(position: Any, path: Any, partner: Any, choose: random.Random) -> None:
    """Move an item, such as a card, from one list or text to another, and perhaps one back."""
    one, two = at(position, path), at(position, partner)
    k = choose.randrange(len(one))
    moved, back = one[k : k + 1], two[:0]
    if len(two) and choose.random() < 0.7:
        m = choose.randrange(len(two))
        back, two = two[m : m + 1], two[:m] + two[m + 1 :]
    put(*path, ordered(one[:k] + one[k + 1 :] + back))(position)
    put(*partner, ordered(two + moved))(position)


def ordered(items: Any) -> Any:
    try:
        return "".join(sorted(items)) if isinstance(items, str) else sorted(items)
    except TypeError:
        return items


def keeps_its_promises(game: GameSpec, states: Any, seed: int) -> None:
    """An accepted position, and all that follow it in one random game."""
    play = Play(game, states, seed)
    for decision in range(MOST_DECISIONS):
        if decision < 12 or decision % 64 == 0:
            play.check()
        if play.is_over:
            play.check()
            return
        play.move()
    raise AssertionError("no end")


def fuzz(name: str, number: int, seed: int) -> tuple[int, int]:
    """Try *number* mutated positions; returns how many were accepted, and how many refused."""
    game, choose = spec(name), random.Random(seed)
    pools = [
        some_positions(game, options, seed + k, 40) for k, options in enumerate(VARIANTS[name])
    ]
    accepted = 0
    for trial in range(number):
        pool = choose.choice(pools)
        base = choose.choice(pool)
        position = mutated(base, pool, choose)
        if position == base:
            continue
        try:
            states = game.from_position(position)
        except PositionError:
            continue
        accepted += 1
        try:
            keeps_its_promises(game, states, trial)
        except Exception as error:
            raise AssertionError(f"{error!r} after {position}, from {base}") from error
    return accepted, number - accepted


@pytest.mark.compiled
@pytest.mark.parametrize("number", [120, pytest.param(100_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", games())
def test_a_position_nearly_right_is_refused_or_good_to_the_end(name, number):
    accepted, refused = fuzz(name, number, seed=number)
    assert refused > number / 2
    assert accepted or number < 1000
