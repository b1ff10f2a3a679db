"""Advisers: who may be one, how a changed one is told, and how a network hears what they say."""

import numpy as np
import pytest
import torch
from positions import batch_of
from torch.nn.functional import one_hot

from spelkast.agents.adviser import fingerprint, make_adviser, with_advice
from spelkast.agents.agent import Views, views_of
from spelkast.agents.checkpoint import NetworkAgent
from spelkast.agents.network import NetworkConfig, PolicyNetwork
from spelkast.envs import spec
from spelkast.envs.engine.batch import Batch
from spelkast.envs.engine.errors import UnknownNameError
from spelkast.envs.engine.segments import Windows
from spelkast.envs.engine.streams import new_streams

D, A = 15, 4
SMALL = Windows(
    ring=0, lanes=1, fields=4, offsets=(1, 2), pieces=4, count=2, places=5, first=0, turned=None
)


def network_of(game, gain=100.0):
    """An untrained network of *game* that nothing outweighs its adviser in."""
    shape = spec(game).shape(spec(game).parse_options(None))
    return PolicyNetwork(
        NetworkConfig(
            observation=shape.observation, actions=shape.actions, hidden=(8,), adviser_gain=gain
        )
    )


@pytest.mark.parametrize("text", ["kees", "random", "solidd", "", "runs/demo", "search:rollout"])
def test_only_a_baseline_of_the_game_is_an_adviser(text):
    with pytest.raises(UnknownNameError) as error:
        make_adviser(text, spec("tacocat"))

    hint = "; did you mean 'solid'?" if text == "solidd" else ""
    assert str(error.value) == (
        "expected as adviser a baseline of tacocat (novice, solid, strong, tuned) or an agent "
        f"file, got {text!r}{hint}"
    )


def test_a_fingerprint_tells_baselines_apart():
    """It is always the same for one, and options of the game make another of it."""
    game = spec("tacocat")
    plain, other = game.parse_options(None), game.parse_options({"tie_rule": "arrow"})
    novice, solid = (make_adviser(name, game) for name in ("novice", "solid"))

    found = [fingerprint(a, game, o) for a, o in ((novice, plain), (solid, plain), (novice, other))]

    assert fingerprint(novice, game, plain) == found[0]
    assert len(set(found)) == 3


@pytest.mark.parametrize("hidden", [(8, 8), ()])
@pytest.mark.parametrize("shared", [True, False])
@pytest.mark.parametrize("windows", [None, SMALL])
def test_advice_is_a_one_hot_block_and_a_gain(hidden, shared, windows):
    """The same as a network without adviser that gets a block of A numbers more, and the gain."""
    torch.manual_seed(0)
    config = NetworkConfig(
        observation=D, actions=A, hidden=hidden, shared=shared, windows=windows, adviser_gain=3.0
    )
    network, rng = PolicyNetwork(config), np.random.default_rng(0)
    looked_at, advice = rng.random((6, D), np.float32), rng.integers(A, size=6, dtype=np.int32)
    looked_at[:, 4:14] = 0
    looked_at[:, 5] = looked_at[:, 10] = 1
    network.fit_scale(looked_at)
    block = one_hot(torch.from_numpy(advice).long(), A)
    seen = torch.from_numpy(looked_at)
    around = (network.windows(seen),) if network.windows else ()
    plain = PolicyNetwork(
        NetworkConfig(observation=config.inputs, actions=A, hidden=hidden, shared=shared)
    )
    plain.load_state_dict(
        {k: v for k, v in network.state_dict().items() if k in plain.state_dict()}
    )

    logits, values = network(torch.from_numpy(with_advice(looked_at, advice)))

    expected, judged = plain(torch.cat([seen, *around, block], 1))
    assert torch.allclose(logits, expected + 3.0 * block, atol=1e-5)
    assert torch.allclose(values, judged, atol=1e-5)
    logits.sum().backward()
    assert network.adviser_gain.grad == 6.0


@pytest.mark.parametrize(("game", "name"), [("tacocat", "solid"), ("tokken", "racer")])
def test_a_network_asks_its_adviser_itself(game, name):
    """With records, if that needs them: a network that trusts it alone plays as it does."""
    batch = Batch(spec(game), 32, seed=3)
    batch.reset()
    adviser = make_adviser(name, spec(game))
    agent = NetworkAgent("runs/x", network_of(game), adviser=adviser, deterministic=True)
    streams, redraws = (new_streams(4, 32, p) for p in ("agents", "determinize"))

    for _ in range(12):
        views = views_of(batch, None, redraws)
        actions = agent.act(views, streams)
        assert np.array_equal(actions, adviser.act(views, streams.copy()))
        batch.step(actions)

    assert agent.needs_states == adviser.needs_states
    assert agent.name == f"runs/x (adviser {name})"


class Drawing:
    """An adviser that draws so many numbers for its first legal action."""

    name, needs_states = "drawing", False

    def __init__(self, numbers):
        self.numbers = numbers
        self.asked = 0

    def act(self, views, streams):
        self.asked += 1
        streams += np.uint64(self.numbers)
        return views.masks.argmax(1).astype(np.int32)


def test_what_an_adviser_draws_changes_no_choice(played):
    """Its numbers come from streams of its own: only what it says counts."""
    views = views_of(batch_of(played[:64]))
    found = []
    for numbers in (0, 7):
        streams = new_streams(5, 64, "agents")
        agent = NetworkAgent("x", network_of("tacocat", 1.0), adviser=Drawing(numbers))
        found.append((agent.act(views, streams).tolist(), streams.tolist()))

    assert found[0] == found[1]


def test_advice_that_is_there_is_not_asked_for(played):
    views = views_of(batch_of(played[:8]))
    adviser = Drawing(1)
    agent = NetworkAgent("x", network_of("tacocat"), adviser=adviser, deterministic=True)
    last = (views.masks.shape[1] - 1 - views.masks[:, ::-1].argmax(1)).astype(np.int32)
    told = Views(views.observations, views.masks, views.seats, None, last)

    assert np.array_equal(agent.act(told, new_streams(5, 8, "agents")), last)
    assert adviser.asked == 0
