"""The games that a contract is checked on: played at random with the verbs alone, and kept."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from ..chance import drawn, settle
from ..dtypes import CHANCE, OVER, Floats, Json, Mask, States, Streams
from ..errors import ContractError
from ..jit import announced
from ..spec import GameSpec
from ..streams import new_streams

MOST_DECISIONS = 100_000
MOST_OUTCOMES = 10_000
"""More of them in one game, or after one move, count as a game that never ends."""

GARBAGE = 7
"""What output arrays hold before a verb writes them: a verb writes every entry."""


@dataclass(frozen=True, kw_only=True)
class Moment:
    """A position of a sampled game: a decision, a chance event or the end."""

    spec: GameSpec
    game: int
    ply: int
    """decisions made before it"""
    states: States
    """the record, `[1]`"""
    mover: int
    """the seat to move, `CHANCE` or `OVER`"""
    last_move: str | None = None
    action: int = -1
    """what was played here; -1 if nobody decides"""
    outcomes: tuple[int, ...] = ()
    """the chance that followed the move"""

    @cached_property
    def position(self) -> Json:
        """The position as JSON; nobody may change it."""
        return self.spec.position(self.states, 0)

    def __str__(self) -> str:
        """Where it is, as the end of an error message."""
        after = f" after {self.last_move}" if self.last_move else ""
        return f", in game {self.game} at decision {self.ply}{after}, position {self.position}"


@dataclass(frozen=True, kw_only=True)
class Game:
    """A sampled game."""

    seed: int
    setup: tuple[int, ...]
    """the chance outcomes of the set-up"""
    plies: list[Moment]
    """the decisions"""
    chances: list[Moment]
    """the positions in which chance was due"""
    end: Moment


class Sample:
    """A game under given options, and random games of it, played when first needed."""

    def __init__(self, spec: GameSpec, options: Any, *, games: int, seed: int) -> None:
        self.spec = spec
        self.options = options
        self.seed = seed
        self.shape = spec.shape(options)
        self.num_games = games
        self.redrawn = [0] * self.shape.seats

    @cached_property
    def games(self) -> list[Game]:
        """The games; that of number g has the seed `seed + g`."""
        with announced(self.spec.title):
            self._play(0)
        return [self._play(number) for number in range(self.num_games)]

    def moments(self, limit: int) -> list[Moment]:
        """At most *limit* decisions and ends, spread evenly over the games."""
        return _thinned([m for game in self.games for m in (*game.plies, game.end)], limit)

    def decisions(self, limit: int) -> list[Moment]:
        """At most *limit* decisions, spread evenly over the games."""
        return _thinned([m for game in self.games for m in game.plies], limit)

    def chances(self, limit: int) -> list[Moment]:
        """At most *limit* chance events, spread evenly over the games."""
        return _thinned([m for game in self.games for m in game.chances], limit)

    def random(self, purpose: int) -> np.random.Generator:
        """A generator of the check's own choices; every *purpose* has one of its own."""
        return np.random.default_rng((self.seed, purpose))

    def streams(self) -> Streams:
        """One stream of re-drawn or replayed chance."""
        return new_streams((self.seed, 1), 1, "determinize")

    # The verbs, with fresh output arrays ---------------------------------------------------------

    def mask(self, states: States, i: int = 0) -> Mask:
        """The legal mask of row *i*."""
        mask = np.full(self.shape.actions, GARBAGE, np.int8)
        self.spec.verbs.legal_mask(states, i, mask)
        return mask

    def observation(self, states: States, seat: int) -> Floats:
        """What *seat* sees of row 0."""
        out = np.full(self.shape.observation, GARBAGE, np.float32)
        self.spec.verbs.observe(states, 0, seat, out)
        return out

    def returns(self, states: States) -> Floats:
        """The rewards of row 0, were it the end."""
        out = np.full(self.shape.seats, GARBAGE, np.float32)
        self.spec.verbs.returns(states, 0, out)
        return out

    def weights(self, states: States) -> np.ndarray[Any, np.dtype[np.int64]]:
        """The weights of the chance event that is due."""
        weights = np.full(self.shape.outcomes, GARBAGE, np.int64)
        self.spec.verbs.chance_weights(states, 0, weights)
        return weights

    def after(self, states: States, action: int) -> States:
        """The record after *action*, chance not yet drawn."""
        played = states.copy()
        self.spec.verbs.step(played, 0, action)
        return played

    def drawn(self, states: States, *outcomes: int) -> States:
        """The record after the outcomes of chance."""
        played = states.copy()
        for outcome in outcomes:
            self.spec.verbs.step_chance(played, 0, outcome)
        return played

    def redraw(self, states: States, seat: int, streams: Streams) -> States:
        """The record with what *seat* cannot know drawn again."""
        redrawn = states.copy()
        self.spec.verbs.determinize(redrawn, 0, seat, streams, 0)
        return redrawn

    def script(self, states: States, outcomes: Iterable[int]) -> list[str]:
        """The outcomes as text."""
        return [self.spec.outcome_to_text(states, 0, outcome) for outcome in outcomes]

    def settle(self, states: States, streams: Streams) -> int:
        """Draw what chance is due in row 0; returns who is to move."""
        scratch = np.zeros(self.shape.outcomes, np.int64)
        return self.spec.loops.settle(states, 0, streams, 0, scratch)

    # Playing ------------------------------------------------------------------------------------

    def _play(self, number: int) -> Game:
        """One random game; its chance is that of an environment with the same seed."""
        spec, seed = self.spec, self.seed + number
        streams, choose = new_streams(seed, 1, "chance"), self.random(number)
        states = spec.new_states(1, self.options)
        spec.verbs.reset(states, 0)
        here = Moment(spec=spec, game=number, ply=0, states=states, mover=CHANCE)
        plies: list[Moment] = []
        chances: list[Moment] = []
        setup = self._draw(here, streams, chances)
        while (mover := int(spec.verbs.to_move(states, 0))) != OVER:
            decision = replace(here, states=states.copy(), mover=mover)
            action = self._choose(decision, choose)
            last_move = spec.action_to_move(states, 0, action)
            spec.verbs.step(states, 0, action)
            here = replace(here, ply=here.ply + 1, last_move=last_move)
            outcomes = self._draw(here, streams, chances)
            plies.append(replace(decision, action=action, outcomes=outcomes))
        end = replace(here, mover=OVER)
        return Game(seed=seed, setup=setup, plies=plies, chances=chances, end=end)

    def _choose(self, decision: Moment, choose: np.random.Generator) -> int:
        mover, ply = decision.mover, decision.ply
        expect(0 <= mover < self.shape.seats, "to_move as a seat, CHANCE or OVER", mover, decision)
        expect(ply < MOST_DECISIONS, "the game to end", f"{ply} decisions", decision)
        legal = self.mask(decision.states).nonzero()[0]
        expect(legal.size, "a legal action at every decision", "none", decision)
        return int(legal[choose.integers(legal.size)])

    def _draw(self, here: Moment, streams: Streams, chances: list[Moment]) -> tuple[int, ...]:
        states, before = here.states, len(chances)
        draw = drawn(self.spec, states, streams)

        def choose() -> int:
            count = len(chances) - before
            expect(count < MOST_OUTCOMES, "chance to come to an end", count, here)
            expect(self.weights(states).sum() > 0, "a chance outcome with a weight", "none", here)
            chances.append(replace(here, states=states.copy(), mover=CHANCE))
            return draw()

        return tuple(settle(self.spec, states, choose)[0])


def expect(holds: object, expected: object, got: object, where: object = "") -> None:
    """Raise `ContractError` unless *holds*; the texts are only made if they are needed."""
    if not holds:
        raise ContractError(f"expected {expected}, got {got}{where}")


def expect_raised(error: type[Exception], call: Callable[[], object], where: object) -> None:
    """*call* raises *error*, with a message."""
    try:
        got = call()
    except error as caught:
        expect(str(caught), f"a message in {error.__name__}", "none", where)
        return
    raise ContractError(f"expected {error.__name__}, got no exception but {got!r}{where}")


def _thinned(moments: list[Moment], limit: int) -> list[Moment]:
    if len(moments) <= limit:
        return moments
    picks = np.linspace(0, len(moments) - 1, limit).round().astype(int)
    return [moments[pick] for pick in picks]
