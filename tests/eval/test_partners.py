"""Mixed partners and cross-play: who sits where, what is fair, what strangers lose."""

import json
from collections import Counter

import numpy as np
import pytest

from spelkast.agents.registry import make_agent
from spelkast.envs import spec
from spelkast.envs.engine.errors import OptionsError
from spelkast.envs.engine.replay import read_replays, verify
from spelkast.eval.cross import cross_play, pairs_of
from spelkast.eval.games import play_games
from spelkast.eval.match import play_match
from spelkast.eval.plan import MatchPlan
from spelkast.eval.report import cross_report, match_report, verdict
from spelkast.eval.seating import FIRST, SECOND, seat

TOKKEN = spec("tokken")
SHORT = {"max_decisions": 100}
TEAMS = [[0, 2], [1, 3]]
THREE_TEAMS = [[0, 3], [1, 4], [2, 5]]


class Named:
    """An agent with a name; plays the first legal action, or tries an illegal one."""

    needs_states = False

    def __init__(self, name, *, cheats=False):
        self.name = name
        self.cheats = cheats

    def act(self, views, streams):
        return np.argmax(views.masks, axis=1) if not self.cheats else np.full(len(views), -1)


A, B, C, D = map(Named, "ABCD")


def plan_of(first, second, *, options=None, **keywords):
    parsed = TOKKEN.parse_options(options)
    return MatchPlan(spec=TOKKEN, options=parsed, agents=(first, second), **keywords)


def rows(table):
    return ["".join(table.names(rotation)) for rotation in range(table.rotations)]


def agents_of(*names):
    return [make_agent(name, "tokken") for name in names]


def match(first, second, *, options=None, **keywords):
    return play_match(TOKKEN, options, first, second, **{"games": 24, "seed": 5, **keywords})


# Seats -----------------------------------------------------------------------------------------


def test_without_partners_each_side_is_taken_once():
    assert rows(seat(TEAMS, A, B)) == ["ABAB", "BABA"]
    assert rows(seat([[0], [1], [2]], A, B)) == ["ABB", "BAB", "BBA"]


def test_partners_sit_in_both_orders_on_both_sides():
    assert rows(seat(TEAMS, A, B, partner=C)) == ["ABCB", "CBAB", "BABC", "BCBA"]


def test_two_partners_meet_in_every_order():
    """With two partners, every order meets every order."""
    table = seat(TEAMS, A, B, partner=C, other_partner=D)
    found = rows(table)

    assert table.rotations == len(set(found)) == 8
    assert {row[0::2] for row in found} == {row[1::2] for row in found} == {"AC", "CA", "BD", "DB"}
    for name in "ABCD":
        assert Counter(row.index(name) for row in found) == dict.fromkeys(range(4), 2)


def test_in_three_teams_all_others_are_mixed_alike():
    table = seat(THREE_TEAMS, A, B, partner=C, other_partner=D)

    assert table.rotations == 12
    assert rows(table)[0] == "ABBCDD"
    assert (table.num_sides, table.teams.tolist()) == (3, [0, 1, 2, 0, 1, 2])
    assert table.sides.tolist() == [0] * 4 + [1] * 4 + [2] * 4


@pytest.mark.parametrize("mates", [{"partner": A}, {"other_partner": B}, {}])
def test_an_agent_is_no_partner_of_its_own(mates):
    table = seat(TEAMS, A, B, **mates)

    assert table.partners == (None, None)
    assert rows(table) == ["ABAB", "BABA"]


@pytest.mark.parametrize("mates", [{"partner": C}, {"other_partner": C}])
def test_partners_need_teams(mates):
    with pytest.raises(OptionsError, match="expected a game with teams for the partner 'C'"):
        seat([[0], [1], [2]], A, B, **mates)


# Matches ---------------------------------------------------------------------------------------


def test_all_games_of_a_deal_have_one_stream():
    played = play_games(plan_of(A, B, options=SHORT, games=24, seed=5, partners=(C, D)))

    assert (played.chance.reshape(3, 8) == played.chance[::8, None]).all()
    assert len(set(played.chance.tolist())) == 3


def test_each_agent_decides_for_its_own_seats_only():
    asked: dict[str, set[int]] = {}

    class Watcher(Named):
        def act(self, views, streams):
            asked.setdefault(self.name, set()).update(views.seats.tolist())
            return super().act(views, streams)

    a, b, c = map(Watcher, "ABC")
    options = {**SHORT, "first_dealer": 3}
    mates = (c, None)
    play_games(plan_of(a, b, options=options, games=1, seed=1, partners=mates, batch=4))

    # "ABCB", "CBAB", "BABC", "BCBA": everybody has every seat in turn.
    assert asked == {"A": {0, 1, 2, 3}, "B": {0, 1, 2, 3}, "C": {0, 1, 2, 3}}


def test_equal_teams_are_even_on_every_deal():
    """A C against C A: the teams change sides in the same games."""
    a, c = agents_of("racer", "random")
    played = play_games(plan_of(a, c, games=24, seed=2, partners=(c, a)))

    assert (played.by_deal(played.points) == 0.5).all()
    assert len(set(played.scores[:, 0].tolist())) > 1


def test_other_team_sees_the_match_from_its_side():
    """The other team sees the same match from the other side."""
    racer, random, kees = agents_of("racer", "random", "kees")
    one = match(racer, random, partner=kees)
    other = match(random, racer, other_partner=kees)

    assert one.wins
    assert (one.wins, one.draws, one.losses) == (other.losses, other.draws, other.wins)
    assert one.mean_scores == pytest.approx(other.mean_scores[::-1])
    assert one.score == pytest.approx(1 - other.score)
    assert one.mean_rank == pytest.approx(3 - other.mean_rank)


def test_order_of_partners_does_not_matter():
    """It does not matter which partner is named first."""
    racer, random, kees = agents_of("racer", "random", "kees")
    one = match(kees, racer, partner=random)
    other = match(random, racer, partner=kees)

    assert 0 < one.score == other.score < 1
    assert one.mean_scores == pytest.approx(other.mean_scores)


def test_results_do_not_depend_on_the_batch():
    racer, random, kees = agents_of("racer", "random", "kees")
    one, other = (match(racer, kees, partner=random, batch=size) for size in (5, 512))

    assert one.score == other.score
    assert one.decisions == other.decisions


def test_results_go_by_seats_of_the_first_agent():
    """Results are given by the seats of the first agent."""
    result = match(A, B, options=SHORT, partner=C)

    assert (result.partner, result.other_partner, result.agents) == ("C", None, ["A", "B", "C"])
    assert (result.games, result.deals) == (24, 6)
    assert [(side.seats, side.games) for side in result.per_seat] == [
        ([seat], 6) for seat in range(4)
    ]


@pytest.mark.parametrize(
    ("cheat", "place", "illegal_by"),
    [
        ("A", 2, [4, 0, 0, 0]),
        ("B", 1, [0, 4, 0, 0]),
        ("C", 2, [0, 0, 4, 0]),
        ("D", 1, [0, 0, 0, 4]),
    ],
)
def test_a_cheat_loses_for_its_side(cheat, place, illegal_by):
    a, b, c, d = (Named(name, cheats=name == cheat) for name in "ABCD")
    result = match(a, b, options=SHORT, partner=c, other_partner=d, games=8)

    assert result.mean_rank == place
    assert result.illegal == 8
    assert [2 * count for count in illegal_by] == result.illegal_by
    assert str(verdict(result)) == f"{cheat} tried 8 illegal actions: no verdict."


def test_records_name_everybody_by_seat(tmp_path):
    path = tmp_path / "games.jsonl"
    match(A, B, options=SHORT, partner=C, games=4, record=path)
    replays = list(read_replays(path))

    assert ["".join(replay.agents) for replay in replays] == ["ABCB", "CBAB", "BABC", "BCBA"]
    assert all(verify(TOKKEN, replay) for replay in replays)


# Cross-play ------------------------------------------------------------------------------------


def cross(*names, against, games=24, **keywords):
    agents = agents_of(*names)
    by_name = {agent.name: agent for agent in agents}
    other = by_name.get(against) or make_agent(against, "tokken")
    return cross_play(TOKKEN, None, agents, against=other, games=games, seed=3, **keywords)


def test_cross_play_is_a_match_for_every_pair():
    found = cross("racer", "random", against="kees")
    racer, random, kees = agents_of("racer", "random", "kees")
    same = [(racer, None), (racer, random), (random, None)]

    assert [(pair.first, pair.partner) for pair in found.pairs] == [
        ("racer", None), ("racer", "random"), ("random", None),
    ]  # fmt: skip
    for pair, (first, partner) in zip(found.pairs, same, strict=True):
        expected = play_match(TOKKEN, None, first, kees, partner=partner, games=24, seed=3)
        assert pair.score == expected.score
        assert pair.mean_scores == expected.mean_scores


def test_gap_is_of_the_deals_that_all_pairs_played():
    """The gap is taken on the deals that all pairs played.

    Mixed pairs need four games a deal, others two: of 24 games 6 deals and 12.
    """
    found = cross("racer", "random", against="racer")
    mixed, same = found.pairs[1], (found.pairs[0], found.pairs[2])

    assert [pair.deals for pair in found.pairs] == [12, 6, 12]
    assert found.gap is not None
    assert found.gap.deals == 6
    assert found.gap.with_others == pytest.approx(mixed.score)
    assert found.gap.difference == pytest.approx(found.gap.with_others - found.gap.with_itself)
    assert found.gap.low < found.gap.difference < found.gap.high
    assert same[0].score == 0.5  # racer against racer


def test_a_single_agent_has_no_gap():
    found = cross("racer", against="racer", games=4)

    assert (len(found.pairs), found.gap) == (1, None)


def test_cross_play_as_json_and_on_paper():
    found = cross("racer", "random", against="racer", games=8)
    told = found.to_json()

    assert json.loads(json.dumps(told)) == told
    assert [pair["members"] for pair in told["pairs"]] == [
        ["racer", "racer"], ["racer", "random"], ["random", "random"],
    ]  # fmt: skip
    assert cross_report(found, title="Tokken", seed=3)
    assert match_report(found.pairs[1], title="Tokken", seed=3)


def test_cross_play_counts_its_games_for_the_progress():
    counts: list[int] = []
    cross("racer", "random", against="racer", games=5, progress=counts.append)

    assert sum(counts) == 6 + 8 + 6


@pytest.mark.parametrize(
    ("names", "options", "message"),
    [
        (("racer", "racer"), {}, "expected different agents to pair up, got 'racer' twice"),
        (("racer", "random"), {"players": 3}, "expected a game with teams for the partner"),
    ],
)
def test_cross_play_refuses_before_it_plays(names, options, message):
    """Cross-play refuses what cannot be before it plays."""
    first, *others = agents_of(*names)
    plan = plan_of(first, A, options=options, games=8, seed=0)
    with pytest.raises(OptionsError, match=message):
        pairs_of(plan, others)


def test_roles_have_fixed_numbers():
    table = seat(TEAMS, A, B, other_partner=D)

    assert [agent.name for agent in table.agents] == ["A", "B", "D"]
    assert (table.table[0] == [FIRST, SECOND, FIRST, 2]).all()
