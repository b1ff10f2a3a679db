"""Places: from rewards, then from scores; shares, ranks and pairs that fit together."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spelkast.eval.intervals import paired
from spelkast.eval.places import (
    each_result,
    mean_places,
    shares_of_first,
    shares_of_places,
    standings,
)

LEVELS = st.sampled_from([-1.0, -0.5, 0.0, 1.0])


def of_all_sides(rewards, scores, teams=None):
    """How many sides came before each side of a game, and how many others shared its place."""
    numbers = np.array(range(len(rewards)) if teams is None else teams, np.int32)
    sides = np.unique(numbers)
    shown = (len(sides), len(numbers))
    by_reward = np.broadcast_to(np.array(rewards, float), shown)
    by_score = np.broadcast_to(np.array(scores, float), shown)
    return standings(by_reward, by_score, numbers, sides=sides)


def test_rewards_decide_the_places():
    ahead, level = of_all_sides([-1, 1 / 3, 1, -1 / 3], [90, 0, 0, 0])

    assert ahead.tolist() == [3, 1, 0, 2]
    assert not level.any()
    assert mean_places(ahead, level).tolist() == [4, 2, 1, 3]


def test_scores_rank_those_with_equal_rewards():
    """Tokken without partners: the losers of a win all have -1/3 [R8.4], [R8.5]."""
    ahead, level = of_all_sides([-1 / 3, 1, -1 / 3, -1 / 3], [2, 18, 6, 2])

    assert ahead.tolist() == [2, 0, 1, 2]
    assert mean_places(ahead, level).tolist() == [3.5, 1, 2, 3.5]


def test_a_side_is_a_team():
    ahead, level = of_all_sides([1, -1, 1, -1], [10, 30, 20, 0], teams=[0, 1, 0, 1])

    assert (ahead.tolist(), level.tolist()) == ([0, 1], [0, 0])


def test_a_shared_place_is_split_evenly():
    """Three sides share the first place, the fourth is behind them."""
    ahead, level = of_all_sides([0.1, 0.1, -0.3, 0.1], [2, 2, 0, 2])

    assert shares_of_first(ahead, level) == pytest.approx([1 / 3, 1 / 3, 0, 1 / 3])
    assert mean_places(ahead, level).tolist() == [2, 2, 4, 2]
    one, last = (shares_of_places(ahead[[i]], level[[i]], sides=4) for i in (0, 2))
    assert one == pytest.approx([1 / 3, 1 / 3, 1 / 3, 0])
    assert last == [0, 0, 0, 1]


@given(st.lists(st.tuples(LEVELS, LEVELS), min_size=2, max_size=6))
def test_a_game_gives_out_each_place_once(results):
    """Over all sides of a game: one first place, ranks of (n + 1) / 2, pairs of 1/2."""
    sides = len(results)
    ahead, level = of_all_sides(*zip(*results, strict=True))

    assert shares_of_first(ahead, level).sum() == pytest.approx(1)
    assert mean_places(ahead, level).mean() == (sides + 1) / 2
    assert shares_of_places(ahead, level, sides=sides) == pytest.approx([1 / sides] * sides)
    each = each_result(ahead, level, sides=sides, rotations=sides)
    assert each.score == 0.5
    assert each.wins == each.losses


@given(st.integers(2, 6), st.data())
def test_ranks_shares_and_pairs_say_the_same(sides, data):
    ahead = np.array(data.draw(st.lists(st.integers(0, sides - 1), min_size=3, max_size=3)))
    level = np.array([data.draw(st.integers(0, sides - 1 - int(before))) for before in ahead])
    shares = shares_of_places(ahead, level, sides=sides)
    mean_rank = mean_places(ahead, level).mean()
    each = each_result(ahead, level, sides=sides, rotations=1)

    assert sum(shares) == pytest.approx(1)
    assert np.dot(shares, np.arange(1, sides + 1)) == pytest.approx(mean_rank)
    assert shares[0] == pytest.approx(shares_of_first(ahead, level).mean())
    assert each.score == pytest.approx((sides - mean_rank) / (sides - 1))
    assert each.wins + each.draws + each.losses == 3 * (sides - 1)


def test_pairs_have_the_interval_of_their_deals():
    """Two deals of two games each: shares beaten of 1 and 1/2, then 0 and 1/2."""
    each = each_result(np.array([0, 1, 2, 0]), np.array([0, 0, 0, 2]), sides=3, rotations=2)

    assert (each.wins, each.draws, each.losses) == (3, 2, 3)
    assert (each.low, each.high) == paired(np.array([0.75, 0.25]))
