"""Teams in self-play: who sits with whom, whose decisions are learned from, who is credited."""

from collections import Counter

import numpy as np
import pytest
from tiny_runs import random_actions

from spelkast.agents.registry import make_agent
from spelkast.agents.shaping import shaping_columns
from spelkast.envs import spec
from spelkast.envs.engine.errors import OptionsError
from spelkast.train.config import OpponentsSection
from spelkast.train.selfplay import LEARNER, SelfPlay, seats_by_side

TOKKEN = spec("tokken")
PROGRESS = "progress of each pawn, most advanced first, by seat"
SHAPING = {f"{PROGRESS}[{4 * k}:{4 * k + 4}]": 0.1 * (-1) ** k for k in range(4)}


class Company:
    """Random players under the numbers 0 to 2 as opponents; *partner* as the partner."""

    def __init__(self, partner: int) -> None:
        self.partner = partner
        self.player = make_agent("random", "tokken")
        self.asked: set[int] = set()
        self.credits: list[tuple[int, float]] = []
        self.partner_credits: list[tuple[int, float]] = []

    def draw(self, units):
        return (units[:, 0] * 3).astype(np.int32)

    def draw_partners(self, units):
        return np.full(len(units), self.partner, np.int32)

    def agent(self, who):
        self.asked.add(who)
        return self.player

    def credit(self, who, points):
        self.credits.append((who, points))

    def credit_partner(self, who, points):
        self.partner_credits.append((who, points))


def team_play(partner, *, rows=8, shaping=None, **options):
    options = {"max_decisions": 80, **options}
    play = SelfPlay(TOKKEN, rows, Company(partner), options=options, seed=5, shaping=shaping)
    play.reset()
    return play


def play_on(play, steps):
    """Random decisions; yields after each step."""
    rng = np.random.default_rng(0)
    for _ in range(steps):
        play.step(random_actions(play, rng))
        yield play


def test_seats_by_side():
    """Partners and other sides, clockwise from the learner."""
    partners, opponents = seats_by_side(np.array([0, 1, 0, 1]))
    assert partners.tolist() == [[2], [3], [0], [1]]
    assert opponents.tolist() == [[[1, 3]], [[2, 0]], [[3, 1]], [[0, 2]]]

    partners, opponents = seats_by_side(np.array([0, 1, 2, 0, 1, 2]))
    assert partners[1].tolist() == [4]
    assert opponents[1].tolist() == [[2, 5], [3, 0]]

    partners, opponents = seats_by_side(np.array([0, 1, 2]))
    assert partners.shape == (3, 0)
    assert opponents[2].tolist() == [[0], [1]]


def test_learner_on_both_seats_decides_for_both():
    """Every decision is one of the learner's team, seen from the seat that makes it."""
    play, view = team_play(LEARNER), np.zeros(698, np.float32)
    deciding: Counter[bool] = Counter()
    for _ in play_on(play, 60):
        for row in range(play.batch.size):
            seat, own = int(play.batch.seats[row]), int(play.seats[row])
            assert seat % 2 == own % 2
            assert (np.flatnonzero(play.cast[row] == LEARNER) % 2 == own % 2).all()
            TOKKEN.verbs.observe(play.batch.states, row, seat, view)
            assert (play.batch.observations[row] == view).all()
            deciding[seat == own] += 1

    assert min(deciding.values()) > 100
    assert LEARNER not in play.company.asked


def test_named_partner_decides_for_itself():
    """Only the learner's own seat waits; its partner is asked like an opponent."""
    play = team_play(7)
    for _ in play_on(play, 40):
        assert (play.batch.seats == play.seats).all()
        assert (play.cast[np.arange(8), (play.seats + 2) % 4] == 7).all()

    assert 7 in play.company.asked


@pytest.mark.parametrize("partner", [LEARNER, 7])
def test_results_go_to_opponents_once_and_to_partner(partner):
    """Results go to the opposing team once, and to the partner.

    Two opponents who are one agent are credited once a game; the partner apart.
    """
    play, ends = team_play(partner), 0
    for _ in play_on(play, 60):
        games = play.finished
        ends += len(games)
        for game in games:
            assert game.partners == (partner,)
            assert len(game.opponents) == 2
            assert len(set(game.opponents)) == 1
        credited = Counter((game.opponents[0], game.points) for game in games)
        assert Counter(play.company.credits) == credited
        assert Counter(play.company.partner_credits) == Counter(
            (partner, game.points) for game in games
        )
        play.company.credits.clear()
        play.company.partner_credits.clear()

    assert ends > 8


@pytest.mark.parametrize("partner", [LEARNER, 7])
def test_team_is_paid_its_result_and_its_progress_once(partner):
    """Over a game the rewards sum to the team's result and the change of its shaped numbers."""
    play, paid, ends = team_play(partner, shaping=SHAPING), np.zeros(8), 0
    rewards = np.zeros(4, np.float32)
    columns, weights = shaping_columns(TOKKEN, SHAPING, play.batch.options)
    for _ in play_on(play, 60):
        paid += play.rewards
        for game in play.finished:
            TOKKEN.verbs.returns(play.batch.finals, game.row, rewards)
            assert game.result == rewards[game.seat]
            # All pawns wait in their yards at the start: the sum is 0 then.
            change = float(game.terminal_observation[columns] @ weights)
            assert paid[game.row] == pytest.approx(game.result + change, abs=1e-5)
            assert game.reward == pytest.approx(paid[game.row], abs=1e-5)
            paid[game.row] = 0.0
            ends += 1

    assert ends > 8


def test_games_without_teams_ask_for_no_partner():
    """Three single players: each of the others is drawn alone."""
    company = Company(LEARNER)
    company.draw_partners = None  # type: ignore[assignment]
    play = SelfPlay(TOKKEN, 16, company, options={"players": 3, "max_decisions": 30}, seed=1)
    play.reset()
    casts = set()
    for _ in play_on(play, 20):
        casts |= {tuple(sorted(row)) for row in play.cast.tolist()}

    assert (LEARNER, 0, 1) in casts
    assert all(cast.count(LEARNER) == 1 for cast in casts)


def test_part_of_a_segment_can_be_shaped():
    """A slice counts from the segment's first number; a wrong one is named."""
    options = TOKKEN.parse_options(None)
    columns, weights = shaping_columns(TOKKEN, SHAPING, options)
    assert columns.tolist() == list(range(276, 292))
    assert weights == pytest.approx(([0.1] * 4 + [-0.1] * 4) * 2)

    for wrong in (f"{PROGRESS}[4:17]", f"{PROGRESS}[4:4]"):
        with pytest.raises(OptionsError, match=r"part of the 16 numbers.*got"):
            shaping_columns(TOKKEN, {wrong: 1.0}, options)


def test_learner_is_no_opponent():
    """The learner as its own opponent is called self."""
    with pytest.raises(ValueError, match="'self' for the learner"):
        OpponentsSection(weights={"learner": 1.0})
