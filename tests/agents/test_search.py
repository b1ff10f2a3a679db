"""Searches: what they find, what they cost, and that they see no more than their seat does."""

from time import perf_counter

import numpy as np
import pytest

from games import gifts
from games.gifts import GIVE, GUESS, TAKE
from games.gifts import ROLL as DIE
from games.pig.board import HOLD, ROLL
from games.pig.game import SPEC as PIG
from games.pig.heuristics import BASELINES as PIG_BASELINES
from games.slag.game import SPEC as SLAG
from games.slag.heuristics import BASELINES as SLAG_BASELINES
from spelkast.agents.agent import FromRecords, KernelAgent, Views, WithScratch, views_of
from spelkast.agents.registry import make_agent
from spelkast.agents.search.decision import is_better
from spelkast.agents.search.guided import GuidedAgent
from spelkast.agents.search.ismcts import DEPTH, TreeAgent
from spelkast.agents.search.playouts import DEALT, Room, lead
from spelkast.agents.search.rollout import Budget, RolloutAgent
from spelkast.agents.search.tree import Tree, add_node, find, key_of
from spelkast.envs.engine.batch import Batch
from spelkast.envs.engine.errors import NoLegalActionError, SpelkastError
from spelkast.envs.engine.jit import kernel
from spelkast.envs.engine.streams import new_streams

HOLDER, TAKER = PIG_BASELINES["holder"], SLAG_BASELINES["taker"]
LENGTH = 15
"""Decisions of a game of Slag: three seats lay five cards each."""


def searcher(spec=PIG, choice=HOLDER, **budget):
    return RolloutAgent("search", spec, choice, budget=Budget(**budget or {"decisions": 3000}))


def tree_searcher(spec=PIG, choice=HOLDER, *, simulations=400, depth=DEPTH):
    return TreeAgent("search", spec, choice, simulations=simulations, depth=depth)


def rollouts_of(spec, choice):
    return searcher(spec, choice, decisions=900)


def small_tree_of(spec, choice):
    return tree_searcher(spec, choice, simulations=100)


def random_tree_of(spec, choice):
    return tree_searcher(spec, None)


class Oracle:
    """A guide without a network: it plays as a baseline does, and expects what *value* says."""

    name, needs_states = "oracle", True

    def __init__(self, choice, value=lambda views: np.zeros(len(views), np.float32)):
        self.agent, self.value = KernelAgent("oracle", choice), value

    def act(self, views, streams):
        return self.agent.act(views, streams)

    def judge(self, views, streams):
        logits = np.zeros(views.masks.shape, np.float32)
        logits[np.arange(len(views)), self.act(views, streams)] = 1.0
        return logits, self.value(views)

    def worth(self, result, observation):
        return result


def guided_of(spec, choice):
    """Every try goes on to the end of the game."""
    return GuidedAgent("search", spec, Oracle(choice), simulations=600, depth=10**6)


every_search = pytest.mark.parametrize(
    "search", [rollouts_of, tree_searcher, random_tree_of, guided_of]
)
searches_with_policy = pytest.mark.parametrize("search", [rollouts_of, small_tree_of, guided_of])


def pig(*rows):
    """Views of rows of (seat to move, points of both, points of this turn), goal 100."""
    batch = Batch(PIG, len(rows), options={"goal": 100}, seed=0)
    batch.reset()
    for row, (mover, points, turn) in enumerate(rows):
        batch.states[row]["mover"], batch.states[row]["turn"] = mover, turn
        batch.states[row]["points"][:] = points
    batch.refresh()
    return views_of(batch, streams=new_streams(0, batch.size, "determinize"))


def slag(moves, *, size=8, redraws=0):
    """Views of games of Slag after so many moves of the baseline."""
    batch, streams = Batch(SLAG, size, seed=4), new_streams(5, size, "agents")
    batch.reset()
    for _ in range(moves):
        views = views_of(batch, streams=new_streams(6, size, "determinize"))
        batch.step(KernelAgent("taker", TAKER).act(views, streams))
    return views_of(batch, streams=new_streams(redraws, size, "determinize"))


def one(views, row):
    """The views of one row alone."""
    here = slice(row, row + 1)
    return Views(views.observations[here], views.masks[here], views.seats[here], views.states[here])


def test_rollouts_find_what_the_baseline_misses():
    """The other seat is about to win: to hold at 20 loses five times in six, a 4 to 6 wins now."""
    views = pig((0, (76, 98), 20), (1, (98, 76), 20))
    streams = new_streams(1, 2, "agents")

    assert KernelAgent("holder", HOLDER).act(views, streams).tolist() == [HOLD, HOLD]
    assert searcher().act(views, streams).tolist() == [ROLL, ROLL]


def test_rollouts_keep_what_the_baseline_has_right():
    """To hold wins at once."""
    views = pig((0, (90, 98), 20), (1, (98, 85), 15))

    assert searcher().act(views, new_streams(1, 2, "agents")).tolist() == [HOLD, HOLD]


@every_search
@pytest.mark.parametrize(
    ("position", "best"),
    [
        # A die that pays 3 on average, and a seat that would be glad of 9.
        ({"players": 3, "worth": (2, 6, 9, 3)}, DIE),
        ({"players": 4, "partners": True, "worth": (2, 2, 3, 3)}, GIVE),
        ({"players": 4, "partners": False, "worth": (2, 2, 3, 3)}, TAKE),
        # Whoever saw the card would guess at once, or never.
        ({"players": 2, "worth": (2, 2, 0, 3), "card": 0}, TAKE),
        ({"players": 2, "worth": (2, 2, 0, 15), "card": 1}, GUESS),
    ],
    ids=["dice and three seats", "two teams", "no teams", "hidden card", "hidden card, not held"],
)
def test_every_search_finds_the_known_best_move(search, position, best):
    """For every seat, with dice, with a partner, and with cards that only the average decides."""
    agent = search(gifts.SPEC, gifts.TAKER)

    for seat in range(position["players"]):
        found = agent.search(gifts.views(seat, **position), new_streams(seat, 1, "agents"), 0)
        assert found.action == best, seat


@searches_with_policy
def test_a_row_of_a_search_is_blind_to_other_rows(search):
    """The same choices and streams for all rows at once and one by one, and in a second run."""
    agent, views = search(SLAG, TAKER), slag(2)
    whole = new_streams(3, len(views), "agents")
    expected = agent.act(views, whole).tolist()

    alone = [new_streams(3, len(views), "agents")[k : k + 1] for k in range(len(views))]
    found = [int(agent.act(one(views, k), alone[k])[0]) for k in range(len(views))]

    assert found == expected
    assert np.concatenate(alone).tolist() == whole.tolist()


@searches_with_policy
@pytest.mark.parametrize("moves", [0, 4])
def test_hidden_cards_do_not_change_a_search(search, moves):
    """Whatever hands the others are dealt in the records, the same is found and the same drawn."""
    agent, found, left = search(SLAG, TAKER), [], []
    for redraws in (0, 1):
        views, streams = slag(moves, redraws=redraws), new_streams(3, 8, "agents")
        found.append([agent.search(views, streams, row) for row in range(8)])
        left.append(streams.tolist())

    assert (slag(moves, redraws=0).states != slag(moves, redraws=1).states).all()
    assert found[0] == found[1]
    assert left[0] == left[1]


@pytest.mark.parametrize("search", [rollouts_of, small_tree_of])
def test_what_a_search_found_is_told_in_full(search):
    """To hold at 20 wins at once: shares of the games for each action, and what they brought."""
    found = search(PIG, HOLDER).search(pig((1, (98, 85), 15)), new_streams(1, 1, "agents"), 0)

    assert (found.action, found.default) == (HOLD, HOLD)
    assert sum(found.shares.values()) == pytest.approx(1.0)
    assert found.shares.keys() == {HOLD, ROLL}
    assert (found.reward, found.lead) == (1.0, 100 - 98)


@kernel
def lowest(states, masks, seats, streams, out):
    """Lay the lowest card."""
    for row in range(out.size):
        for card in range(masks.shape[1] - 1, -1, -1):
            if masks[row, card]:
                out[row] = card


@pytest.mark.parametrize(("wanted", "depth"), [(2, 1), (4, 1), (4, 2)])
def test_a_guide_decides_how_a_try_stands(wanted, depth):
    """Of the cards in hand it wants to keep all but one: that one is laid."""
    views = slag(0, size=1)
    hand = np.flatnonzero(views.masks[0])
    choice = FromRecords(lowest)
    guide = Oracle(choice, lambda views: np.float32(views.states["at"][:, hand[wanted]] != 0))
    agent = GuidedAgent("search", SLAG, guide, simulations=200, depth=depth)

    found = agent.search(views, new_streams(1, 1, "agents"), 0)

    assert (found.default, found.action) == (hand[0], hand[wanted])
    assert sum(found.shares.values()) == pytest.approx(1.0)


@pytest.mark.parametrize("simulations", [1, 4, 5, 100])
def test_a_guided_search_makes_no_more_tries(simulations):
    """Five cards make a block; each try ends when the seat is to move again."""
    agent = GuidedAgent("search", SLAG, Oracle(TAKER), simulations=simulations, depth=1)

    found = agent.search(slag(0, size=1), new_streams(1, 1, "agents"), 0)

    assert found.simulated <= 5 * simulations
    assert (found.simulated > 0) == (simulations >= 5)


def test_a_tree_finds_what_takes_several_moves():
    """70 and 20 points, and the other seat about to win: to go on beyond one roll is the plan.

    In rollouts the baseline holds after that roll, so that it seems in vain.
    """
    views = pig((0, (70, 98), 20), (1, (98, 70), 20))

    assert searcher().act(views, new_streams(1, 2, "agents")).tolist() == [HOLD, HOLD]
    assert tree_searcher().act(views, new_streams(1, 2, "agents")).tolist() == [ROLL, ROLL]


@pytest.mark.parametrize("simulations", [1, 7, 16, 17, 400])
def test_a_tree_makes_its_simulations(simulations):
    """Each a game of Slag that is stopped after 3 decisions; with few the baseline's is kept."""
    agent = tree_searcher(SLAG, TAKER, simulations=simulations, depth=3)

    found = agent.search(slag(0, size=1), new_streams(1, 1, "agents"), 0)

    assert found.simulated == 3 * simulations
    assert sum(found.shares.values()) == pytest.approx(1.0)
    assert len(found.shares) == (1 if simulations <= 16 else 2 if simulations == 17 else 5)


def test_a_tree_finds_its_nodes_by_what_is_seen():
    """Every number and the seat count; nodes whose keys lead to one place are told apart."""
    seen = np.zeros(3, np.float32)
    keys = {int(key_of(seen.view(np.uint32), seat)) for seat in range(2)}
    for k in range(3):
        changed = seen.copy()
        changed[k] = 1.0
        keys.add(int(key_of(changed.view(np.uint32), 0)))
    assert len(keys) == 5

    tree, same = Tree.of(4, 2, np.zeros(1, np.uint64)), [np.uint64(5), np.uint64(5 + 2**32)]
    places = []
    for key in same:
        place = find(tree, key)
        add_node(tree, place, key, 0)
        places.append(place)

    assert len({*places}) == 2
    assert [find(tree, key) for key in same] == places


@pytest.mark.parametrize(
    ("depth", "limit", "expected"),
    [(99, 1000, (4, 4 * 5 * LENGTH)), (99, 160, (2, 160)), (3, 1000, (4, 4 * 5 * 3))],
)
def test_playouts_count_their_decisions(depth, limit, expected):
    """Every game of Slag is equally long; a block beyond the limit is given up, and not counted."""
    agent, views = searcher(SLAG, TAKER), slag(0, size=1)
    shape = SLAG.shape(SLAG.parse_options(None))
    candidates = np.flatnonzero(views.masks[0]).astype(np.int32)
    room, samples = Room.of(SLAG.record, shape, TAKER), np.full((4, 5, 2), np.nan)
    teams, own = np.arange(3, dtype=np.int32), new_streams(1, 1, "agents")

    done = agent.play_blocks(
        views.states, 0, teams, candidates, own, room, samples, depth, 10**9, limit
    )

    assert done == expected
    assert np.isfinite(samples[: done[0]]).all()


@kernel
def watch(states, masks, seats, streams, out, seen):
    """Note where the cards are at the first decision; lay the lowest card."""
    for card in range(masks.shape[1] - 1, -1, -1):
        if masks[0, card]:
            out[0] = card
    if seen[0] < 0:
        for card in range(masks.shape[1]):
            seen[card] = int(states[0]["at"][card])


def test_a_baseline_in_a_playout_sees_no_hands():
    """What it reads is re-drawn for the seat to move: not the hands of the game."""
    choice = FromRecords(WithScratch(watch, lambda num_actions: (np.full(num_actions, -1),)))
    agent, views = searcher(SLAG, choice), slag(0, size=1)
    room = Room.of(SLAG.record, SLAG.shape(SLAG.parse_options(None)), choice)
    lowest, teams = (
        np.flatnonzero(views.masks[0])[:1].astype(np.int32),
        np.arange(3, dtype=np.int32),
    )
    own, samples = new_streams(1, 1, "agents"), np.zeros((1, 1, 2))

    agent.play_blocks(views.states, 0, teams, lowest, own, room, samples, 99, 99, 99)

    seen, dealt = room.scratch[0], room.states[DEALT]["at"]
    assert ((seen == 1) == (dealt == 1)).all()  # the seat's own hand
    assert (seen != dealt).sum() > 1  # more than the card that was laid


@pytest.mark.parametrize("budget", [1, 74, 75, 1000, 5000])
def test_a_search_keeps_within_its_budget(budget):
    """The first block of five cards takes 75 decisions; with less the baseline's choice stands."""
    found = searcher(SLAG, TAKER, decisions=budget).search(
        slag(0, size=1), new_streams(1, 1, "agents"), 0
    )

    assert budget * 0.9 < found.simulated <= budget
    assert (found.reward is not None) == (budget >= 75)
    assert found.reward is not None or found.action == found.default


@searches_with_policy
def test_one_legal_action_needs_no_search(search):
    agent, streams = search(PIG, HOLDER), new_streams(1, 1, "agents")
    before = streams.tolist()

    found = agent.search(pig((0, (0, 0), 0)), streams, 0)

    assert (found.action, found.simulated, streams.tolist()) == (ROLL, 0, before)


def test_seconds_end_a_search():
    agent, views = searcher(seconds=0.1), pig((0, (20, 20), 12))
    agent.act(views, new_streams(1, 1, "agents"))  # what has to be compiled is
    begun = perf_counter()

    found = agent.search(views, new_streams(1, 1, "agents"), 0)

    assert found.reward is not None
    assert 0.1 <= perf_counter() - begun < 5.0


def test_chance_is_the_same_for_all_candidates():
    """Two names for one action: every block brings both the same."""
    agent, views = searcher(), pig((0, (20, 20), 12))
    room = Room.of(PIG.record, PIG.shape(PIG.parse_options(None)), HOLDER)
    samples, twice = np.zeros((50, 2, 2)), np.array([ROLL, ROLL], np.int32)
    teams, own = np.arange(2, dtype=np.int32), new_streams(1, 1, "agents")

    agent.play_blocks(views.states, 0, teams, twice, own, room, samples, 10**9, 10**9, 10**9)

    assert (samples[:, 0] == samples[:, 1]).all()
    assert len(np.unique(samples[:, 0, 0])) == 2


@pytest.mark.parametrize(
    ("teams", "expected"), [([0, 1, 0, 1], 4 - 5), ([0, 1, 2, 3], 5 - 9), ([0, 0, 0, 0], 4.5)]
)
def test_a_side_leads_the_best_other_side(teams, expected):
    """By the mean score of its seats."""
    scores = np.array([5, 1, 3, 9], np.float32)

    assert lead(scores, np.array(teams, np.int32), teams[0]) == expected


def test_luck_does_not_change_the_choice():
    """Not equal games, not a few good ones, not a lead that varies more than it is."""
    samples = np.zeros((40, 2, 2))
    assert not is_better(samples, caution=2.0)
    samples[:, 1] = 1.0
    assert is_better(samples, caution=2.0)
    assert not is_better(samples[:7], caution=2.0)
    samples[::2, 1] = -0.8
    assert not is_better(samples, caution=2.0)


def test_a_search_has_to_be_shown_records():
    views = pig((0, (20, 20), 12))
    blind = Views(views.observations, views.masks, views.seats)

    with pytest.raises(ValueError, match="expected views with records for 'search', got none"):
        searcher().act(blind, new_streams(1, 1, "agents"))


def test_a_search_without_a_legal_action_is_an_error():
    views = pig((0, (20, 20), 12))
    views.masks[:] = 0

    with pytest.raises(NoLegalActionError, match="'search' has no move"):
        searcher().act(views, new_streams(1, 1, "agents"))


def test_a_search_is_made_from_its_text():
    text = "search:rollout,policy=solid,budget=60000,depth=40"
    agent = make_agent(text, "tacocat")

    assert isinstance(agent, RolloutAgent)
    assert (agent.name, agent.needs_states) == (text, True)
    assert agent.budget == Budget(decisions=60000, depth=40)
    tree = make_agent("search:ismcts,depth=9,simulations=400", "tacocat")
    assert isinstance(tree, TreeAgent)
    assert (tree.simulations, tree.depth, tree.baseline) == (400, 9, None)
    timed = make_agent("search:rollout,seconds=0.25,policy=strong", "tacocat")
    assert isinstance(timed, RolloutAgent)
    assert timed.budget == Budget(seconds=0.25)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("search:", "expected a search (rollout, ismcts, guided), got ''"),
        ("search:rollot,policy=solid", "got 'rollot' (did you mean 'rollout'?)"),
        ("search:rollout", "got no policy in 'search:rollout'"),
        ("search:rollout,budget=9", "got no policy"),
        ("search:rollout,policy=solid", "got neither budget nor seconds"),
        ("search:rollout,policy=solid,budget=9,seconds=1", "got both"),
        ("search:rollout,policy=soild,budget=9", "'soild' (did you mean 'solid'?)"),
        ("search:rollout,policy=runs/demo,budget=9", "expected a baseline of tacocat as policy"),
        ("search:rollout,policy=,budget=9", "(novice, solid, strong, tuned), got ''"),
        ("search:rollout,policy=solid,bugdet=9", "got 'bugdet' (did you mean 'budget'?)"),
        ("search:rollout,policy=solid,budget", "expected NAME=VALUE"),
        ("search:rollout,policy=solid,budget=9,", "expected NAME=VALUE"),
        ("search:rollout,policy=solid,budget=9,budget=9", "expected budget once"),
        ("search:rollout,policy=solid,budget=0", "1 to 1000000000, got '0'"),
        ("search:rollout,policy=solid,budget=-1", "got '-1'"),
        ("search:rollout,policy=solid,budget=6e4", "got '6e4'"),
        ("search:rollout,policy=solid,budget=" + "9" * 5000, "got '999"),
        ("search:rollout,policy=solid,budget=9,depth=0", "expected depth as simulated decisions"),
        ("search:rollout,policy=solid,simulations=9", "NAME=VALUE of search:rollout (policy, "),
        ("search:ismtcs,simulations=9", "(did you mean 'ismcts'?)"),
        ("search:ismcts", "got no simulations in 'search:ismcts'"),
        ("search:ismcts,policy=solid", "expected search:ismcts,simulations=GAMES,policy=BASELINE"),
        ("search:ismcts,simulations=9,budget=9", "search:ismcts (simulations, policy, depth), got"),
        ("search:ismcts,simulation=9", "got 'simulation' (did you mean 'simulations'?)"),
        ("search:ismcts,simulations=0", "simulations as games, 1 to 1000000, got '0'"),
        ("search:ismcts,simulations=1000001", "got '1000001'"),
        ("search:ismcts,simulations=9,depth=0", "expected depth as simulated decisions"),
        ("search:ismcts,simulations=9,policy=", "(novice, solid, strong, tuned), got ''"),
        ("search:rollout,policy=solid,seconds=0", "expected seconds above 0, at most 3600, got"),
        ("search:rollout,policy=solid,seconds=nan", "got 'nan'"),
        ("search:rollout,policy=solid,seconds=3601", "got '3601'"),
    ],
)
def test_impossible_searches_are_refused_in_a_line(text, message):
    with pytest.raises(SpelkastError) as error:
        make_agent(text, "tacocat")

    assert message in str(error.value)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 1000
