"""Cross-play: every pair of some agents as a team, on the same deals against the same opponents.

Agents that learnt together may understand one another and nobody else. Such a team is strong, and
each of its members is weak with a stranger: the gap between the two is what cross-play measures.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import combinations_with_replacement
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..agents.agent import Agent
from ..envs.engine.dtypes import Json
from ..envs.engine.errors import OptionsError
from ..envs.engine.spec import GameSpec, Options
from ..envs.engine.streams import Seed
from .games import Progress
from .intervals import paired
from .match import MatchResult, play_recorded, summarize
from .plan import MatchPlan
from .seating import FIRST, SECOND


@dataclass(frozen=True, kw_only=True)
class Gap:
    """What strangers score less than partners that are the same agent, on the same deals."""

    deals: int
    """deals that every pair played; the numbers here are of these alone"""
    with_itself: float
    """mean score of the teams of one agent"""
    with_others: float
    """mean score of the teams of two agents"""
    difference: float
    """with_others less with_itself; negative if agents do worse with strangers"""
    low: float
    high: float
    """95 % interval of the difference from the means of the deals"""


@dataclass(frozen=True, kw_only=True)
class CrossPlay:
    """The results of all pairs."""

    agents: list[str]
    against: str
    pairs: list[MatchResult]
    """a team of `first` and `partner` (None: `first` on all its seats) against `second`"""
    gap: Gap | None
    """None for a single agent"""

    def to_json(self) -> Json:
        """All fields as plain JSON; `members` names the team of each pair."""
        return {
            "agents": self.agents,
            "against": self.against,
            "pairs": [{"members": members(pair), **pair.to_json()} for pair in self.pairs],
            "gap": self.gap and asdict(self.gap),
        }


def members(pair: MatchResult) -> list[str]:
    """The names of the first agent and its partner."""
    return [pair.first, pair.partner or pair.first]


def cross_play(
    spec: GameSpec,
    options: Mapping[str, Any] | Options | None,
    agents: Sequence[Agent],
    *,
    against: Agent,
    games: int,
    seed: Seed,
    batch: int = 512,
    progress: Progress | None = None,
    record: Path | None = None,
) -> CrossPlay:
    """Let every pair of *agents*, each with itself too, play *games* as a team.

    All pairs play the same deals, each from every side and with its members in every order; the
    number of games is rounded up to whole deals.
    """
    first, *others = agents
    plan = MatchPlan(
        spec=spec,
        options=spec.parse_options(options),
        agents=(first, against),
        games=games,
        seed=seed,
        batch=batch,
        record=record,
    )
    return play_pairs(pairs_of(plan, others), progress)


def pairs_of(plan: MatchPlan, others: Sequence[Agent]) -> list[MatchPlan]:
    """*plan* for every pair of its first agent and *others* as a team against its second agent.

    Raises `OptionsError` for an agent that is there twice, and in a game without teams.
    """
    agents = [plan.agents[FIRST], *others]
    names = [agent.name for agent in agents]
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        raise OptionsError(f"expected different agents to pair up, got {twice[0]!r} twice")
    against = plan.agents[SECOND]
    return [
        replace(plan, agents=(one, against), partners=(other, None))
        for one, other in combinations_with_replacement(agents, 2)
    ]


def play_pairs(plans: Sequence[MatchPlan], progress: Progress | None = None) -> CrossPlay:
    """Play the match of each pair, and compare the teams of two agents with those of one."""
    blocks, results = [], []
    for plan in plans:
        played = play_recorded(plan, progress)
        results.append(summarize(played))
        blocks.append(played.by_deal(played.points))
    return CrossPlay(
        agents=[pair.first for pair in results if pair.partner is None],
        against=results[0].second,
        pairs=results,
        gap=_gap(results, blocks),
    )


def _gap(results: Sequence[MatchResult], blocks: Sequence[NDArray[np.float64]]) -> Gap | None:
    """Compare the teams of two agents with those of one, deal by deal."""
    if len(results) == 1:
        return None
    deals = min(map(len, blocks))
    is_mixed = np.array([pair.partner is not None for pair in results])
    by_deal = np.array([block[:deals] for block in blocks])
    same, mixed = by_deal[~is_mixed].mean(axis=0), by_deal[is_mixed].mean(axis=0)
    # A difference of scores lies in -1..1: as a score it is half of it, from the middle on.
    low, high = paired((mixed - same + 1) / 2)
    return Gap(
        deals=deals,
        with_itself=float(same.mean()),
        with_others=float(mixed.mean()),
        difference=float((mixed - same).mean()),
        low=2 * low - 1,
        high=2 * high - 1,
    )
