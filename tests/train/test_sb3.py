"""What training takes from inside Stable-Baselines3: where it does, and that it is still there.

If a new version turns one of these red, mend `train/sb3.py`, then the version in its docstring.
"""

import ast
import inspect
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.vec_env import VecEnv
from tiny_runs import same_weights, self_play

from spelkast import train
from spelkast.agents.network import NetworkConfig
from spelkast.train import sb3
from spelkast.train.policy import NetworkPolicy
from spelkast.train.ppo import SelfPlayPPO
from spelkast.train.vec_env import SelfPlayVecEnv

NETWORK = NetworkConfig(observation=180, actions=150, hidden=(8,))


def model(**settings: Any) -> SelfPlayPPO:
    """A small learner of Tacocat."""
    common = {"n_steps": 4, "batch_size": 32, "n_epochs": 2, "seed": 5, "device": "cpu"}
    policy = {"network": NETWORK}
    return SelfPlayPPO(
        SelfPlayVecEnv(self_play(16)), policy_kwargs=policy, **{**common, **settings}
    )


def names_in(text: str) -> set[str]:
    """The attributes that a module reads or sets, and the methods that it defines."""
    nodes = list(ast.walk(ast.parse(text)))
    parts = [part for node in nodes if isinstance(node, ast.ClassDef) for part in node.body]
    methods = {part.name for part in parts if isinstance(part, ast.FunctionDef)}
    return methods | {node.attr for node in nodes if isinstance(node, ast.Attribute)}


def test_one_module_knows_names_with_an_underscore():
    """No other in `train/` reads, sets or replaces what Stable-Baselines3 keeps to itself."""
    stock = MaskablePPO("MlpPolicy", SelfPlayVecEnv(self_play(2)), n_steps=2, batch_size=2)
    private = {
        name
        for owner in (stock, stock.policy, stock.rollout_buffer, VecEnv)
        for name in dir(owner)
        if name.startswith("_") and not name.startswith("__")
    }
    folder = Path(str(train.__file__)).parent
    found = {path.name: names_in(path.read_text()) & private for path in folder.glob("*.py")}

    assert found.pop("sb3.py") >= {"_setup_learn", "_n_updates", "_update_learning_rate", "_build"}
    assert not {name: names for name, names in found.items() if names}


@pytest.mark.parametrize(
    ("owner", "name", "first"),
    [
        (MaskablePPO, "_setup_learn", ["self", "total_timesteps"]),
        (MaskablePPO, "_update_learning_rate", ["self", "optimizers"]),
        (MaskablePPO, "train", ["self"]),
        (
            MaskablePPO,
            "collect_rollouts",
            ["self", "env", "callback", "rollout_buffer", "n_rollout_steps", "use_masking"],
        ),
        (MaskableActorCriticPolicy, "_build", ["self", "lr_schedule"]),
        (MaskableActorCriticPolicy, "_get_constructor_parameters", ["self"]),
        (MaskableRolloutBuffer, "reset", ["self"]),
        (MaskableRolloutBuffer, "get", ["self", "batch_size"]),
        (
            MaskableRolloutBuffer,
            "compute_returns_and_advantage",
            ["self", "last_values", "dones"],
        ),
    ],
)
def test_methods_in_use_have_their_arguments(owner, name, first):
    """Methods that are called or replaced have their arguments.

    Each is still there, and takes what it took.
    """
    version = metadata.version("sb3-contrib")
    method = getattr(owner, name, None)

    assert method is not None, f"sb3-contrib {version} has no {owner.__name__}.{name}"
    found = list(inspect.signature(method).parameters)
    assert found[: len(first)] == first, f"{owner.__name__}.{name} in sb3-contrib {version}"


def test_arrays_of_the_stock_rollout_are_all_filled():
    """Arrays of the stock rollout are those that are filled.

    Names, shapes and types; the masks alone are kept as bytes.
    """
    env = SelfPlayVecEnv(self_play(3))
    spaces = env.observation_space, env.action_space
    stock, ours = (
        kind(5, *spaces, "cpu", n_envs=3) for kind in (MaskableRolloutBuffer, sb3.RolloutArrays)
    )
    for buffer in (stock, ours):
        buffer.reset()
    arrays = {k: a for k, a in vars(stock).items() if isinstance(a, np.ndarray)}

    assert set(arrays) == {
        *("observations", "actions", "values", "log_probs", "advantages", "returns"),
        *("rewards", "episode_starts", "action_masks"),
    }
    for name, array in arrays.items():
        same = getattr(ours, name)
        assert same.shape == array.shape, name
        assert name == "action_masks" or same.dtype == array.dtype, name
    assert (stock.pos, stock.full) == (0, False)


def test_updates_one_by_one_are_those_of_learn():
    """`begin` and `step_once` leave the weights and the counts that SB3's own loop leaves."""
    whole = model()  # seeds NumPy's global generator, so the other one is made after its end
    whole.learn(3 * 64)

    stepped = model()
    stepped.begin(3 * 64)
    for left in (1.0, 0.7, 0.4):
        stepped.step_once(left)

    assert same_weights(whole.policy.state_dict(), stepped.policy.state_dict())
    assert whole.num_timesteps == stepped.num_timesteps == 192
    assert whole._n_updates == stepped._n_updates == 6
    assert not same_weights(whole.policy.state_dict(), model().policy.state_dict())


def test_rates_follow_what_is_left():
    """Learning rate and clip range are asked with the share of the run that is still to come."""
    learner = model(learning_rate=lambda left: left / 8, clip_range=lambda left: left / 2)
    learner.begin(1000)

    learner.step_once(0.25)

    assert [group["lr"] for group in learner.policy.optimizer.param_groups] == [0.25 / 8]
    assert learner.begin_epochs() == 0.25 / 2


def test_minibatches_are_drawn_by_the_global_generator():
    """Minibatches are drawn from NumPy's global generator.

    So its state is part of a checkpoint, and with it the next order is the same.
    """
    learner = model()
    learner.begin(64)
    state = learner.state()
    expected = np.random.permutation(64)

    learner.restore(state)
    learner.rollout_buffer.full = True
    samples = next(learner.rollout_buffer.get())
    learner.restore(state)

    assert np.array_equal(np.random.permutation(64), expected)
    assert len(samples.actions) == 64


def test_a_policy_is_saved_and_loaded_by_sb3(tmp_path):
    """`policy.save` keeps the network's configuration beside the weights."""
    policy = model().policy
    policy.save(str(tmp_path / "policy.pt"))

    loaded = NetworkPolicy.load(str(tmp_path / "policy.pt"), device="cpu")

    assert loaded.network_config == NETWORK
    assert same_weights(loaded.state_dict(), policy.state_dict())
    assert torch.equal(loaded.network.shift, policy.network.shift)


def test_a_callback_of_learn_was_never_called():
    """It hears of every step, and may stop."""
    heard, learner = [], model()

    def stop(within: Any, _: Any) -> bool:
        heard.append(within["t"])
        return len(heard) < 6

    learner.learn(3 * 64, callback=stop)

    assert heard == [*range(learner.n_steps), 0, 1][:6]
    assert learner.num_timesteps == 6 * learner.n_envs


def test_a_learner_that_was_saved_could_not_be_loaded(tmp_path):
    """Without games it predicts, with games it goes on."""
    learner = model()
    learner.learn(64)
    learner.save(tmp_path / "learner.zip")

    loaded = SelfPlayPPO.load(tmp_path / "learner.zip", device="cpu")
    assert same_weights(loaded.policy.state_dict(), learner.policy.state_dict())
    with pytest.raises(TypeError, match="expected a SelfPlayVecEnv without a wrapper, got None"):
        loaded.step_once(1.0)

    other = SelfPlayVecEnv(self_play(16))
    loaded = SelfPlayPPO.load(tmp_path / "learner.zip", env=other, device="cpu")
    loaded.learn(64)
    assert loaded.play is other.play


def test_other_games_and_seeds_were_without_effect():
    """`set_env` and `set_random_seed` do what MaskablePPO promises."""
    learner, games = model(), SelfPlayVecEnv(self_play(16))
    before = learner.choices.copy()
    learner.set_env(games)
    learner.set_random_seed(8)

    assert learner.play is games.play
    assert not (learner.choices == before).any()
    with pytest.raises(ValueError, match="expected use_masking"):
        learner.learn(64, use_masking=False)
