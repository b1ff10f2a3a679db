"""Games in which a learner sits on one seat of each row and opponents on the others.

Between two decisions of the learner everybody else moves; the learner sees a game from its own
seat only, and gets every reward, whoever's move brought it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ..agents.agent import Agent, views_of
from ..envs.engine.batch import Batch
from ..envs.engine.dtypes import Actions, Floats
from ..envs.engine.errors import OptionsError
from ..envs.engine.spec import GameSpec, Options
from ..envs.engine.streams import new_streams
from .kernels import FORCED, draw_units, find_pending

LEARNER = -2
"""The learner's own place in the cast of a row."""


class Company(Protocol):
    """Who there is to play against."""

    def draw(self, units: NDArray[np.float64]) -> Actions:
        """An opponent for each row of two random numbers."""

    def agent(self, who: int) -> Agent:
        """The agent of an opponent."""

    def credit(self, who: int, points: float) -> None:
        """The learner scored 1, 1/2 or 0 points against an opponent."""


@dataclass(frozen=True, kw_only=True)
class Finished:
    """A game of the learner that ended in the last step."""

    row: int
    seat: int
    """the learner's"""
    opponents: tuple[int, ...]
    """who sat on the other seats, by seat"""
    points: float
    """1 won, 1/2 drawn, 0 lost, for the learner"""
    result: float
    """the game's own reward for the learner, without shaping"""
    reward: float
    """all rewards of the game, shaping included"""
    length: int
    """decisions of the learner"""
    terminal_observation: Floats
    """the end as the learner's seat saw it, `[D]`"""


@dataclass(slots=True)
class Clock:
    """Seconds spent in the games themselves and in asking opponents."""

    environment: float = 0.0
    opponents: float = 0.0
    """random and heuristics"""
    networks: float = 0.0
    """latest and past selves"""


class SelfPlay:
    """N rows of games, each always waiting for a decision of its learner."""

    def __init__(
        self,
        spec: GameSpec,
        size: int,
        company: Company | None = None,
        *,
        options: Mapping[str, Any] | Options | None = None,
        seed: int = 0,
        skip_forced: bool = True,
        shaping: Mapping[str, float] | None = None,
    ) -> None:
        """Make *size* rows; the company may come later, but before `reset`.

        Args:
            spec: the game.
            size: games side by side.
            company: who there is to play against.
            options: options of the game.
            seed: root of chance, seats, opponents and their choices.
            skip_forced: play the learner's only legal action without asking.
            shaping: extra reward for each change of a named segment of the observation.
        """
        self.batch = Batch(spec, size, options=options, seed=seed)
        self._company = company
        self.skip_forced = skip_forced
        self.num_seats = self.batch.shape.seats
        self.columns, self.weights = shaping_columns(spec, shaping or {}, self.batch.options)
        self.draws = new_streams(seed, size, "learner")
        self.choices = new_streams(seed, size, "agents")
        self.redraws = new_streams(seed, size, "determinize")
        self.seats: Actions = np.arange(size, dtype=np.int32) % self.num_seats
        self.cast: Actions = np.full((size, self.num_seats), LEARNER, np.int32)
        self.rewards: Floats = np.zeros(size, np.float32)
        self.dones: NDArray[np.bool_] = np.zeros(size, np.bool_)
        self.potential: Floats = np.zeros(size, np.float32)
        self.reward_sums = np.zeros(size)
        self.lengths: Actions = np.zeros(size, np.int32)
        self.finished: list[Finished] = []
        self.clock = Clock()
        self._pending, self._asked, self._forced = np.zeros((3, size), np.int32)

    @property
    def company(self) -> Company:
        """Who there is to play against."""
        if self._company is None:
            raise ValueError("expected a company to play against, got none")
        return self._company

    @company.setter
    def company(self, company: Company) -> None:
        self._company = company

    def reset(self) -> None:
        """Start all games anew and play up to each learner's first decision."""
        rows = self.batch.all_rows
        self.batch.reset()
        self._seat_opponents(rows)
        self.dones[:] = True  # a game that ends before the learner's first decision is not his
        self._play_on(rows)
        self.potential[:] = self._potential(self.batch.observations)
        self.lengths[:] = 0
        self.reward_sums[:] = 0.0
        self.finished = []

    def step(self, actions: Actions) -> None:
        """Play the learners' *actions* `[N]`, then everybody else up to the next decisions.

        Writes `rewards`, `dones` and `finished`.
        """
        start = perf_counter()
        asked_before = self.clock.opponents + self.clock.networks
        rows = self.batch.all_rows
        self.rewards[:] = 0.0
        self.dones[:] = False
        self.finished = []
        self.lengths += 1
        self.batch.step(actions)
        self._close(rows)
        self._play_on(rows)
        self._shape()
        asked = self.clock.opponents + self.clock.networks - asked_before
        self.clock.environment += perf_counter() - start - asked

    def state(self) -> dict[str, NDArray[Any]]:
        """All that a continued run needs, as copies."""
        return {name: array.copy() for name, array in self._arrays().items()}

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Continue from a `state`."""
        for name, array in self._arrays().items():
            array[...] = state[name]
        self.batch.refresh()
        self.finished = []

    def _arrays(self) -> dict[str, NDArray[Any]]:
        return {
            "states": self.batch.states,
            "chance": self.batch.streams,
            "draws": self.draws,
            "choices": self.choices,
            "redraws": self.redraws,
            "seats": self.seats,
            "cast": self.cast,
            "potential": self.potential,
            "reward_sums": self.reward_sums,
            "lengths": self.lengths,
        }

    def _play_on(self, rows: Actions) -> None:
        batch = self.batch
        while True:
            count = find_pending(
                rows, batch.seats, self.seats, batch.masks, self.cast, self.skip_forced,
                self._pending, self._asked, self._forced,
            )  # fmt: skip
            if count == 0:
                return
            rows = self._pending[:count].copy()
            asked, actions = self._asked[:count], self._forced[:count]
            for who in np.unique(asked):
                if who != FORCED:
                    chosen = asked == who
                    actions[chosen] = self._ask(int(who), rows[chosen])
            batch.step(actions, rows)
            self._close(rows)

    def _ask(self, who: int, rows: Actions) -> Actions:
        start = perf_counter()
        agent = self.company.agent(who)
        choices = self.choices[rows]
        views = views_of(self.batch, rows, self.redraws if agent.needs_states else None)
        actions = agent.act(views, choices)
        self.choices[rows] = choices
        seconds = perf_counter() - start
        if getattr(agent, "is_network", False):
            self.clock.networks += seconds
        else:
            self.clock.opponents += seconds
        return actions

    def _close(self, rows: Actions) -> None:
        """Settle the games that ended in *rows*; the batch has begun new ones there."""
        ended = rows[self.batch.ended[rows] != 0]
        if ended.size == 0:
            return
        for row in ended.tolist():
            # A second game that ends in one step never saw a decision of the learner.
            if not self.dones[row]:
                self._finish(row)
        self.seats[ended] = (self.seats[ended] + 1) % self.num_seats
        self._seat_opponents(ended)

    def _finish(self, row: int) -> None:
        batch, seat = self.batch, int(self.seats[row])
        result = float(batch.rewards[row, seat])
        view = np.zeros(batch.shape.observation, np.float32)
        batch.spec.verbs.observe(batch.finals, row, seat, view)
        gain = float(self._potential(view[None])[0] - self.potential[row])
        points = 0.5 + 0.5 * float(np.sign(result))
        opponents = tuple(int(who) for who in self.cast[row] if who != LEARNER)
        self.rewards[row] = result + gain
        self.dones[row] = True
        self.finished.append(
            Finished(
                row=row,
                seat=seat,
                opponents=opponents,
                points=points,
                result=result,
                reward=float(self.reward_sums[row]) + result + gain,
                length=int(self.lengths[row]),
                terminal_observation=view,
            )
        )
        self.reward_sums[row] = 0.0
        self.lengths[row] = 0
        for who in set(opponents):
            self.company.credit(who, points)

    def _seat_opponents(self, rows: Actions) -> None:
        """Draw who plays in new games; it stays so to their end."""
        units = np.zeros((rows.size, 2 * (self.num_seats - 1)))
        draw_units(self.draws, rows, units)
        for k in range(self.num_seats - 1):
            seats = (self.seats[rows] + 1 + k) % self.num_seats
            self.cast[rows, seats] = self.company.draw(units[:, 2 * k : 2 * k + 2])
        self.cast[rows, self.seats[rows]] = LEARNER

    def _potential(self, observations: Floats) -> Floats:
        return observations[:, self.columns] @ self.weights

    def _shape(self) -> None:
        """Pay each learner for what changed since its last decision."""
        if self.columns.size:
            potential = self._potential(self.batch.observations)
            # At an end the gain was paid by the last position; the new game begins with its own.
            gains = np.where(self.dones, np.float32(0), potential - self.potential)
            self.rewards += gains
            self.reward_sums += gains
            self.potential[:] = potential


def shaping_columns(
    spec: GameSpec, shaping: Mapping[str, float], options: Options
) -> tuple[NDArray[np.intp], Floats]:
    """The columns of the observation that *shaping* names by segment, and their weights."""
    columns: list[int] = []
    weights: list[float] = []
    segments = spec.segments_of(options)
    known: Sequence[str] = [segment.name for segment in segments]
    for name, weight in shaping.items():
        if name not in known:
            raise OptionsError(
                f"expected a segment of the observation of {spec.name} in shaping "
                f"({'; '.join(known)}), got {name!r}"
            )
        start = sum(segment.size for segment in segments[: known.index(name)])
        size = segments[known.index(name)].size
        columns += range(start, start + size)
        weights += [weight] * size
    return np.array(columns, np.intp), np.array(weights, np.float32)
