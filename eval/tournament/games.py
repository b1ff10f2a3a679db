"""Playing the tables of one round side by side.

The game of a table depends on the seed, the round and the table, and on the four agents: never on
the other tables, on what was played before, or on how quick anybody is.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import asdict
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from ...agents.agent import Agent, choose, views_of
from ...envs.engine.batch import Batch
from ...envs.engine.dtypes import Actions, Streams
from ...envs.engine.loops import RUNNING
from ...envs.engine.streams import new_streams
from .config import Config
from .players import DOWN, IDLE, Company, Reply, describe
from .sheets import SIDES, Forfeit, Pair, Sheet, Time, forfeited
from .teams import Team

OnSheets = Callable[[list[Sheet]], None]
"""Called with the sheets of games that have just ended, if any."""


def play_round(
    config: Config, pairs: Sequence[Pair], company: Company, *, on_sheets: OnSheets
) -> None:
    """Play the games of *pairs*, tables of one round without a bye."""
    absent = [_sheet_if_absent(config, pair, company) for pair in pairs]
    on_sheets([sheet for sheet in absent if sheet is not None])
    present = [pair for pair, sheet in zip(pairs, absent, strict=True) if sheet is None]
    if present:
        _Tables(config, present, company, on_sheets=on_sheets).play()


def _sheet_if_absent(config: Config, pair: Pair, company: Company) -> Sheet | None:
    """The sheet of a game to which a team cannot come; None if both are there."""
    faults = {
        side: f"{agent}: {fault}"
        for side, team in zip(SIDES, _teams(config, pair), strict=True)
        for agent in reversed(team.agents)  # of two partners at fault the first is named
        if (fault := company.fault(agent))
    }
    if not faults:
        return None
    absent: Forfeit = "both" if len(faults) > 1 else next(iter(faults))
    note = "; ".join(faults.values())
    return forfeited(pair, absent, time=config.forfeit_time, note=note)


def _teams(config: Config, pair: Pair) -> list[Team]:
    """Team a and team b."""
    by_number = {team.number: team for team in config.teams}
    return [by_number[number] for number in pair.teams]


class _Tables:
    """The games that are being played, one in each row of a batch."""

    def __init__(
        self, config: Config, pairs: Sequence[Pair], company: Company, *, on_sheets: OnSheets
    ) -> None:
        self.config, self.pairs, self.company, self.on_sheets = config, pairs, company, on_sheets
        self.batch = Batch(config.spec, len(pairs), options=config.game_options, seed=0)
        self.batch.streams[:] = self._streams("chance", 1)[:, 0]
        self.choices = self._streams("agents", self.batch.shape.seats)
        self.redraws = self._streams("determinize", 1)[:, 0]
        # Team a has the seats 0 and 2, team b 1 and 3 [R13.2].
        self.lineup = [
            [team.agents[k] for k in range(2) for team in _teams(config, pair)] for pair in pairs
        ]
        self.waiting = set(range(len(pairs)))
        """rows in which a decision is due and no agent has been asked yet"""
        self.asked: set[int] = set()
        self.thought = np.zeros((len(pairs), len(SIDES)))
        """seconds that each team has thought"""

    def _streams(self, purpose: str, count: int) -> Streams:
        """*count* streams for each game, `[G, count]`."""
        seeds = [(self.config.seed, pair.round, pair.table) for pair in self.pairs]
        return np.stack([new_streams(seed, count, purpose) for seed in seeds])

    def play(self) -> None:
        self.batch.reset()
        while self.waiting or self.asked:
            has_moved = self._ask_inside()
            self._ask_apart()
            for reply in self.company.listen(wait=not has_moved):
                self._take(reply)

    def _player(self, row: int) -> str:
        return self.lineup[row][int(self.batch.seats[row])]

    # Asking ------------------------------------------------------------------------------------

    def _ask_inside(self) -> bool:
        """One decision of every row in which one of our own agents is to move."""
        rows_of: dict[str, list[int]] = defaultdict(list)
        for row in sorted(self.waiting):
            if self._player(row) in self.company.inside:
                rows_of[self._player(row)].append(row)
        moved: dict[int, int] = {}
        for text, rows in rows_of.items():
            moved |= self._choices_of(self.company.inside[text], rows)
        if moved:
            self._move(np.array(list(moved), np.int32), np.array(list(moved.values()), np.int32))
        return bool(rows_of)

    def _choices_of(self, agent: Agent, rows: list[int]) -> dict[int, int]:
        """The agent's action in each of *rows*; a row in which it fails is forfeited."""
        start = perf_counter()
        index = np.array(rows, np.int32)
        choices, redraws = self.choices.copy(), self.redraws.copy()
        try:
            actions = choose(agent, self.batch, index, choices=choices, redraws=redraws)
        except Exception as error:
            if len(rows) == 1:
                self._forfeit(rows[0], describe(error))
                return {}
            alone = [self._choices_of(agent, [row]) for row in rows]
            return {row: action for one in alone for row, action in one.items()}
        self.choices, self.redraws = choices, redraws
        seconds = (perf_counter() - start) / len(rows)
        for row in rows:
            self.thought[row, self._mover(row)] += seconds
        return dict(zip(rows, actions.tolist(), strict=True))

    def _ask_apart(self) -> None:
        """Hand a decision to every agent in its own process that has nothing to do."""
        for row in sorted(self.waiting):
            agent = self.company.apart.get(self._player(row))
            if agent is None:
                continue
            if agent.fault:
                self._forfeit(row, agent.fault)
            elif agent.state == DOWN:
                agent.start()
            elif agent.state == IDLE:
                index = np.array([row], np.int32)
                redraws = self.redraws if agent.needs_states else None
                views = views_of(self.batch, index, redraws)
                left = self.config.game_seconds - self.thought[row, self._mover(row)]
                seconds = min(self.config.decision_seconds, float(left))
                own = self.choices[index, self.batch.seats[index]]
                agent.ask(row, views, own, seconds=seconds)
                self.waiting.discard(row)
                self.asked.add(row)

    # Moving ------------------------------------------------------------------------------------

    def _take(self, reply: Reply) -> None:
        """Play the answer of an agent in its own process, or end its game."""
        row = reply.row
        self.asked.discard(row)
        self.waiting.add(row)
        side = self._mover(row)
        self.thought[row, side] += reply.seconds
        if reply.fault:
            self._forfeit(row, reply.fault)
        elif reply.seconds > self.config.decision_seconds:
            limit = self.config.decision_seconds
            self._forfeit(row, f"{reply.seconds:.1f} s for one decision, {limit:g} s allowed")
        elif self.thought[row, side] > self.config.game_seconds:
            self._forfeit(row, f"more than {self.config.game_seconds:g} s in one game")
        else:
            self.choices[row, self.batch.seats[row]] = reply.stream
            self._move(np.array([row], np.int32), np.array([reply.action]))

    def _move(self, rows: Actions, actions: NDArray[np.integer]) -> None:
        legal = self.batch.is_legal(actions, rows)
        for row, action in zip(rows[~legal].tolist(), actions[~legal].tolist(), strict=True):
            self._forfeit(row, f"illegal action {action}")
        rows = rows[legal]
        if not rows.size:
            return
        self.batch.step_unchecked(actions[legal].astype(np.int32), rows)
        over = rows[self.batch.ended[rows] != RUNNING].tolist()
        self.waiting -= set(over)
        if over:
            self.on_sheets([self._sheet(row) for row in over])

    def _mover(self, row: int) -> int:
        """The side that is to move: 0 for team a, 1 for team b."""
        return int(self.batch.seats[row]) % len(SIDES)

    # The end -----------------------------------------------------------------------------------

    def _sheet(self, row: int) -> Sheet:
        """The sheet of a game that has been played to its end."""
        pair, known = self.pairs[row], self.config.spec.infos(self.batch.finals, row)
        home, winner = known["pawns_home"], known["winner"]
        seconds = round(float(self.thought[row].sum()), 3)
        time: Time = known["decisions"] if self.config.time == "decisions" else seconds
        return Sheet(
            **asdict(pair),
            pawns_a=home[0] + home[2],
            pawns_b=home[1] + home[3],
            winner=None if winner is None else SIDES[winner],
            time=time,
        )

    def _forfeit(self, row: int, fault: str) -> None:
        """The team that is to move loses its game [R13.3]."""
        self.waiting.discard(row)
        note = f"{self._player(row)}: {fault}"
        absent = SIDES[self._mover(row)]
        time = self.config.forfeit_time
        self.on_sheets([forfeited(self.pairs[row], absent, time=time, note=note)])
