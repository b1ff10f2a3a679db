"""One learner per row, opponents inside: nobody's reward, seat, mask or opponent gets mixed up."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from tiny_runs import TACOCAT, FixedCompany, random_actions, self_play

from games.pig.game import SPEC as PIG
from spelkast.agents.registry import make_agent
from spelkast.envs.engine.errors import OptionsError
from spelkast.train.selfplay import LEARNER, Finished, SelfPlay

SHAPING = {"rounds I won / 4": 2.0, "rounds the opponent won / 4": -2.0}


def play_games(play, count, seed=0):
    """The first *count* games that end under random play, with the rewards each row was paid."""
    rng = np.random.default_rng(seed)
    paid = np.zeros(play.batch.size)
    games: list[tuple[Finished, float, np.void]] = []
    while len(games) < count:
        play.step(random_actions(play, rng))
        paid += play.rewards
        for game in play.finished:
            games.append((game, paid[game.row], play.batch.finals[game.row].copy()))
            paid[game.row] = 0.0
    return games


def test_rewards_of_a_game_sum_to_its_result():
    """Over 1,000 games each learner gets the reward of its seat, no matter who moved last."""
    games = play_games(self_play(32), 1000)

    results: Counter[float] = Counter()
    for game, paid, final in games:
        records = final.reshape(1)
        rewards = np.zeros(2, np.float32)
        TACOCAT.verbs.returns(records, 0, rewards)
        assert paid == rewards[game.seat] == game.result
        results[float(paid)] += 1
    assert min(results[1.0], results[-1.0]) > 100


def test_shaped_rewards_sum_to_result_and_change():
    """Rewards with shaping sum to the result and the change of the segments.

    Rounds won and lost are paid as they happen, over the whole game once.
    """
    games = play_games(self_play(32, shaping=SHAPING), 300)

    for game, paid, final in games:
        scores = TACOCAT.infos(final.reshape(1), 0)["scores"]
        rounds = scores[game.seat] - scores[1 - game.seat]
        assert paid == pytest.approx(game.result + 0.5 * rounds, abs=1e-5)
        assert game.reward == pytest.approx(paid, abs=1e-5)


def test_shaping_is_paid_when_it_happens():
    """Most of the shaped reward arrives before the end."""
    play, rng = self_play(32, shaping=SHAPING), np.random.default_rng(1)
    early = 0
    for _ in range(60):
        play.step(random_actions(play, rng))
        running = play.rewards[~play.dones]
        assert set(np.unique(np.abs(running))) <= {0.0, 0.5, 1.0}
        early += int(np.count_nonzero(running))

    assert early > 50


def test_unknown_segment_is_named():
    """A shaping key that is no segment lists those there are."""
    with pytest.raises(OptionsError, match=r"rounds I won / 4.*got 'rounds'"):
        self_play(2, shaping={"rounds": 1.0})


def test_learner_seats_rotate():
    """Every row changes seats from game to game, so both seats are played equally."""
    games = [game for game, _, _ in play_games(self_play(32), 400)]

    for row in range(32):
        seats = [game.seat for game in games if game.row == row]
        assert len(seats) > 4
        assert all(one != other for one, other in pairwise(seats))
    assert abs(2 * sum(game.seat for game in games) - 400) <= 32


def test_rows_wait_for_their_learner():
    """Rows wait for their learner, with its own view and mask.

    After every step the seat to move is the learner's; view and mask are that seat's.
    """
    play, rng = self_play(16, skip_forced=False), np.random.default_rng(2)
    view = np.zeros(180, np.float32)
    mask = np.zeros(150, np.int8)
    for _ in range(100):
        play.step(random_actions(play, rng))
        assert (play.batch.seats == play.seats).all()
        for row in range(16):
            TACOCAT.verbs.observe(play.batch.states, row, int(play.seats[row]), view)
            TACOCAT.verbs.legal_mask(play.batch.states, row, mask)
            assert (play.batch.observations[row] == view).all()
            assert (play.batch.masks[row] == mask).all()
            assert mask.any()


def test_forced_moves_are_no_decisions():
    """With `skip_forced` every decision has a choice; without it there are forced ones."""
    choices = {}
    for skip in (True, False):
        play, rng, least = self_play(16, skip_forced=skip), np.random.default_rng(2), []
        for _ in range(60):
            play.step(random_actions(play, rng))
            least.append(play.batch.masks.sum(1).min())
        choices[skip] = min(least)

    assert choices == {True: 2, False: 1}


def test_end_is_seen_from_the_learners_seat():
    """The terminal observation is the final position as the learner sees it, before the reset."""
    view = np.zeros(180, np.float32)
    for game, _, final in play_games(self_play(16), 50):
        TACOCAT.verbs.observe(final.reshape(1), 0, game.seat, view)
        assert (game.terminal_observation == view).all()
        assert (view[:4] == 0).all()  # no phase: the game is over


class Spy(FixedCompany):
    """Notes which opponent is asked in which row."""

    def __init__(self, *names):
        super().__init__(*names)
        self.asked = []

    def agent(self, who):
        self.asked.append(who)
        return super().agent(who)


def test_opponents_stay_for_a_whole_game():
    """Opponents stay from the beginning of a game to its end.

    Within a game the cast of a row never changes, and its results go to that cast.
    """
    company = Spy("random", "novice", "solid", "random")
    play = SelfPlay(TACOCAT, 16, company, seed=4)
    play.reset()
    rng, before, ends = np.random.default_rng(0), play.cast.copy(), 0
    for _ in range(150):
        company.credits.clear()
        play.step(random_actions(play, rng))
        running = ~play.dones
        assert (play.cast[running] == before[running]).all()
        credited = Counter(company.credits)
        expected = Counter((int(before[game.row].max()), game.points) for game in play.finished)
        assert credited == expected
        ends += len(play.finished)
        before = play.cast.copy()

    assert ends > 30
    assert (np.sort(play.cast, axis=1)[:, 0] == LEARNER).all()
    assert len(set(company.asked)) == 4


def test_timed_out_games_end_with_their_reward():
    """The technical cap ends a game like any other: done, reward 0, half a point."""
    play = self_play(8, options={"max_decisions": 12})
    games = play_games(play, 20)

    assert all(game.result == 0 and game.points == 0.5 and paid == 0 for game, paid, _ in games)


def test_rows_do_not_depend_on_how_many_there_are():
    """The first eight rows play the same games beside 8 or 24 others."""
    recorded = []
    for size in (8, 32):
        play, seen = self_play(size), []
        for _ in range(60):
            first = play.batch.masks.argmax(1).astype(np.int32)
            play.step(first)
            seen.append((play.batch.observations[:8].copy(), play.rewards[:8].copy()))
        recorded.append(seen)

    for (observations, rewards), (others, other_rewards) in zip(*recorded, strict=True):
        assert (observations == others).all()
        assert (rewards == other_rewards).all()


def test_state_continues_exactly():
    """Games restored in the middle go on with the same cards, seats and opponents."""
    play, rng = self_play(16, shaping=SHAPING), np.random.default_rng(0)
    for _ in range(30):
        play.step(random_actions(play, rng))
    saved, state = play.state(), rng.bit_generator.state
    expected = []
    for _ in range(60):
        play.step(random_actions(play, rng))
        expected.append((play.batch.observations.copy(), play.rewards.copy(), play.cast.copy()))

    other = self_play(16, shaping=SHAPING, seed=99)
    other.restore(saved)
    rng.bit_generator.state = state
    for observations, rewards, cast in expected:
        other.step(random_actions(other, rng))
        assert (other.batch.observations == observations).all()
        assert (other.rewards == rewards).all()
        assert (other.cast == cast).all()


class PigCompany(FixedCompany):
    """Random opponents for Pig."""

    def __init__(self):
        self.agents = [make_agent("random", "tacocat")]  # plays by the mask: any game
        self.credits = []


def test_games_without_a_learners_move_do_not_count():
    """Games that end before the learner moves are not theirs.

    In a Pig to 2 points the opponent may win at once: no reward without a decision.
    """
    play = SelfPlay(PIG, 64, PigCompany(), options={"goal": 2}, seed=0)
    play.reset()
    rng, lengths = np.random.default_rng(0), []
    for _ in range(50):
        play.step(random_actions(play, rng))
        lengths += [game.length for game in play.finished]
        for game in play.finished:
            assert play.rewards[game.row] == game.result
        assert len({game.row for game in play.finished}) == len(play.finished)

    assert min(lengths) == 1
