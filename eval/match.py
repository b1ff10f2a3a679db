"""A match: two agents, many deals, every deal from both sides, and what that proves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..agents.agent import Agent
from ..envs.engine.dtypes import Json
from ..envs.engine.replay import Replay, append_replays, transcribe
from ..envs.engine.spec import GameSpec, Options
from ..envs.engine.streams import Seed
from .games import FIRST, NOBODY, SECOND, Games, Progress, play_games, sides_of
from .intervals import paired, wilson


@dataclass(frozen=True, kw_only=True)
class SideResult:
    """How the first agent did from one side of the table."""

    seats: list[int]
    games: int
    wins: int
    draws: int
    losses: int
    score: float


@dataclass(frozen=True, kw_only=True)
class MatchResult:
    """What a match says about its first agent; all counts and scores are from its side."""

    first: str
    second: str
    requested: int
    """games asked for; `games` is that number rounded up to whole blocks of deals"""
    games: int
    deals: int
    """blocks: every deal was played once from each side"""
    wins: int
    draws: int
    """equal rewards, or stopped by the cap on decisions without a winner"""
    losses: int
    score: float
    """(wins + draws / 2) / games"""
    low: float
    high: float
    """95 % interval of the score by Wilson's formula, as if all games were independent"""
    pair_low: float
    pair_high: float
    """95 % interval of the score from the means of the deals"""
    score_difference: float
    """mean of own score less the opponents', in the game's own points"""
    illegal: int
    """illegal actions of both agents; each lost its game for the agent that made it"""
    illegal_by: list[int]
    """illegal actions of the first and of the second agent"""
    truncated: int
    """games that the cap on decisions stopped"""
    decisions: int
    seconds: float
    """wall time of the games, compiling apart"""
    per_seat: list[SideResult]
    """the result by the seats of the first agent"""

    @property
    def games_per_second(self) -> float:
        """Speed of the match, the agents included and compiling apart."""
        return self.games / self.seconds if self.seconds > 0 else 0.0

    def to_json(self) -> Json:
        """All fields as plain JSON."""
        return {**asdict(self), "games_per_second": self.games_per_second}


def play_match(  # noqa: PLR0917  who meets whom in what
    spec: GameSpec,
    options: Mapping[str, Any] | Options | None,
    first: Agent,
    second: Agent,
    *,
    games: int,
    seed: Seed,
    batch: int = 512,
    progress: Progress | None = None,
    record: Path | None = None,
) -> MatchResult:
    """Let *first* and *second* play *games*, rounded up so that every deal has every rotation.

    The result of each game depends on *seed* and the agents, never on *batch*. With *record* the
    games are added to that file as replays.
    """
    if record is not None:
        record.open("ab").close()  # a file that cannot be written is told before the match
    parsed: Options = spec.parse_options(options)
    agents = (first, second)
    played = play_games(
        spec,
        options,
        agents,
        games=games,
        seed=seed,
        batch=batch,
        keep_moves=record is not None,
        progress=progress,
    )
    sides = sides_of(spec, parsed)
    if record is not None:
        append_replays(record, replays_of(spec, parsed, played, agents=agents, seed=seed))
    return summarize(played, agents, sides=sides, requested=games)


def replays_of(
    spec: GameSpec, options: Options, played: Games, *, agents: tuple[Agent, Agent], seed: Seed
) -> Iterator[Replay]:
    """The games of a match whose moves were kept, as replays in order."""
    teams = spec.teams(options)
    sides = sorted(set(teams))
    names = [agent.name for agent in agents]
    for game, actions in enumerate(played.moves or []):
        mine = sides[played.sides[game]]
        seating = [FIRST if team == mine else SECOND for team in teams]
        forfeit = int(played.forfeits[game])
        yield transcribe(
            spec,
            options,
            actions,
            stream=int(played.chance[game]),
            seed=seed if isinstance(seed, int) else list(seed),
            agents=[names[who] for who in seating],
            forfeit=None if forfeit == NOBODY else int(played.movers[game]),
        )


def summarize(
    played: Games,
    agents: tuple[Agent, Agent],
    *,
    sides: list[list[int]],
    requested: int,
) -> MatchResult:
    """Count the games and take both intervals."""
    points = played.points
    count, score = len(points), float(points.mean())
    low, high = wilson(score, count)
    pair_low, pair_high = paired(points.reshape(-1, played.rotations).mean(axis=1))
    illegal_by = [int((played.forfeits == who).sum()) for who in (FIRST, SECOND)]
    return MatchResult(
        first=agents[0].name,
        second=agents[1].name,
        requested=requested,
        games=count,
        deals=count // played.rotations,
        wins=int((points == 1).sum()),
        draws=int((points == 0.5).sum()),
        losses=int((points == 0).sum()),
        score=score,
        low=low,
        high=high,
        pair_low=pair_low,
        pair_high=pair_high,
        score_difference=float(played.margins.mean()),
        illegal=sum(illegal_by),
        illegal_by=illegal_by,
        truncated=int(played.truncated.sum()),
        decisions=int(played.decisions.sum()),
        seconds=played.seconds,
        per_seat=[_side(played, side, seats) for side, seats in enumerate(sides)],
    )


def _side(played: Games, side: int, seats: list[int]) -> SideResult:
    points = played.points[played.sides == side]
    return SideResult(
        seats=seats,
        games=len(points),
        wins=int((points == 1).sum()),
        draws=int((points == 0.5).sum()),
        losses=int((points == 0).sum()),
        score=float(np.mean(points)),
    )
