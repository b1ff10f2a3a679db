"""Playing the games of a match: blocks of deals, each with every rotation of seats.

Block b is one row of the chance streams and one of the agents' streams, one for each seat; its
games are played on copies of both, once for every side that the first agent can take. So nobody is
lucky with the deals, and game g is the same whatever else is played beside it.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from ..agents.agent import Agent, choose
from ..envs.engine.batch import Batch
from ..envs.engine.dtypes import Actions, States, Streams
from ..envs.engine.jit import announced
from ..envs.engine.loops import RUNNING, TRUNCATED
from ..envs.engine.streams import NO_GAME, new_streams
from .places import mean_places, shares_of_first, standings
from .plan import MatchPlan
from .seating import NOBODY

Progress = Callable[[int], None]
"""Called with the number of games that just ended."""
OnGames = Callable[["Games", range], None]
"""Called with the games so far, and which of them, in order, are over since the last call."""


@dataclass(frozen=True, kw_only=True)
class Games:
    """Every game of a match in order: block by block, rotation by rotation; `G` games."""

    plan: MatchPlan
    """who sat where, by rotation, and all else that the games depend on"""
    ahead: NDArray[np.int32]
    """sides that came before the first agent's, `[G]`"""
    level: NDArray[np.int32]
    """other sides that shared its place, `[G]`"""
    rewards: NDArray[np.float64]
    """reward of a seat of the first agent; -1 if its side forfeited, 0 if another did, `[G]`"""
    scores: NDArray[np.float64]
    """mean score of the seats of the first agent's side, and of all others, `[G, 2]`"""
    decisions: NDArray[np.int64]
    truncated: NDArray[np.bool_]
    timed_out: NDArray[np.bool_]
    """ended by a time limit of the rules, in a game that reports it, `[G]`"""
    forfeits: NDArray[np.int32]
    """which of the agents of the seating made an illegal action, else NOBODY, `[G]`"""
    movers: NDArray[np.int32]
    """the seat that made the illegal action, else NOBODY, `[G]`"""
    finals: States
    """the last position of each game, `[G]`"""
    chance: Streams
    """the chance stream that each game began with, `[G]`"""
    moves: list[list[int]] | None
    """the actions of each game, if requested"""
    seconds: float
    """wall time of the games; what has to be compiled first is not counted"""

    @property
    def rotations(self) -> int:
        """Games per block."""
        return self.plan.seating.rotations

    @property
    def rotation(self) -> NDArray[np.int64]:
        """The rotation of each game, `[G]`."""
        return np.arange(len(self.ahead)) % self.rotations

    @property
    def sides(self) -> NDArray[np.int32]:
        """The side (team, or seat where there are no teams) of the first agent, `[G]`."""
        sides: NDArray[np.int32] = self.plan.seating.sides[self.rotation]
        return sides

    @property
    def points(self) -> NDArray[np.float64]:
        """The first agent's part of the first place: 1 alone, 1/k of k sides, else 0; `[G]`."""
        return shares_of_first(self.ahead, self.level)

    @property
    def places(self) -> NDArray[np.float64]:
        """Its place, 1 the first; a shared one is the mean of the places that it spans, `[G]`."""
        return mean_places(self.ahead, self.level)

    def by_deal(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """The mean of *values* `[G]` over the games of each deal."""
        means: NDArray[np.float64] = values.reshape(-1, self.rotations).mean(axis=1)
        return means


def play_games(
    plan: MatchPlan,
    *,
    progress: Progress | None = None,
    keep_moves: bool = False,
    on_games: OnGames | None = None,
) -> Games:
    """Play the games of *plan*, whole blocks of them, at most `plan.batch` at a time.

    *on_games* gets every game once, in order, as soon as those before it are over too. Each agent
    is first asked for one decision that belongs to no game, so that what it has to compile or load
    does not count as playing time.
    """
    return _Table(plan, keep_moves=keep_moves, on_games=on_games).play(progress)


class _Table:
    """The rows of a batch and the games that are being played in them."""

    def __init__(self, plan: MatchPlan, *, keep_moves: bool, on_games: OnGames | None) -> None:
        self.seating, self.rotations = plan.seating, plan.seating.rotations
        self.games, size = plan.total, min(plan.batch, plan.total)
        self.batch = Batch(plan.spec, size, options=plan.options, seed=NO_GAME)
        # One row per block: copied to the row of the batch in which a game of it begins.
        self.chance = new_streams(plan.seed, plan.deals, "chance")
        seats = self.batch.shape.seats
        self.choices = new_streams(plan.seed, plan.deals * seats, "agents").reshape(-1, seats)
        self.redraws = new_streams(plan.seed, plan.deals, "determinize")
        self.row_choices = new_streams(NO_GAME, size * seats, "agents").reshape(-1, seats)
        self.row_redraws = new_streams(NO_GAME, size, "determinize")
        self.game = np.full(size, -1)  # played in each row; -1 when there is none left
        self.begun = 0
        # Of the seats in each game; what they make of the sides is settled at the end, at once.
        self.rewards = np.zeros((self.games, self.batch.shape.seats))
        self.scores = np.zeros((self.games, self.batch.shape.seats))
        self.out = self._blank(plan, keep_moves=keep_moves)
        self.on_games, self.is_over, self.handed = on_games, np.zeros(self.games, np.bool_), 0

    def play(self, progress: Progress | None) -> Games:
        self._warm_up()
        start = perf_counter()
        self._begin(self.batch.all_rows)
        while True:
            rows = np.flatnonzero(self.game >= 0).astype(np.int32)
            if not rows.size:
                return self._settled(perf_counter() - start)
            over = self._play_one_move(rows)
            if over.size:
                self.is_over[self.game[over]] = True
                self._hand_over()
                self._begin(over)
                if progress is not None:
                    progress(over.size)

    def _hand_over(self) -> None:
        """Give away the games that are over, up to the first that is not."""
        rest = self.is_over[self.handed :]
        count = len(rest) if rest.all() else int(rest.argmin())
        if self.on_games is not None and count:
            self.on_games(self.out, range(self.handed, self.handed + count))
        self.handed += count

    def _warm_up(self) -> None:
        """Compile what is not: one decision of each agent, which the games then forget."""
        rows = self.batch.all_rows[:1]
        self.batch.reset(rows)
        for agent in self.seating.agents:
            with announced(f"the agent {agent.name}"):
                action = self._ask(agent, rows)
        if self.batch.is_legal(action, rows).all():
            self.batch.step(action, rows)

    def _blank(self, plan: MatchPlan, *, keep_moves: bool) -> Games:
        count = self.games
        return Games(
            plan=plan,
            ahead=np.zeros(count, np.int32),
            level=np.zeros(count, np.int32),
            rewards=np.zeros(count),
            scores=np.zeros((count, 2)),
            decisions=np.zeros(count, np.int64),
            truncated=np.zeros(count, np.bool_),
            timed_out=np.zeros(count, np.bool_),
            forfeits=np.full(count, NOBODY, np.int32),
            movers=np.full(count, NOBODY, np.int32),
            finals=np.zeros(count, plan.spec.record),
            chance=np.repeat(self.chance, self.rotations),
            moves=[[] for _ in range(count)] if keep_moves else None,
            seconds=0.0,
        )

    def _begin(self, rows: Actions) -> None:
        """Start the next games in *rows*, as far as there are any left."""
        count = min(len(rows), self.games - self.begun)
        self.game[rows[count:]] = -1
        rows = rows[:count]
        games = np.arange(self.begun, self.begun + count)
        self.begun += count
        blocks = games // self.rotations
        self.game[rows] = games
        self.batch.streams[rows] = self.chance[blocks]
        self.row_choices[rows] = self.choices[blocks]
        self.row_redraws[rows] = self.redraws[blocks]
        if count:
            self.batch.reset(rows)

    def _play_one_move(self, rows: Actions) -> Actions:
        """One decision in each of *rows*; returns the rows whose game is over."""
        movers = self.seating.table[self.game[rows] % self.rotations, self.batch.seats[rows]]
        actions = np.full(len(rows), -1, np.int32)
        for who, agent in enumerate(self.seating.agents):
            mine = movers == who
            if mine.any():
                actions[mine] = self._ask(agent, rows[mine])
        legal = self.batch.is_legal(actions, rows)
        for j in np.flatnonzero(~legal):
            self._forfeit(int(rows[j]), int(movers[j]))
        playing, actions = rows[legal], actions[legal]
        games = self.game[playing]
        self.out.decisions[games] += 1
        if self.out.moves is not None:
            for game, action in zip(games.tolist(), actions.tolist(), strict=True):
                self.out.moves[game].append(action)
        self.batch.step_unchecked(actions, playing)
        over = playing[self.batch.ended[playing] != RUNNING]
        for row in over.tolist():
            self._finish(row)
        return np.concatenate([rows[~legal], over])

    def _ask(self, agent: Agent, rows: Actions) -> Actions:
        return choose(agent, self.batch, rows, choices=self.row_choices, redraws=self.row_redraws)

    def _finish(self, row: int) -> None:
        game = int(self.game[row])
        self.out.finals[game] = self.batch.finals[row]
        self.out.truncated[game] = self.batch.ended[row] == TRUNCATED
        self.rewards[game] = self.batch.rewards[row]
        self._note_infos(game)

    def _forfeit(self, row: int, who: int) -> None:
        """The game is lost for the side of the agent that chose an illegal action."""
        game, mover = int(self.game[row]), int(self.batch.seats[row])
        self.out.finals[game] = self.batch.states[row]
        self.out.forfeits[game] = who
        self.out.movers[game] = mover
        self.rewards[game, self.seating.teams == self.seating.teams[mover]] = -1.0
        self._note_infos(game)

    def _note_infos(self, game: int) -> None:
        """Keep what is public about the last position of *game*."""
        public = self.batch.spec.infos(self.out.finals, game)
        self.scores[game] = public["scores"]
        self.out.timed_out[game] = bool(public.get("timed_out"))

    def _settled(self, seconds: float) -> Games:
        """The games with the places of the first agent's side."""
        out, seating = self.out, self.seating
        is_own = seating.teams == out.sides[:, None]
        # Nobody of two has won when time is up, whatever the rules pay for what was reached.
        is_drawn = out.timed_out & (seating.num_sides == 2)
        ranking = np.where(is_drawn[:, None], 0.0, self.rewards)
        # The score of a game that was cut off ranks nobody.
        deciding = np.where((is_drawn | out.truncated)[:, None], 0.0, self.scores)
        ahead, level = standings(ranking, deciding, seating.teams, sides=out.sides)
        # An illegal action loses to all others, or wins for all of them.
        forfeited = out.forfeits != NOBODY
        is_culprit = seating.teams[out.movers] == out.sides
        others = np.where(is_culprit, seating.num_sides - 1, 0)
        return replace(
            out,
            ahead=np.where(forfeited, others, ahead).astype(np.int32),
            level=np.where(forfeited, 0, level).astype(np.int32),
            rewards=_means(self.rewards, is_own),
            scores=np.stack([_means(self.scores, is_own), _means(self.scores, ~is_own)], axis=1),
            seconds=seconds,
        )


def _means(values: NDArray[np.float64], chosen: NDArray[np.bool_]) -> NDArray[np.float64]:
    """The mean of the *chosen* seats of each game, both `[G, P]`."""
    means: NDArray[np.float64] = values.mean(axis=1, where=chosen)
    return means
