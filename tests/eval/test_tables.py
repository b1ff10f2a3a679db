"""Matches at tables of more than two: ranks, places and verdicts against equality."""

import json
from dataclasses import replace

import numpy as np
import pytest

from spelkast.agents.registry import make_agent
from spelkast.envs import spec
from spelkast.eval.games import play_games
from spelkast.eval.match import play_match
from spelkast.eval.plan import MatchPlan
from spelkast.eval.report import verdict

FOUR = ("oduludo", {"players": 4, "max_decisions": 200})
THREE = ("tokken", {"players": 3, "max_decisions": 150})
SIX = ("tokken", {"players": 6, "max_decisions": 900})
PARTNERS = ("tokken", {"max_decisions": 60})


def agents_of(game, *names):
    return tuple(make_agent(name, game) for name in names)


def match(table, first, second, **keywords):
    game, options = table
    return play_match(spec(game), options, *agents_of(game, first, second), seed=1, **keywords)


def games_of(table, first, second, **keywords):
    game, options = spec(table[0]), spec(table[0]).parse_options(table[1])
    agents = agents_of(table[0], first, second)
    return play_games(MatchPlan(spec=game, options=options, agents=agents, **keywords))


# Ranks -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("table", "sides"), [(FOUR, 4), (THREE, 3), (SIX, 3), (PARTNERS, 2)])
def test_agent_against_itself_ranks_as_equal(table, sides):
    """An agent against itself has the rank of equals on every deal.

    All games of a deal are the same game, and the agent takes every side of it once.
    """
    played = games_of(table, "random", "random", games=24, seed=2)

    assert played.rotations == played.plan.seating.num_sides == sides
    assert (played.by_deal(played.places) == (sides + 1) / 2).all()
    assert played.by_deal(played.points) == pytest.approx(1 / sides)
    assert played.by_deal(played.rewards) == pytest.approx(0, abs=1e-6)
    # Two sides whose time is up have drawn, whatever their pawns; more are ranked by them.
    assert len(set(played.places.tolist())) > (sides > 2)


def test_agent_against_itself_is_even_in_all_numbers():
    result = match(FOUR, "random", "random", games=40)

    assert (result.even_rank, result.even_score) == (2.5, 0.25)
    assert (result.mean_rank, result.score) == (2.5, 0.25)
    assert result.rank_shares == [0.25, 0.25, 0.25, 0.25]
    assert result.rank_low < 2.5 < result.rank_high
    assert result.pair_low < 0.25 < result.pair_high
    assert result.against_each.wins == result.against_each.losses
    assert result.mean_reward == pytest.approx(0, abs=1e-6)
    assert result.mean_scores[0] == pytest.approx(result.mean_scores[1])


def test_better_agent_ranks_better_from_every_seat():
    result = match(("oduludo", {"players": 4}), "racer", "random", games=60)

    assert result.rank_low < result.mean_rank < result.rank_high < result.even_rank
    assert result.pair_low > result.even_score
    assert all(side.mean_rank < 2.5 for side in result.per_seat)
    assert [side.seats for side in result.per_seat] == [[0], [1], [2], [3]]
    assert "racer is better than random." in str(verdict(result))


def test_counts_of_a_table_add_up():
    result = match(THREE, "racer", "random", games=30)

    assert result.wins + result.draws + result.losses == result.games == 30
    assert result.deals == 10
    assert sum(result.rank_shares) == pytest.approx(1)
    assert result.score == pytest.approx(result.rank_shares[0])
    assert np.dot(result.rank_shares, [1, 2, 3]) == pytest.approx(result.mean_rank)
    each = result.against_each
    assert each.wins + each.draws + each.losses == 60
    assert each.score == pytest.approx((3 - result.mean_rank) / 2)
    own, others = result.mean_scores
    assert own - others == pytest.approx(result.score_difference)
    assert np.mean([side.mean_rank for side in result.per_seat]) == pytest.approx(result.mean_rank)


def test_with_rewards_by_rank_the_rank_is_the_reward():
    """Oduludo pays 1 - 2 (place - 1) / (n - 1) [R8.8]."""
    played = games_of(FOUR, "racer", "random", games=24, seed=3)

    assert played.rewards == pytest.approx(1 - 2 * (played.places - 1) / 3)


def test_losers_of_a_race_are_ranked_by_their_pawns():
    """Tokken gives all losers of a win one reward; [R8.5] ranks them by score."""
    tokken, options = spec("tokken"), {"players": 3, "max_decisions": 0}
    played = games_of(("tokken", options), "racer", "kees", games=12, seed=4)
    scores = np.array([tokken.infos(played.finals, i)["scores"] for i in range(12)])
    own = scores[np.arange(12), played.sides]

    assert (scores.max(axis=1) >= 18).all()  # somebody won
    assert ((scores > own[:, None]).sum(axis=1) == played.ahead).all()
    assert ((scores == own[:, None]).sum(axis=1) - 1 == played.level).all()
    assert len(set(played.ahead.tolist())) == 3


@pytest.mark.parametrize("second", ["random", "racer"])
def test_with_two_sides_the_rank_is_the_score(second):
    result = match(("tokken", {}), "racer", second, games=20)

    assert result.sides == 2
    assert result.wins
    assert result.mean_rank == pytest.approx(2 - result.score)
    assert result.rank_low == pytest.approx(2 - result.pair_high)
    assert result.rank_high == pytest.approx(2 - result.pair_low)
    assert result.against_each.score == pytest.approx(result.score)
    assert [side.seats for side in result.per_seat] == [[0, 2], [1, 3]]


# Ends ------------------------------------------------------------------------------------------


def test_time_limits_are_counted_apart_from_caps():
    """Time limits of the rules are counted apart from caps."""
    tokken = match(PARTNERS, "random", "random", games=6)
    oduludo = match(("oduludo", {"players": 3, "max_decisions": 5}), "random", "random", games=6)

    assert (tokken.timed_out, tokken.truncated, tokken.draws) == (6, 0, 6)
    assert (oduludo.timed_out, oduludo.truncated) == (0, 6)


class Cheat:
    """Tries what is never allowed."""

    name = "cheat"
    needs_states = False

    def act(self, views, streams):
        return np.full(len(views), -1, np.int32)


@pytest.mark.parametrize("cheats", ["first", "second"])
def test_who_cheats_is_last_and_there_is_no_verdict(cheats):
    random = make_agent("random", "oduludo")
    pair = (Cheat(), random) if cheats == "first" else (random, Cheat())
    result = play_match(spec("oduludo"), FOUR[1], *pair, games=4, seed=0)
    place = 4 if cheats == "first" else 1

    assert result.mean_rank == place
    assert result.rank_shares[place - 1] == 1
    assert result.mean_reward == (-1 if cheats == "first" else 0)
    assert "no verdict" in str(verdict(result))


# Words -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rank", "share", "said"),
    [
        ((1.9, 2.2), (0.3, 0.4), ["racer is better than random."]),
        ((1.9, 2.2), (0.2, 0.4), ["racer is better than random."]),
        ((2.7, 2.9), (0.1, 0.2), ["random is better than racer."]),
        ((2.7, 2.9), (0.3, 0.4), ["random is better than racer.", "first more often than one in"]),
        ((2.4, 2.6), (0.3, 0.4), ["do not show", "Yet racer is first more often than one in 4."]),
        ((2.4, 2.6), (0.1, 0.2), ["do not show", "Yet racer is first less often than one in 4."]),
        ((2.4, 2.6), (0.2, 0.3), ["do not show"]),
    ],
)
def test_the_verdict_is_against_equality(rank, share, said):
    result = replace(
        match(FOUR, "racer", "random", games=4),
        rank_low=rank[0], rank_high=rank[1], pair_low=share[0], pair_high=share[1],
    )  # fmt: skip

    text = str(verdict(result))
    assert all(words in text for words in said)
    assert ("Yet" in text) == any("first" in words for words in said)


def test_json_of_a_table():
    result = match(FOUR, "racer", "random", games=4).to_json()

    assert json.loads(json.dumps(result)) == result
    assert {"games", "wins", "draws", "losses", "score", "low", "high", "illegal"} <= set(result)
    assert set(result["against_each"]) == {"wins", "draws", "losses", "score", "low", "high"}
