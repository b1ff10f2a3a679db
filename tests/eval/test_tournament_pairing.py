"""Pairing: the worked examples, and every pairing there is on the side of small tournaments."""

import itertools
import json
import random
import time
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spelkast.envs.engine.errors import TournamentError
from spelkast.eval.tournament import pairing
from spelkast.eval.tournament.pairing import best_pairs, draw, meetings, next_pairs, team_with_bye
from spelkast.eval.tournament.sheets import Pair, Sheet, bye
from spelkast.eval.tournament.standings import standings

CASES = json.loads((Path(__file__).parent / "cases" / "tokken_tournament.json").read_text("utf-8"))


def cases(kind):
    found = [case for case in CASES if case["kind"] == kind]
    return pytest.mark.parametrize("case", found, ids=[case["name"] for case in found])


def sheets_of(case):
    return [Sheet(**sheet) for sheet in case["sheets"]]


def played(pair, rng, time=300):
    """A sheet with some result."""
    if pair.team_b is None:
        return bye(pair, time=600)
    winner = rng.choice(["a", "b", None])
    pawns = [8 if winner == side else rng.randrange(8) for side in "ab"]
    return Sheet(
        round=pair.round, table=pair.table, team_a=pair.team_a, team_b=pair.team_b,
        pawns_a=pawns[0], pawns_b=pawns[1], winner=winner, time=time + rng.randrange(300),
    )  # fmt: skip


def tournament(teams, rounds, seed):
    """The sheets of a tournament with results drawn at random."""
    rng, numbers = random.Random(seed), list(range(1, teams + 1))
    sheets: list[Sheet] = []
    for _ in range(rounds):
        pairs = next_pairs(numbers, sheets, drawn=draw(numbers, seed))
        sheets += [played(pair, rng) for pair in pairs]
    return sheets


# Worked examples -------------------------------------------------------------------------------


def test_every_kind_of_example_is_looked_at():
    assert {case["kind"] for case in CASES} == {"points", "standings", "pairing"}


@cases("points")
def test_points(case):
    sheet = Sheet(**case["sheet"])

    assert list(sheet.points) == case["points"]
    assert sheet.to_json() == case["sheet"]


@cases("standings")
def test_standings(case):
    rows = standings(case["teams"], sheets_of(case))

    assert [row.team for row in rows] == case["order"]
    assert [row.place for row in rows] == list(range(1, len(rows) + 1))
    for row in rows:
        if expected := case["rows"].get(str(row.team)):
            assert [row.wins, row.points_for, row.points_against, row.time] == expected


@cases("pairing")
def test_pairing(case):
    pairs = next_pairs(case["teams"], sheets_of(case), drawn=case["draw"])

    assert [[pair.team_a, pair.team_b] for pair in pairs] == case["pairs"]
    assert [pair.table for pair in pairs] == list(range(1, len(pairs) + 1))


# Standings -------------------------------------------------------------------------------------


def sheet(team_a, team_b, pawns_a, pawns_b, winner, time=300, number=1):
    return Sheet(
        round=number, table=1, team_a=team_a, team_b=team_b, pawns_a=pawns_a, pawns_b=pawns_b,
        winner=winner, time=time,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("what", "sheets", "order"),
    [
        ("wins before points", [sheet(1, 2, 8, 0, "a"), sheet(3, 4, 7, 7, None)], [1, 3, 4, 2]),
        ("points for", [sheet(1, 2, 3, 5, None), sheet(3, 4, 4, 2, None)], [2, 3, 1, 4]),
        ("points against", [sheet(1, 2, 8, 5, "a"), sheet(3, 4, 8, 4, "a")], [3, 1, 2, 4]),
        ("time", [sheet(1, 2, 8, 4, "a", 310), sheet(3, 4, 8, 4, "a", 300)], [3, 1, 4, 2]),
        ("number", [sheet(3, 4, 8, 4, "a"), sheet(2, 1, 8, 4, "a")], [2, 3, 1, 4]),
    ],
)
def test_each_tie_break_decides_after_those_before_it(what, sheets, order):
    assert [row.team for row in standings([1, 2, 3, 4], sheets)] == order, what


def test_seconds_are_summed_exactly():
    """Seconds are summed without an error that decides.

    0.1 + 0.2 is not 0.3, and the order of the sheets would have put one team before another.
    """
    times = [0.1, 0.2, 0.3]
    sheets = [sheet(1, 3, 7, 7, None, time, k) for k, time in enumerate(times)]
    sheets += [sheet(2, 4, 7, 7, None, time, k) for k, time in enumerate(reversed(times))]

    assert {row.time for row in standings([1, 2, 3, 4], sheets)} == {0.6}


# Against every pairing there is ----------------------------------------------------------------


def all_pairings(teams):
    """Every way to pair *teams*, the lexicographically first first."""
    if not teams:
        yield []
        return
    first, *others = teams
    for k, opponent in enumerate(others):
        for rest in all_pairings(others[:k] + others[k + 1 :]):
            yield [(first, opponent), *rest]


def by_looking_at_all(order, met):
    return min(all_pairings(list(order)), key=lambda pairs: sum(met[frozenset(p)] for p in pairs))


@st.composite
def histories(draw, *, most_teams=8, most_meetings=3):
    """An even number of teams in some order, and how often every two have met."""
    teams = 2 * draw(st.integers(1, most_teams // 2))
    order = draw(st.permutations(range(1, teams + 1)))
    counts = st.integers(0, most_meetings)
    met = Counter({frozenset(pair): draw(counts) for pair in itertools.combinations(order, 2)})
    return order, met


@given(histories())
@settings(max_examples=400)
def test_pairs_are_the_best_of_all(history):
    order, met = history

    assert best_pairs(order, met) == by_looking_at_all(order, met)


@given(histories(most_teams=10, most_meetings=1))
@settings(max_examples=100)
def test_pairs_are_the_best_of_all_where_few_may_meet(history):
    """Meetings of 0 and 1: what has to be avoided, and blossoms in the search."""
    order, met = history

    assert best_pairs(order, met) == by_looking_at_all(order, met)


@given(histories(most_teams=8, most_meetings=1))
@settings(max_examples=300)
def test_going_back_and_the_matching_find_the_same(history):
    order, met = history
    counts = [[met[frozenset((a, b))] if a != b else 0 for b in order] for a in order]
    quick = pairing._without_repeats(counts)
    least = sum(met[frozenset(pair)] for pair in by_looking_at_all(order, met))

    assert (quick is None) == (least > 0)
    if quick is not None:
        assert quick == pairing._cheapest(counts)


# Whole tournaments -----------------------------------------------------------------------------


@pytest.mark.parametrize("teams", range(2, 18))
def test_nobody_meets_twice_and_byes_go_around(teams):
    """Nobody meets twice while that can be, and byes go around."""
    rounds = 6
    sheets = tournament(teams, rounds, seed=teams)

    for number in range(1, rounds + 1):
        there = [sheet for sheet in sheets if sheet.round == number]
        assert sorted(t for sheet in there for t in sheet.teams) == list(range(1, teams + 1))
        assert [sheet.is_bye for sheet in there[:-1]] == [False] * (len(there) - 1)
        assert there[-1].is_bye == bool(teams % 2)
    met = meetings(sheets)
    if teams - teams % 2 >= 2 * rounds:  # so many teams always leave somebody new (Dirac)
        assert set(met.values()) == {1}
    byes = Counter(sheet.team_a for sheet in sheets if sheet.is_bye)
    if teams % 2:
        assert max(byes.values()) - min(byes[t] for t in range(1, teams + 1)) <= 1


def test_two_teams_meet_every_round():
    """Two teams meet every round, and take turns as team A."""
    sheets = tournament(2, 6, seed=0)

    assert [sheet.team_a for sheet in sheets[::2]] != [sheet.team_a for sheet in sheets[1::2]]
    assert Counter(sheet.team_a for sheet in sheets) == {1: 3, 2: 3}


def test_bye_goes_to_the_lowest_with_the_fewest():
    """The bye goes to the lowest of those with the fewest."""
    sheets = [bye(Pair(round=k, table=3, team_a=team, team_b=None), time=600)
              for k, team in enumerate((5, 4), 1)]  # fmt: skip

    assert team_with_bye([1, 2, 3, 4, 5], []) == 5
    assert team_with_bye([1, 2, 3, 4, 5], sheets) == 3
    assert team_with_bye([4, 5], sheets) == 5


def test_a_bye_is_not_a_turn_as_team_a():
    sheets = [
        sheet(2, 1, 7, 7, None),
        bye(Pair(round=1, table=2, team_a=3, team_b=None), time=600),
    ]
    pairs = next_pairs([1, 2, 3], sheets)

    assert [(pair.team_a, pair.team_b) for pair in pairs] == [(3, 1), (2, None)]


def test_the_draw_is_that_of_the_seed():
    teams = list(range(1, 9))

    assert draw(teams, 3) == draw(list(reversed(teams)), 3)
    assert len({tuple(draw(teams, seed)) for seed in range(50)}) == 50
    assert sorted(draw(teams, 3)) == teams


@pytest.mark.parametrize("drawn", [None, [1, 2, 3], [1, 2, 3, 3], [1, 2, 3, 5]])
def test_the_draw_must_name_every_team_once(drawn):
    with pytest.raises(TournamentError, match="expected a draw"):
        next_pairs([1, 2, 3, 4], [], drawn=drawn)


def test_one_team_is_no_tournament():
    with pytest.raises(TournamentError, match="at least 2 teams, got 1"):
        next_pairs([1], [], drawn=[1])


# Speed -----------------------------------------------------------------------------------------


def cpu_seconds(call):
    before = time.process_time()
    call()
    return time.process_time() - before


def test_64_teams_are_paired_for_12_rounds_in_no_time():
    assert cpu_seconds(lambda: tournament(64, 12, seed=1)) < 2


@pytest.mark.parametrize("kind", ["all have met", "two halves that have met", "one chance left"])
def test_worst_histories_of_64_teams_are_paired(kind):
    """Going back alone would try more pairings than there are seconds."""
    order = list(range(64))
    pairs = list(itertools.combinations(order, 2))
    met = {
        "all have met": Counter({frozenset(pair): 1 + sum(pair) % 3 for pair in pairs}),
        # The last 21 have met among themselves, and the others' pairings leave an odd number.
        "two halves that have met": Counter(
            {frozenset(p): 1 for p in pairs if (p[0] < 43) != (p[1] < 43) or p[0] >= 43}
        ),
        "one chance left": Counter({frozenset(p): 1 for p in pairs if sum(p) != 63 and sum(p) % 7}),
    }[kind]

    assert cpu_seconds(lambda: best_pairs(order, met)) < 5
