"""A match: two agents, many deals, every deal from both sides, and what that proves."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..agents.agent import Agent
from ..envs.engine.dtypes import Json
from ..envs.engine.replay import Replay, append_replays, check_record, transcribe
from ..envs.engine.spec import GameSpec, Options
from ..envs.engine.streams import Seed
from .games import Games, Progress, play_games
from .intervals import paired, wilson
from .places import EachResult, each_result, shares_of_places
from .plan import MatchPlan
from .seating import FIRST, NOBODY, SECOND


@dataclass(frozen=True, kw_only=True)
class Counts:
    """How the side of the first agent did in some games."""

    games: int
    wins: int
    """games in which its side was first alone"""
    draws: int
    """games in which its side shared the first place"""
    losses: int
    """games in which another side was before it"""
    score: float
    """its share of the first places: 1 for a win, 1/k for a first place of k sides, else 0. With
    two sides that is (wins + draws / 2) / games"""
    mean_rank: float
    """mean place, 1 the best; a shared place is the mean of the places that it spans"""


@dataclass(frozen=True, kw_only=True)
class SideResult(Counts):
    """How the first agent did from one side of the table."""

    seats: list[int]


@dataclass(frozen=True, kw_only=True)
class MatchResult(Counts):
    """What a match says about its first agent; all counts and scores are from its side."""

    first: str
    second: str
    partner: str | None
    """the agent that shares the side of the first one; None if that one has all its seats"""
    other_partner: str | None
    """who shares the sides of the second agent"""
    requested: int
    """games requested; `games` is that number rounded up to whole blocks of deals"""
    deals: int
    """blocks: every deal was played once from each side, and with partners in every order"""
    sides: int
    """n: teams at the table, or seats where there are no teams"""
    low: float
    high: float
    """95 % interval of the score by Wilson's formula, as if all games were independent"""
    pair_low: float
    pair_high: float
    """95 % interval of the score from the means of the deals"""
    even_score: float
    """the score of equal sides, 1/n"""
    rank_low: float
    rank_high: float
    """95 % interval of the mean rank from the means of the deals"""
    even_rank: float
    """the mean rank of equal sides, (n + 1) / 2"""
    rank_shares: list[float]
    """how often it took each place; a shared place counts evenly for all that it spans"""
    against_each: EachResult
    """the other sides taken one by one"""
    mean_reward: float
    """mean final reward of a seat of its side"""
    mean_scores: list[float]
    """mean score of a seat of its side, and of a seat of the others, in the game's own points"""
    score_difference: float
    """mean of own score less the opponents', in the game's own points"""
    illegal: int
    """illegal actions of all agents; each lost its game for the side of the one that made it"""
    illegal_by: list[int]
    """illegal actions by agent, in the order of `agents`"""
    truncated: int
    """games that the cap on decisions stopped"""
    timed_out: int
    """games that a time limit of the rules ended, if the game reports it; a draw of two sides"""
    decisions: int
    seconds: float
    """wall time of the games, compiling apart"""
    per_seat: list[SideResult]
    """the result by the seats of the first agent"""

    @property
    def agents(self) -> list[str]:
        """The first, the second, and the partners that there are, in this order."""
        mates = (self.partner, self.other_partner)
        return [self.first, self.second, *(mate for mate in mates if mate is not None)]

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
    partner: Agent | None = None,
    other_partner: Agent | None = None,
    batch: int = 512,
    progress: Progress | None = None,
    record: Path | None = None,
) -> MatchResult:
    """Let *first* and *second* play *games*, rounded up so that every deal has every rotation.

    In a game with teams *first* may have a *partner*, and *second* an *other_partner*. The result
    of each game depends on *seed* and the agents, never on *batch*. With *record* the games are
    added to that file as replays.
    """
    plan = MatchPlan(
        spec=spec,
        options=spec.parse_options(options),
        agents=(first, second),
        partners=(partner, other_partner),
        games=games,
        seed=seed,
        batch=batch,
        record=record,
    )
    return summarize(play_recorded(plan, progress))


def play_recorded(plan: MatchPlan, progress: Progress | None = None) -> Games:
    """Play the games of *plan*, and write them down as replays if there is a file for it.

    A `KeyboardInterrupt` gets a note that says how many of them are in the file.
    """
    if plan.record is None:
        return play_games(plan, progress=progress)
    record = plan.record
    check_record(record)

    kept = 0

    def counted(replays: Iterator[Replay]) -> Iterator[Replay]:
        nonlocal kept
        for replay in replays:
            yield replay
            kept += 1  # by now it is in the file

    def keep(played: Games, games: range) -> None:
        append_replays(record, counted(replays_of(played, games)))

    try:
        return play_games(plan, progress=progress, keep_moves=True, on_games=keep)
    except KeyboardInterrupt as stopped:
        stopped.add_note(f"{kept:,} of {plan.total:,} games are kept in {record}")
        raise


def replays_of(played: Games, games: range) -> Iterator[Replay]:
    """Those *games* of a match, whose moves were kept, as replays."""
    plan = played.plan
    moves = played.moves or []
    for game in games:
        is_forfeit = played.forfeits[game] != NOBODY
        yield transcribe(
            plan.spec,
            plan.options,
            moves[game],
            stream=int(played.chance[game]),
            seed=plan.seed if isinstance(plan.seed, int) else list(plan.seed),
            agents=plan.seating.names(game % played.rotations),
            forfeit=int(played.movers[game]) if is_forfeit else None,
        )


def summarize(played: Games) -> MatchResult:
    """Count the games and take the intervals."""
    plan, seating = played.plan, played.plan.seating
    sides, mates = seating.num_sides, [mate.name if mate else None for mate in seating.partners]
    counts = _counts(played)
    low, high = wilson(counts.score, counts.games)
    pair_low, pair_high = paired(played.by_deal(played.points))
    each = each_result(played.ahead, played.level, sides=sides, rotations=played.rotations)
    illegal_by = [int((played.forfeits == who).sum()) for who in range(len(seating.agents))]
    return MatchResult(
        **vars(counts),
        first=seating.agents[FIRST].name,
        second=seating.agents[SECOND].name,
        partner=mates[FIRST],
        other_partner=mates[SECOND],
        requested=plan.games,
        deals=plan.deals,
        sides=sides,
        low=low,
        high=high,
        pair_low=pair_low,
        pair_high=pair_high,
        even_score=1 / sides,
        rank_low=sides - (sides - 1) * each.high,
        rank_high=sides - (sides - 1) * each.low,
        even_rank=(sides + 1) / 2,
        rank_shares=shares_of_places(played.ahead, played.level, sides=sides),
        against_each=each,
        mean_reward=float(played.rewards.mean()),
        mean_scores=played.scores.mean(axis=0).tolist(),
        score_difference=float((played.scores[:, 0] - played.scores[:, 1]).mean()),
        illegal=sum(illegal_by),
        illegal_by=illegal_by,
        truncated=int(played.truncated.sum()),
        timed_out=int(played.timed_out.sum()),
        decisions=int(played.decisions.sum()),
        seconds=played.seconds,
        per_seat=_per_seat(played),
    )


def _counts(played: Games, chosen: slice | NDArray[np.bool_] = slice(None)) -> Counts:
    """The games *chosen* (all by default), counted."""
    ahead, level = played.ahead[chosen], played.level[chosen]
    is_first = ahead == 0
    return Counts(
        games=len(ahead),
        wins=int((is_first & (level == 0)).sum()),
        draws=int((is_first & (level > 0)).sum()),
        losses=int((~is_first).sum()),
        score=float(played.points[chosen].mean()),
        mean_rank=float(played.places[chosen].mean()),
    )


def _per_seat(played: Games) -> list[SideResult]:
    """The games by the seats of the first agent."""
    seats = [played.plan.seating.seats(rotation) for rotation in range(played.rotations)]
    each = {own: np.array([own == s for s in seats])[played.rotation] for own in sorted(set(seats))}
    return [
        SideResult(**vars(_counts(played, chosen)), seats=list(own)) for own, chosen in each.items()
    ]
