"""The baselines of Tacocat against the rules text: an independent player, and known figures."""

import time
from random import Random
from typing import Any

import numpy as np
import pytest
from positions import batch_of

from spelkast.agents.agent import views_of
from spelkast.agents.heuristics.tacocat.endgame import (
    CARDS_OF,
    FIRST_HAND,
    NUM_HANDS,
    WITHOUT,
    hand_number,
    memo,
    value,
)
from spelkast.agents.heuristics.tacocat.search import (
    SAMPLES,
    best_action,
    draw_hands,
    is_searched,
    strong,
    write_totals,
)
from spelkast.agents.heuristics.tacocat.simple import solid_action
from spelkast.agents.registry import make_agent
from spelkast.envs.engine.batch import Batch
from spelkast.envs.engine.streams import new_streams
from spelkast.envs.tacocat.board import ATTACK, DEFEND, MOVES, NUM_ACTIONS, RANKS
from spelkast.envs.tacocat.game import SPEC

from . import oracle_baselines as oracle
from .oracle import attack_cards, attacks

WEIGHTS: Any = strong.weights.array()  # type: ignore[union-attr]


def counts_of(cards):
    """Copies by rank, `int64[12]`."""
    return np.bincount(np.array(cards, np.int64) - 1, minlength=RANKS).astype(np.int64)


def moves_of(name, batch):
    """What the agent plays in each row, in notation."""
    actions = make_agent(name, "tacocat").act(views_of(batch), new_streams(0, batch.size, "agents"))
    return [MOVES[action] for action in actions]


def positions_of(batch):
    """Each row as the oracle reads it, with the seat to move."""
    return [(SPEC.position(batch.states, row), int(batch.seats[row])) for row in range(batch.size)]


def play_games(first, second, games, *, seed=0):
    """The share of *games* that *first* wins, seats alternating; nothing illegal may be played."""
    batch = Batch(SPEC, games, seed=seed)
    batch.reset()
    streams = new_streams(seed, games, "agents")
    first_seats = np.arange(games) % 2
    running, won = np.ones(games, bool), np.zeros(games)
    while running.any():
        actions = batch.masks.argmax(axis=1).astype(np.int32)
        for agent, is_its_turn in (
            (first, batch.seats == first_seats),
            (second, batch.seats != first_seats),
        ):
            rows = np.flatnonzero(is_its_turn & running).astype(np.int32)
            own = streams[rows]
            actions[rows] = agent.act(views_of(batch, rows), own)
            streams[rows] = own
        batch.check(actions)
        batch.step(actions)
        just_ended = running & (batch.ended > 0)
        won[just_ended] = batch.rewards[just_ended, first_seats[just_ended]] > 0
        running &= batch.ended == 0
    return won.mean()


# novice and solid ------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "player"), [("novice", oracle.novice), ("solid", oracle.solid)])
def test_same_moves_as_the_rules_text(name, player, played, played_variants):
    """[R12.3, R12.4] In thousands of positions of all phases, under all sorts of options."""
    for records in (played, *played_variants):
        batch = batch_of(records)
        expected = [player(position, seat) for position, seat in positions_of(batch)]

        found = moves_of(name, batch)

        assert found == expected


def test_the_positions_show_every_phase_often(played):
    """The comparison above would prove little otherwise."""
    assert np.bincount(played["phase"], minlength=4).min() > 300
    assert (played["trick_lost"] == 1).sum() > 30
    assert (played["attack"].sum(axis=1) > 1).sum() > 100


# strong ----------------------------------------------------------------------------------------


def searched_rows(batch, rng, count):
    """Rows in which `strong` looks ahead, the given number of them."""
    rows = [
        row for row in range(batch.size) if is_searched(batch.observations[row], batch.masks[row])
    ]
    return rng.sample(rows, min(count, len(rows)))


def totals_against(observation, mask, hands):
    """What `strong` adds up for each action for the opponent's hands, by rank `[S, 12]`."""
    numbers = np.array([hand_number(hand) for hand in hands])
    totals, counts = np.zeros(NUM_ACTIONS, np.int64), np.zeros(RANKS, np.int64)
    write_totals(observation, mask, numbers, counts, totals, CARDS_OF, WITHOUT, memo())
    return totals


def choice_against(observation, mask, hands):
    """What `strong` plays if these are the hands that it has guessed."""
    favourite = solid_action(observation, mask, np.zeros(RANKS, np.int64), WEIGHTS)
    if not is_searched(observation, mask):
        return favourite
    return best_action(mask, totals_against(observation, mask, hands), favourite)


def test_strong_searches_where_the_rules_say(played):
    batch = batch_of(played)

    for row, (position, seat) in enumerate(positions_of(batch)):
        found = is_searched(batch.observations[row], batch.masks[row])
        assert found == oracle.is_searched(position, seat)


@pytest.mark.parametrize(
    "count", [pytest.param(40, id="40"), pytest.param(200, id="200", marks=pytest.mark.slow)]
)
def test_strong_adds_up_and_chooses_as_the_rules_text(played, count):
    """[R12.5] The same guessed hands give the same totals and the same move."""
    batch, rng = batch_of(played), Random(11)

    for row in searched_rows(batch, rng, count):
        position, seat = SPEC.position(batch.states, row), int(batch.seats[row])
        samples = oracle.sample_hands(position, seat, rng)
        hands = np.array([counts_of(sample) for sample in samples])
        observation, mask = batch.observations[row], batch.masks[row]

        totals = totals_against(observation, mask, hands)
        move = MOVES[choice_against(observation, mask, hands)]

        found = {MOVES[action]: int(totals[action]) for action in mask.nonzero()[0]}
        assert found == oracle.action_totals(position, seat, samples), position
        assert move == oracle.strong(position, seat, samples), position


def test_strong_chooses_by_the_rules_in_all_options(played_variants):
    """Strong chooses as the rules text says under other options, too."""
    rng = Random(12)

    for records in played_variants:
        batch = batch_of(records)
        for row in searched_rows(batch, rng, 2):
            position, seat = SPEC.position(batch.states, row), int(batch.seats[row])
            samples = oracle.sample_hands(position, seat, rng)[:6]
            hands = np.array([counts_of(sample) for sample in samples])

            action = choice_against(batch.observations[row], batch.masks[row], hands)

            assert MOVES[action] == oracle.strong(position, seat, samples), position


def guessed_hands(observation, stream, count=SAMPLES):
    """Hands as `strong` draws them, as copies by rank `[count, 12]`."""
    hands = np.zeros(count, np.int64)
    counts, pool = np.zeros((2, RANKS), np.int64)
    draw_hands(observation, stream, 0, counts, pool, hands, WEIGHTS)
    packed = CARDS_OF[hands]
    ranks = [[int(cards) >> 4 * i & 15 for i in range(6)] for cards in packed]
    return np.array([counts_of([rank for rank in hand if rank]) for hand in ranks])


def test_strong_searches_with_the_hands_it_draws(played):
    """From the row's stream; elsewhere it plays as `solid` does."""
    batch = batch_of(played[:1000])
    streams = new_streams(13, batch.size, "agents")
    actions = make_agent("strong", "tacocat").act(views_of(batch), streams.copy())
    solid = make_agent("solid", "tacocat").act(views_of(batch), streams.copy())
    searched = 0

    for row in range(batch.size):
        observation, mask = batch.observations[row], batch.masks[row]
        if is_searched(observation, mask):
            searched += 1
            hands = guessed_hands(observation, streams[row : row + 1])
            assert actions[row] == choice_against(observation, mask, hands)
        else:
            assert actions[row] == solid[row]
    assert searched > 200
    assert (actions != solid).sum() > 20


def test_guessed_hands_are_drawn_evenly(played):
    """Guessed hands are drawn evenly from what the opponent may hold.

    [R12.5] Each unseen card that is not below the opponent's floor is as likely as the next.
    """
    batch = batch_of(played)
    rows = searched_rows(batch, Random(14), 400)
    with_floor = [row for row in rows if batch.observations[row, 146] > 0][:10]
    assert len(with_floor) == 10

    for row in (*rows[:20], *with_floor):
        position, seat = SPEC.position(batch.states, row), int(batch.seats[row])
        pool = counts_of(oracle.candidates(position, seat))
        size = oracle.opponent_size(position, seat)

        hands = guessed_hands(batch.observations[row], new_streams(row, 1, "agents"), 4000)

        assert (hands <= pool).all()
        assert (hands.sum(axis=1) == size).all()
        expected = size * pool / pool.sum()
        # The variance of a rank's copies is below their mean: they are not put back.
        assert (np.abs(hands.mean(axis=0) - expected) <= 5 * np.sqrt(expected / 4000)).all()


# Perfect play with open hands ------------------------------------------------------------------


def test_hands_are_numbered_one_by_one():
    """Number -> cards -> number, and every card taken out leads to the hand without it."""
    for size in range(7):
        first = int(FIRST_HAND[size])
        for number in range(first, first + int(NUM_HANDS[size]), 17):
            cards = [int(CARDS_OF[number]) >> 4 * i & 15 for i in range(size)]
            assert cards == sorted(cards)
            assert hand_number(counts_of(cards)) == number
            for j in range(size):
                rest = cards[:j] + cards[j + 1 :]
                assert WITHOUT[number, j] == hand_number(counts_of(rest))


def random_hand(rng, size):
    """Any hand that some deck allows: at most six of a rank."""
    deck = [rank for rank in range(1, 13) for _ in range(6)]
    return tuple(sorted(rng.sample(deck, size)))


def worth(attacker, defender, size, *, attack=0, is_lost=False):
    """The exact worth of two hands, given by their numbers, to the attacker."""
    return value(attacker, defender, size, attack, is_lost, -1, CARDS_OF, WITHOUT, memo())


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5])
def test_open_hands_are_worth_what_plain_search_finds(size):
    """The table of endgames against a search without it."""
    rng, solver = Random(size), oracle.OpenHands()

    for _ in range(60):
        mine, theirs = random_hand(rng, size), random_hand(rng, size)
        numbers = hand_number(counts_of(mine)), hand_number(counts_of(theirs))

        found = worth(*numbers, size)

        assert found == solver.value(mine, theirs, (), is_lost=False), (mine, theirs)
        assert found == worth(*numbers, size)  # now that it is remembered


def test_attacks_under_way_are_worth_as_in_search():
    """Attacks under way are worth what plain search finds.

    Open attack cards of every kind, the trick lost already or not.
    """
    rng, solver = Random(21), oracle.OpenHands()

    for _ in range(150):
        size = rng.randint(2, 6)
        attacker, defender = random_hand(rng, size), random_hand(rng, size)
        cards = attack_cards(rng.choice(attacks(list(attacker))))
        left = list(attacker)
        for card in cards:
            left.remove(card)
        is_lost = rng.random() < 0.3
        packed = sum(card << 4 * i for i, card in enumerate(cards))
        numbers = hand_number(counts_of(left)), hand_number(counts_of(defender))

        found = worth(*numbers, len(left), attack=packed, is_lost=is_lost)

        expected = solver.value(tuple(left), defender, tuple(cards), is_lost=is_lost)
        assert found == expected, (left, defender, cards, is_lost)


# Strength [R12.6] ------------------------------------------------------------------------------


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("first", "second", "games", "low", "high"),
    [
        ("novice", "random", 400, 0.98, 1.0),
        ("solid", "random", 400, 0.99, 1.0),
        ("solid", "novice", 600, 0.85, 0.94),
        ("strong", "novice", 400, 0.87, 0.97),
        ("strong", "solid", 400, 0.52, 0.70),
    ],
)
def test_strength_is_about_what_was_measured(first, second, games, low, high):
    """[R12.6] 99.7, 100, 90, 92 and 61 %: allowing for four standard errors or so."""
    agents = make_agent(first, "tacocat"), make_agent(second, "tacocat")

    share = play_games(*agents, games, seed=31)

    assert low <= share <= high


@pytest.mark.slow
@pytest.mark.compiled
def test_strong_beats_solid_as_often_as_measured():
    """[R12.6] 61 % of 300-600 games; 2,000 games here, so twice the error of both."""
    agents = make_agent("strong", "tacocat"), make_agent("solid", "tacocat")

    assert 0.56 <= play_games(*agents, 2000, seed=32) <= 0.67


# Speed -----------------------------------------------------------------------------------------


def fastest(agent, views):
    """CPU seconds of the best of several calls."""
    times = []
    for _ in range(10):
        streams = new_streams(0, len(views), "agents")
        start = time.process_time()
        agent.act(views, streams)
        times.append(time.process_time() - start)
    return min(times)


@pytest.mark.slow
@pytest.mark.compiled
def test_solid_is_fast(played):
    """1024 decisions of solid take at most 5 milliseconds."""
    views = views_of(batch_of(played[:: len(played) // 1024][:1024]))

    assert fastest(make_agent("solid", "tacocat"), views) <= 0.005


@pytest.mark.slow
@pytest.mark.compiled
def test_solid_is_fast_in_attack_and_defence(played):
    """1024 attacks and defences of solid take at most 5 milliseconds.

    The dearest phases alone.
    """
    views = views_of(batch_of(played[np.isin(played["phase"], (ATTACK, DEFEND))][:1024]))

    assert len(views) == 1024
    assert fastest(make_agent("solid", "tacocat"), views) <= 0.005
