"""Games in which a learner sits on one seat of each row, with partners and against opponents.

Between two decisions of the learner everybody else moves; the learner sees a game from its own
seat only, and gets every reward, no matter whose move caused it. Where there are teams, its partner
may be the learner too: then the row is one game of the team, and each decision is seen from the
seat that makes it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ..agents.adviser import with_advice
from ..agents.agent import Agent, choose
from ..agents.shaping import shaping_columns
from ..envs.engine.batch import Batch
from ..envs.engine.dtypes import Actions, Floats
from ..envs.engine.spec import GameSpec, Options
from ..envs.engine.streams import new_streams
from .kernels import FORCED, draw_units, find_pending
from .split import Split

NO_ADVICE = -1
"""In the place of an adviser's choice: the game is over."""
LEARNER = -2
"""The learner's own place in the cast of a row; also that of a partner who is the learner."""


class Company(Protocol):
    """Who there is to play against and, where there are teams, to play with."""

    def draw(self, units: NDArray[np.float64]) -> Actions:
        """An opponent for each row of two random numbers."""

    def draw_partners(self, units: NDArray[np.float64]) -> Actions:
        """A partner, or LEARNER, for each row of two random numbers."""

    def agent(self, who: int) -> Agent:
        """The agent of an opponent or partner."""

    def credit(self, who: int, points: float) -> None:
        """The learner scored 1, 1/2 or 0 points against an opponent."""

    def credit_partner(self, who: int, points: float) -> None:
        """The learner scored 1, 1/2 or 0 points with a partner."""


@dataclass(frozen=True, kw_only=True)
class Finished:
    """A game of the learner that ended in the last step."""

    row: int
    seat: int
    """the learner's"""
    opponents: tuple[int, ...]
    """who sat on the seats of other sides, by seat"""
    partners: tuple[int, ...]
    """who sat on the other seats of the learner's side, by seat; LEARNER for itself"""
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


class SelfPlay:
    """N rows of games, each always waiting for a decision of its learner."""

    def __init__(
        self,
        spec: GameSpec,
        size: int,
        company: Company,
        *,
        options: Mapping[str, Any] | Options | None = None,
        seed: int = 0,
        skip_forced: bool = True,
        shaping: Mapping[str, float] | None = None,
        adviser: Agent | None = None,
    ) -> None:
        """Make *size* rows, which begin at `reset`.

        Args:
            spec: the game.
            size: how many games side by side.
            company: who there is to play against.
            options: options of the game.
            seed: root of chance, seats, opponents and their choices.
            skip_forced: play the learner's only legal action without asking.
            shaping: extra reward for each change of a named segment of the observation.
            adviser: whom to ask before each decision of the learner, and of opponents that are
                networks with the same adviser.
        """
        self.batch = Batch(spec, size, options=options, seed=seed)
        self.company = company
        self.adviser = adviser
        self.advice: Actions = np.full(size, NO_ADVICE, np.int32)
        self.skip_forced = skip_forced
        self.num_seats = self.batch.shape.seats
        self.teams = np.array(spec.teams(self.batch.options))
        self.company_seats = seats_by_side(self.teams)
        self.columns, self.weights = shaping_columns(spec, shaping or {}, self.batch.options)
        self.seed(seed)
        self.seats: Actions = np.arange(size, dtype=np.int32) % self.num_seats
        self.cast: Actions = np.full((size, self.num_seats), LEARNER, np.int32)
        self.rewards, self.potential = np.zeros((2, size), np.float32)
        self.dones = np.zeros(size, np.bool_)
        self.reward_sums = np.zeros(size)
        self.lengths: Actions = np.zeros(size, np.int32)
        self.finished: list[Finished] = []
        self.split = Split()
        """seconds since `reset`"""
        self._pending, self._asked, self._forced = np.zeros((3, size), np.int32)

    def seed(self, seed: int) -> None:
        """Begin all streams again: chance, seats and opponents, their choices."""
        size = self.batch.size
        self.batch.streams[:] = new_streams(seed, size, "chance")
        self.draws = new_streams(seed, size, "learner")
        self.choices = new_streams(seed, size, "agents")
        self.redraws = new_streams(seed, size, "determinize")
        self.advice_choices = new_streams((seed, 6), size, "agents")
        self.advice_redraws = new_streams((seed, 6), size, "determinize")

    def reset(self) -> None:
        """Begin all games again and play up to each learner's first decision."""
        rows = self.batch.all_rows
        self.batch.reset()
        self._seat_company(rows)
        self.dones[:] = True  # a game that ends before the learner decided anything is not its own
        self._play_on(rows)
        self._advise(rows)
        self.potential[:] = self._potential(self.batch.observations)
        self.lengths[:] = 0
        self.reward_sums[:] = 0.0
        self.finished = []
        self.split = Split()

    def step(self, actions: Actions) -> None:
        """Play the learners' *actions* `[N]`, then everybody else up to the next decisions.

        Writes `rewards`, `dones` and `finished`.
        """
        with self.split.timing("environment"):
            rows = self.batch.all_rows
            self.rewards[:] = 0.0
            self.dones[:] = False
            self.finished = []
            self.lengths += 1
            self.batch.step(actions)
            self._close(rows)
            self._play_on(rows)
            self._advise(rows)
            self._shape()

    def seen(self) -> Floats:
        """What each learner sees, as a copy `[N, D]`; with an adviser `[N, D + 1]`.

        Then the last number is the action that the adviser would choose.
        """
        observations = self.batch.observations
        return with_advice(observations, self.advice) if self.adviser else observations.copy()

    def state(self) -> dict[str, NDArray[Any]]:
        """All that a continued run needs, as copies."""
        return {name: array.copy() for name, array in self._arrays().items()}

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Continue from a `state`; raises `ValueError` for one that no game can be in."""
        self._check(state)
        for name, array in self._arrays().items():
            array[...] = state[name]
        self.batch.refresh()
        self.finished = []
        if self.adviser and not self.batch.is_legal(self.advice, self.batch.all_rows).all():
            raise ValueError("expected advice that is legal")

    def _check(self, state: Mapping[str, NDArray[Any]]) -> None:
        """A file may hold anything, and a record that cannot be would end the process."""
        spec, states, seats = self.batch.spec, state["states"], state["seats"]
        spec.check_states(states)
        if any(spec.verbs.to_move(states, row) < 0 for row in range(len(states))):
            raise ValueError("expected games that wait for a decision")
        if not ((seats >= 0) & (seats < self.num_seats)).all():
            raise ValueError(f"expected seats 0..{self.num_seats - 1}, got {np.unique(seats)}")
        for who in set(np.unique(state["cast"]).tolist()) - {LEARNER}:
            self.company.agent(who)
        if not np.isfinite([state["potential"], state["reward_sums"]]).all():
            raise ValueError("expected rewards that are numbers")

    def _arrays(self) -> dict[str, NDArray[Any]]:
        advice: dict[str, NDArray[Any]] = {
            "advice": self.advice,
            "advice_choices": self.advice_choices,
            "advice_redraws": self.advice_redraws,
        }
        return {
            **(advice if self.adviser else {}),
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
                rows, batch.seats, batch.masks, self.cast, LEARNER, self.skip_forced,
                self._pending, self._asked, self._forced,
            )  # fmt: skip
            if count == 0:
                return
            rows = self._pending[:count].copy()
            asked, actions = self._asked[:count], self._forced[:count]
            named = [who for who in np.unique(asked).tolist() if who != FORCED]
            agents = {who: self.company.agent(who) for who in named}
            advised = [who for who, agent in agents.items() if self._has_our_adviser(agent)]
            self._advise(rows[np.isin(asked, advised)])
            for who, agent in agents.items():
                chosen = asked == who
                actions[chosen] = self._ask(agent, rows[chosen])
            batch.step(actions, rows)
            self._close(rows)

    def _ask(self, agent: Agent, rows: Actions) -> Actions:
        is_network = getattr(agent, "is_network", False)
        advice = self.advice[rows] if self._has_our_adviser(agent) else None
        with self.split.timing("networks" if is_network else "opponents"):
            return choose(
                agent,
                self.batch,
                rows,
                choices=self.choices,
                redraws=self.redraws,
                advice=advice,
            )

    def _has_our_adviser(self, agent: Agent) -> bool:
        return self.adviser is not None and getattr(agent, "adviser", None) is self.adviser

    def _advise(self, rows: Actions) -> None:
        """Ask the adviser, once for all of *rows*."""
        if self.adviser is None or not rows.size:
            return
        choices, redraws = self.advice_choices, self.advice_redraws
        with self.split.timing("opponents"):
            advice = choose(self.adviser, self.batch, rows, choices=choices, redraws=redraws)
            self.batch.check(advice, rows)
            self.advice[rows] = advice

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
        self._seat_company(ended)

    def _finish(self, row: int) -> None:
        batch, seat = self.batch, int(self.seats[row])
        result = float(batch.rewards[row, seat])
        view = np.zeros(batch.shape.observation, np.float32)
        batch.spec.verbs.observe(batch.finals, row, seat, view)
        end = np.append(view, np.float32(NO_ADVICE)) if self.adviser else view
        gain = float(self._potential(view[None])[0] - self.potential[row])
        points = 0.5 + 0.5 * float(np.sign(result))
        mine = self.teams == self.teams[seat]
        opponents = tuple(self.cast[row, ~mine].tolist())
        mine[seat] = False
        partners = tuple(self.cast[row, mine].tolist())
        self.rewards[row] = result + gain
        self.dones[row] = True
        self.finished.append(
            Finished(
                row=row,
                seat=seat,
                opponents=opponents,
                partners=partners,
                points=points,
                result=result,
                reward=float(self.reward_sums[row]) + result + gain,
                length=int(self.lengths[row]),
                terminal_observation=end,
            )
        )
        self.reward_sums[row] = 0.0
        self.lengths[row] = 0
        for who in set(opponents):
            self.company.credit(who, points)
        for who in set(partners):
            self.company.credit_partner(who, points)

    def _seat_company(self, rows: Actions) -> None:
        """Draw who plays in new games; it stays so to their end.

        A side is drawn as a whole: two partners who oppose the learner are one agent.
        """
        partners, opponents = self.company_seats
        draws = len(partners[0]) + len(opponents[0])
        units = np.zeros((rows.size, 2 * draws))
        draw_units(self.draws, rows, units)
        numbers = iter(np.split(units, draws, axis=1))
        learners = self.seats[rows]
        for k in range(len(opponents[0])):
            drawn = self.company.draw(next(numbers))
            for seats in opponents[:, k][learners].T:
                self.cast[rows, seats] = drawn
        for k in range(len(partners[0])):
            self.cast[rows, partners[learners, k]] = self.company.draw_partners(next(numbers))
        self.cast[rows, learners] = LEARNER

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


def seats_by_side(teams: NDArray[np.int_]) -> tuple[NDArray[np.int_], NDArray[np.int_]]:
    """For a learner on each seat: its partners `[P, K]`, and the other sides' seats `[P, O, K+1]`.

    Both clockwise from the learner; *teams* `[P]` is the side of each seat.
    """
    seats = len(teams)
    partners: list[list[int]] = []
    opponents: list[list[list[int]]] = []
    for seat in range(seats):
        others = [(seat + 1 + k) % seats for k in range(seats - 1)]
        sides: dict[int, list[int]] = {}
        for other in others:
            sides.setdefault(int(teams[other]), []).append(other)
        partners.append(sides.pop(int(teams[seat]), []))
        opponents.append(list(sides.values()))
    return np.array(partners, np.int_).reshape(seats, -1), np.array(opponents, np.int_)
