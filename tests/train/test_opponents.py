"""Who is met, how often, and who gets the result."""

from collections import Counter

import numpy as np
import pytest
import torch

from spelkast.agents.agent import Views
from spelkast.agents.network import NetworkConfig, PolicyNetwork
from spelkast.agents.registry import make_agent
from spelkast.envs.engine.streams import new_streams
from spelkast.train.config import OpponentsSection
from spelkast.train.opponents import Opponents
from spelkast.train.selfplay import LEARNER

NETWORK = PolicyNetwork(NetworkConfig(observation=180, actions=150, hidden=(8,)))
NOBODY = np.zeros(0, np.int32)


def weights(value=None):
    """Weights of a network; all the same number if one is given."""
    state = {k: v.clone() for k, v in NETWORK.state_dict().items()}
    if value is not None:
        state["policy_head.bias"] = torch.full_like(state["policy_head.bias"], value)
    return state


@pytest.fixture
def make(tmp_path):
    """Opponents by weights and other settings."""

    def build(opponents, seed=0, **settings):
        config = OpponentsSection(weights=opponents, **settings)
        found = Opponents(
            config,
            NETWORK.config,
            tmp_path / "pool",
            make=lambda name: make_agent(name, "tacocat"),
            seed=seed,
        )
        found.refresh(0, weights(), NOBODY)
        return found

    return build


def names(opponents, count=4000):
    """How often whom, by name."""
    units = np.random.default_rng(0).random((count, 2))
    return Counter(opponents.agent(int(who)).name for who in opponents.draw(units))


def test_opponents_come_by_their_weights(make):
    """Weights need not sum to 1; without a past the present plays for it."""
    found = names(make({"random": 1, "novice": 2, "self": 3, "past": 2}))

    assert found["random"] == pytest.approx(500, abs=70)
    assert found["novice"] == pytest.approx(1000, abs=90)
    assert found["self@0"] == pytest.approx(2500, abs=110)


def test_weight_zero_is_never_met(make):
    """Also for the last in the list."""
    found = names(make({"random": 1, "novice": 0}))

    assert set(found) == {"random"}


def test_past_selves_play_with_the_weights_they_had(make):
    """A snapshot is loaded from its file; the learner's later weights do not touch it."""
    opponents = make({"past": 1.0}, active=1)
    opponents.add_snapshot(10, weights(1.0))
    opponents.refresh(20, weights(2.0), NOBODY)

    (who,) = set(opponents.draw(np.random.default_rng(0).random((50, 2))).tolist())

    assert opponents.agent(who).name == "self@10"
    assert (opponents.agent(who).network.policy_head.bias == 1.0).all()


def test_running_games_keep_their_opponent(make):
    """A refresh keeps the numbers that are still in use, with the same network."""
    opponents = make({"self": 1.0})
    first = int(opponents.draw(np.zeros((1, 2)))[0])
    network = opponents.agent(first).network
    opponents.refresh(5, weights(3.0), np.array([first]))

    second = int(opponents.draw(np.zeros((1, 2)))[0])
    assert second != first
    assert opponents.agent(first).network is network

    opponents.refresh(9, weights(4.0), np.array([second]))
    with pytest.raises(KeyError):
        opponents.agent(first)


def test_hard_past_selves_are_drawn_more_often(make):
    """The one that beats the learner is active more often than the one that loses."""
    opponents = make({"past": 1.0}, active=1, prioritized=1.0)
    for step in (1, 2):
        opponents.add_snapshot(step, weights())
    for member, points in zip(opponents.members, (1.0, 0.0), strict=True):
        for _ in range(50):
            member.recent.add(points)
    active: Counter[int] = Counter()
    for k in range(200):
        opponents.refresh(k, weights(), NOBODY)
        active[opponents.past[opponents.active[0]]] += 1
        for member in opponents.members:  # as hard as before
            member.recent.games = 50.0
            member.recent.points = 50.0 if member.step == 1 else 0.0

    assert active[2] > 190
    uniform = make({"past": 1.0}, active=1, prioritized=0.0, seed=1)
    uniform.members = opponents.members
    evenly: Counter[int] = Counter()
    for k in range(200):
        uniform.refresh(k, weights(), NOBODY)
        evenly[uniform.past[uniform.active[0]]] += 1
    assert abs(evenly[1] - evenly[2]) < 60


def test_results_are_credited_to_whom_they_are_due(make):
    """By kind for the curves, by member for the pool."""
    opponents = make({"random": 0.5, "past": 0.5})
    opponents.add_snapshot(1, weights())
    opponents.refresh(2, weights(), NOBODY)
    past = opponents.active[0]

    for who, points in ((0, 1.0), (0, 0.0), (past, 1.0)):
        opponents.credit(who, points)

    tallies = opponents.take_tallies()
    assert (tallies["random"].games, tallies["random"].points) == (2, 1)
    assert (tallies["past"].games, tallies["past"].points) == (1, 1)
    assert opponents.pool_json()[0]["games"] == 1
    assert opponents.take_tallies()["random"].games == 0


def test_a_full_pool_loses_its_easiest_member(make):
    """Never the newest."""
    opponents = make({"past": 1.0}, pool_size=2)
    opponents.add_snapshot(1, weights())
    opponents.add_snapshot(2, weights())
    for member, points in zip(opponents.members, (0.0, 1.0), strict=True):
        for _ in range(20):
            member.recent.add(points)
    opponents.add_snapshot(3, weights())

    assert [member.step for member in opponents.members] == [1, 3]


def test_state_goes_through_a_file_and_back(make, tmp_path):
    """Pool, running opponents and the stream of choices."""
    opponents = make({"self": 0.5, "past": 0.5}, active=1)
    for step in (1, 2, 3):
        opponents.add_snapshot(step, weights(float(step)))
    opponents.refresh(4, weights(), NOBODY)
    file = tmp_path / "state.pt"
    torch.save(opponents.state(), file)

    other = make({"self": 0.5, "past": 0.5}, active=1, seed=7)
    other.restore(torch.load(file, weights_only=True))

    for k in range(5, 25):
        for each in (opponents, other):
            each.refresh(k, weights(), NOBODY)
        assert opponents.active == other.active
        assert opponents.past == other.past
        assert names(opponents, 50) == names(other, 50)


@pytest.mark.parametrize("deterministic", [True, False])
def test_networks_sample_or_not_as_configured(make, deterministic):
    """With `deterministic` the same position gets the same move; else it varies."""
    agent = make({"self": 1.0}, deterministic=deterministic).agent(0)
    masks = np.ones((200, 150), np.int8)
    views = Views(np.zeros((200, 180), np.float32), masks, np.zeros(200, np.int32))

    actions = agent.act(views, new_streams(0, 200, "agents"))

    assert (len(set(actions.tolist())) == 1) == deterministic


def test_partners_come_by_weights_of_their_own(make):
    """The learner itself, the latest self, and an agent that is no opponent; tallied apart."""
    opponents = make({"random": 1}, partners={"learner": 2, "self": 1, "novice": 1})
    drawn = opponents.draw_partners(np.random.default_rng(0).random((4000, 2)))
    counts = Counter(
        "learner" if who == LEARNER else opponents.agent(int(who)).name for who in drawn
    )

    assert counts["learner"] == pytest.approx(2000, abs=100)
    assert counts["self@0"] == pytest.approx(1000, abs=90)
    assert set(names(opponents)) == {"random"}

    for who in sorted(set(drawn.tolist())):
        opponents.credit_partner(who, 1.0)
    tallies = opponents.take_tallies()
    assert {name for name, tally in tallies.items() if tally.games} == {
        *("with learner", "with self", "with novice"),
    }
