"""The policy and the update give the numbers of sb3-contrib's, faster."""

import numpy as np
import pytest
import torch
from gymnasium import spaces
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer
from tiny_runs import self_play

from spelkast.agents.network import NetworkConfig, PolicyNetwork, masked_log_softmax
from spelkast.agents.sampling import best_legal, sample_legal
from spelkast.envs.engine.streams import new_streams
from spelkast.train.policy import NetworkPolicy, judge
from spelkast.train.ppo import SelfPlayPPO
from spelkast.train.sb3 import RolloutArrays
from spelkast.train.vec_env import SelfPlayVecEnv

D, A, B = 180, 150, 64


@pytest.fixture
def batch():
    """Random observations, masks with a few legal actions, and legal actions."""
    torch.manual_seed(0)
    masks = torch.rand(B, A) < 0.04
    masks[torch.arange(B), torch.randint(A, (B,))] = True
    actions = torch.multinomial(masks.float(), 1).squeeze(1)
    return torch.rand(B, D), masks, actions


def stock_and_ours():
    """The stock policy and ours with the same weights: separate towers, tanh."""
    box, discrete = spaces.Box(-1, 1, (D,), np.float32), spaces.Discrete(A)
    stock = MaskablePPO.policy_aliases["MlpPolicy"](
        box, discrete, lambda _: 1e-3, net_arch={"pi": [32, 16], "vf": [32, 16]}
    )
    network = NetworkConfig(
        observation=D, actions=A, hidden=(32, 16), activation="tanh", shared=False
    )
    ours = NetworkPolicy(box, discrete, lambda _: 1e-3, network=network)
    copy_weights(stock, ours)
    return stock, ours


def copy_weights(stock, ours):
    """Give *ours* the weights of *stock*."""
    target = ours.network
    target.policy_tower.load_state_dict(stock.mlp_extractor.policy_net.state_dict())
    target.value_tower.load_state_dict(stock.mlp_extractor.value_net.state_dict())
    target.policy_head.load_state_dict(stock.action_net.state_dict())
    target.value_head.load_state_dict(stock.value_net.state_dict())


def test_evaluates_actions_as_the_stock_policy_does(batch):
    """Values, log-probabilities and entropies are equal to 1e-6."""
    stock, ours = stock_and_ours()
    observations, masks, actions = batch

    expected = stock.evaluate_actions(observations, actions, action_masks=masks)
    found = ours.evaluate_actions(observations, actions, action_masks=masks)

    for name, one, other in zip(("value", "log_prob", "entropy"), expected, found, strict=True):
        assert torch.allclose(one, other, atol=1e-6), name


def test_slopes_are_those_of_the_stock_policy(batch):
    """The gradient of a loss in all three outputs is the same."""
    stock, ours = stock_and_ours()
    observations, masks, actions = batch
    weights = torch.randn(3, B)

    for policy in (stock, ours):
        values, log_probs, entropies = policy.evaluate_actions(
            observations, actions, action_masks=masks
        )
        (values.flatten() @ weights[0] + log_probs @ weights[1] + entropies @ weights[2]).backward()

    pairs = [
        (stock.action_net.weight, ours.network.policy_head.weight),
        (stock.mlp_extractor.policy_net[0].weight, ours.network.policy_tower[0].weight),
        (stock.mlp_extractor.value_net[2].bias, ours.network.value_tower[2].bias),
    ]
    for one, other in pairs:
        assert torch.allclose(one.grad, other.grad, atol=1e-5)


@pytest.mark.parametrize("scale", [1.0, 10.0, 1000.0])
def test_compiled_loss_equals_masked_log_softmax(batch, scale):
    """The compiled softmax over legal actions and torch's over all agree, also far out."""
    _, masks, actions = batch
    logits = (torch.randn(B, A) * scale).requires_grad_()
    weights = torch.randn(2, B)
    slopes = []
    for use_torch in (True, False):
        if use_torch:
            table = masked_log_softmax(logits, masks)
            chosen = table.gather(1, actions.unsqueeze(1)).squeeze(1)
            entropy = -(table.exp() * table).sum(1)
        else:
            chosen, entropy = judge(logits, masks, actions)
        (chosen @ weights[0] + entropy @ weights[1]).backward()
        slopes.append(logits.grad.clone())
        logits.grad = None
        if use_torch:
            expected = (chosen, entropy)

    assert torch.allclose(chosen, expected[0], atol=1e-4 * scale)
    assert torch.allclose(entropy, expected[1], atol=1e-4)
    assert torch.isfinite(slopes[1]).all()
    assert torch.allclose(slopes[0], slopes[1], atol=1e-4)
    assert (slopes[1][~masks] == 0).all()


def test_only_legal_actions_are_sampled():
    """Illegal actions are never sampled, and legal ones by their probability.

    20,000 draws follow the softmax over the legal logits.
    """
    logits = np.zeros((20_000, 5), np.float32)
    logits[:] = [0.0, 9.0, 1.0, 2.0, 9.0]
    masks = np.zeros((20_000, 5), np.int8)
    masks[:, [0, 2, 3]] = 1
    actions, log_probs = np.empty(20_000, np.int32), np.empty(20_000, np.float32)

    assert sample_legal(logits, masks, new_streams(1, 20_000, "agents"), actions, log_probs) == -1

    odds = np.exp([0.0, 1.0, 2.0]) / np.exp([0.0, 1.0, 2.0]).sum()
    shares = np.bincount(actions, minlength=5) / 20_000
    assert shares[[1, 4]].tolist() == [0, 0]
    assert np.abs(shares[[0, 2, 3]] - odds).max() < 0.015
    assert np.allclose(log_probs[actions == 3], np.log(odds[2]), atol=1e-6)


def test_an_empty_mask_is_found():
    """Sampling names the row that has nothing to choose from."""
    masks = np.array([[1, 0], [0, 0]], np.int8)
    logits, actions = np.zeros((2, 2), np.float32), np.empty(2, np.int32)

    assert best_legal(logits, masks, actions) == 1
    streams = new_streams(1, 2, "agents")
    assert sample_legal(logits, masks, streams, actions, np.empty(2, np.float32)) == 1


def make_model(model_class=SelfPlayPPO, **settings):
    """A model over self-play; both classes get the same settings."""
    env = SelfPlayVecEnv(self_play(16))
    network = NetworkConfig(observation=D, actions=A, hidden=(32, 32))
    common = {
        "n_steps": 8,
        "batch_size": 32,
        "n_epochs": 3,
        "ent_coef": 0.01,
        "policy_kwargs": {"network": network},
        "device": "cpu",
        "seed": 5,
        **settings,
    }
    if model_class is SelfPlayPPO:
        return SelfPlayPPO(env, **common)
    return MaskablePPO(NetworkPolicy, env, **common)


def test_update_gives_the_weights_of_the_stock_one():
    """From the same rollout, our `train` and sb3-contrib's lead to the same weights."""
    ours, stock = make_model(), make_model(MaskablePPO)
    ours._setup_learn(1000)
    stock._setup_learn(1000)
    stock.policy.load_state_dict(ours.policy.state_dict())
    ours.collect_rollouts(ours.env, None, ours.rollout_buffer, 8)
    source, target = ours.rollout_buffer, stock.rollout_buffer
    target.reset()
    for name in (
        "observations", "actions", "values", "log_probs", "advantages", "returns", "action_masks",
    ):  # fmt: skip
        getattr(target, name)[...] = getattr(source, name)
    target.full = True

    for model in (ours, stock):
        np.random.seed(9)
        model._current_progress_remaining = 0.5
        model.train()

    before = make_model().policy.state_dict()
    for name, weights in ours.policy.state_dict().items():
        assert torch.allclose(weights, stock.policy.state_dict()[name], atol=2e-6), name
    moved = ours.policy.state_dict()["network.policy_head.weight"]
    assert not torch.allclose(moved, before["network.policy_head.weight"], atol=1e-4)


def test_minibatches_are_those_of_the_stock_buffer():
    """Same random order, same rows."""
    spaces_ = (spaces.Box(-1, 1, (3,), np.float32), spaces.Discrete(4))
    buffers = [
        kind(5, *spaces_, "cpu", n_envs=6) for kind in (RolloutArrays, MaskableRolloutBuffer)
    ]
    rng = np.random.default_rng(0)
    for _ in range(5):
        step = (
            rng.random((6, 3), np.float32), rng.integers(4, size=(6, 1)), rng.random(6),
            rng.random(6) < 0.3, torch.rand(6), torch.rand(6),
        )  # fmt: skip
        masks = rng.random((6, 4)) < 0.5
        for buffer in buffers:
            buffer.add(*step, action_masks=masks)
    batches = []
    for buffer in buffers:
        buffer.compute_returns_and_advantage(torch.ones(6), np.zeros(6, bool))
        np.random.seed(1)
        batches.append(list(buffer.get(7)))

    assert len(batches[0]) == len(batches[1]) == 5
    for one, other in zip(*batches, strict=True):
        for name, theirs in zip(other._fields, other, strict=True):
            assert torch.equal(getattr(one, name).float(), theirs.float()), name


def test_the_policy_learns_in_stock_maskable_ppo():
    """Our policy and environment work where users bring their own MaskablePPO."""
    model = make_model(MaskablePPO)

    model.learn(16 * 8 * 2)

    assert model.num_timesteps == 256
    observation, mask = model.env.reset(), model.env.env_method("action_masks")
    actions, _ = model.predict(observation, action_masks=np.stack(mask), deterministic=True)
    assert all(mask[row][action] for row, action in enumerate(actions))


def test_extreme_logits_never_break_the_loss(batch):
    """500 passes with large weights give finite losses (the stock distribution once raised)."""
    _, masks, actions = batch
    torch.manual_seed(1)
    for _ in range(500):
        logits = (torch.randn(B, A) * 300).requires_grad_()
        log_probs, entropies = judge(logits, masks, actions)
        (log_probs.mean() + entropies.mean()).backward()
        assert torch.isfinite(log_probs).all()
        assert torch.isfinite(entropies).all()
        slopes = logits.grad
        assert slopes is not None
        assert torch.isfinite(slopes).all()


def test_scaled_inputs_are_part_of_the_weights():
    """Shift and scale are saved and loaded with the network."""
    config = NetworkConfig(observation=3, actions=2, hidden=(4,))
    network, other = PolicyNetwork(config), PolicyNetwork(config)
    network.fit_scale(np.random.default_rng(0).random((100, 3)).astype(np.float32))

    other.load_state_dict(network.state_dict())

    looked_at = torch.rand(5, 3)
    assert other.is_scaled
    assert torch.equal(network(looked_at)[0], other(looked_at)[0])
