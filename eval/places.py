"""The place of a side among all sides of its game, and what places say about an agent.

A place comes from the final reward, since that is what agents play for. Sides with equal rewards
are ranked by score, if the rules ended the game; sides that are equal in both share their places.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .intervals import paired

Ints = NDArray[np.int32]
Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class EachResult:
    """The first agent's side against each other side, taken one by one."""

    wins: int
    """other sides with a lower place"""
    draws: int
    """other sides that share its place"""
    losses: int
    score: float
    """(wins + draws / 2) / (wins + draws + losses)"""
    low: float
    high: float
    """95 % interval of the score from the means of the deals"""


def standings(rewards: Floats, scores: Floats, teams: Ints, *, sides: Ints) -> tuple[Ints, Ints]:
    """How many sides came before each of *sides* `[G]`, and how many others shared its place.

    *rewards* and *scores* are by game and seat, `[G, P]`, and *teams* names the side of each seat,
    `[P]`; scores that shall not decide are all equal.
    """
    members = [teams == side for side in range(int(teams.max()) + 1)]
    reward = np.array([rewards[:, seats].max(axis=1) for seats in members])
    score = np.array([scores[:, seats].mean(axis=1) for seats in members])
    games = np.arange(len(sides))
    own_reward, own_score = reward[sides, games], score[sides, games]
    is_even = reward == own_reward
    is_ahead = (reward > own_reward) | (is_even & (score > own_score))
    is_level = is_even & (score == own_score)  # the side itself is one of these
    ahead: Ints = is_ahead.sum(axis=0, dtype=np.int32)
    level: Ints = is_level.sum(axis=0, dtype=np.int32) - 1
    return ahead, level


def mean_places(ahead: Ints, level: Ints) -> Floats:
    """The place in each game `[G]`, 1 the first; a shared one is the mean of those it spans."""
    return 1 + ahead + level / 2


def shares_of_first(ahead: Ints, level: Ints) -> Floats:
    """The part of the first place in each game `[G]`: 1 alone, 1/k of k sides, else 0."""
    return np.where(ahead == 0, 1 / (1 + level), 0.0)


def shares_of_places(ahead: Ints, level: Ints, *, sides: int) -> list[float]:
    """How often each place was taken, as parts of 1; a shared one counts evenly for all it spans.

    Split evenly, the shares of all sides sum to 1 for every place, whatever was shared.
    """
    places = np.arange(sides)
    spans = (places >= ahead[:, None]) & (places <= (ahead + level)[:, None])
    shares: list[float] = (spans / (1 + level)[:, None]).mean(axis=0).tolist()
    return shares


def each_result(ahead: Ints, level: Ints, *, sides: int, rotations: int) -> EachResult:
    """Count the other sides behind, beside and before that of the first agent."""
    others = len(ahead) * (sides - 1)
    losses, draws = int(ahead.sum()), int(level.sum())
    wins = others - losses - draws
    beaten = (sides - mean_places(ahead, level)) / (sides - 1)
    low, high = paired(beaten.reshape(-1, rotations).mean(axis=1))
    score = (wins + draws / 2) / others
    return EachResult(wins=wins, draws=draws, losses=losses, score=score, low=low, high=high)
