"""Self-play as Stable-Baselines3 sees it."""

import numpy as np
import pytest
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from tiny_runs import random_actions, self_play

from spelkast.envs.engine.errors import IllegalActionError
from spelkast.train.policy import NetworkPolicy
from spelkast.train.vec_env import SelfPlayVecEnv


def make_env(size=8, **settings):
    return SelfPlayVecEnv(self_play(size, **settings))


def test_masks_are_found_where_sb3_looks_for_them():
    """`has_attr` and `env_method` answer; the rows are those of the learners."""
    env = make_env()
    env.reset()

    assert is_masking_supported(env)
    assert (get_action_masks(env) == env.play.batch.masks).all()
    assert (
        np.stack(env.env_method("action_masks", indices=[3])) == env.play.batch.masks[[3]]
    ).all()
    assert not env.has_attr("no_such_thing")
    with pytest.raises(AttributeError, match="no_such_thing"):
        env.env_method("no_such_thing")


def test_infos_tell_seats_and_ends():
    """`seat` always; `terminal_observation` and `episode` at an end and only there."""
    env, rng, ends = make_env(16), np.random.default_rng(0), 0
    env.reset()
    for _ in range(120):
        observations, rewards, dones, infos = env.step(random_actions(env.play, rng))
        assert observations.dtype == rewards.dtype == np.float32
        assert dones.dtype == bool
        assert len(infos) == 16
        for row, info in enumerate(infos):
            assert info["seat"] == env.play.seats[row] == env.play.batch.seats[row]
            assert ("terminal_observation" in info) == ("episode" in info) == dones[row]
            assert "TimeLimit.truncated" not in info
            if dones[row]:
                ends += 1
                assert info["episode"]["r"] == info["finished"].result
                assert info["terminal_observation"].shape == (180,)
                assert not (info["terminal_observation"] == observations[row]).all()
    assert ends > 20


def test_what_is_returned_stays_as_it_was():
    """The next step writes into other arrays."""
    env, rng = make_env(), np.random.default_rng(0)
    first = env.reset()
    kept = first.copy()

    second, rewards, dones, infos = env.step(random_actions(env.play, rng))
    copies = second.copy(), rewards.copy(), dones.copy(), [dict(info) for info in infos]
    while (env.play.rewards == copies[1]).all() or (env.play.dones == copies[2]).all():
        env.step(random_actions(env.play, rng))

    assert (first == kept).all()
    for array, copy in zip((second, rewards, dones), copies, strict=False):
        assert (array == copy).all()
    assert [info["seat"] for info in infos] == [info["seat"] for info in copies[3]]


def test_reward_of_a_timed_out_game_is_untouched():
    """Nothing is added to the reward of a timed-out game.

    A technical end pays its own reward; the buffer of stock MaskablePPO holds just that.
    """
    env = make_env(8, options={"max_decisions": 12})
    model = MaskablePPO(NetworkPolicy, env, n_steps=32, batch_size=64, seed=0, device="cpu")
    model._setup_learn(1000)
    model.collect_rollouts(env, model._init_callback(None), model.rollout_buffer, 32)

    assert model.rollout_buffer.episode_starts[1:].sum() > 20
    assert (model.rollout_buffer.rewards == 0).all()


def test_sb3_contribs_own_evaluation_runs_on_it():
    """`evaluate_policy` plays legal moves only and counts whole games."""
    env = make_env(4)
    model = MaskablePPO(NetworkPolicy, env, n_steps=8, batch_size=16, seed=0, device="cpu")

    rewards, lengths = evaluate_policy(
        model, env, n_eval_episodes=8, return_episode_rewards=True, warn=False
    )

    assert isinstance(rewards, list)
    assert isinstance(lengths, list)
    assert set(rewards) <= {-1.0, 1.0}
    assert len(lengths) >= 8


def test_seed_was_without_effect():
    """It is used at the next reset, and no later, as the interface promises."""
    env, rng = make_env(), np.random.default_rng(0)
    firsts = []
    for seed in (5, 6, 5, None):
        if seed is not None:
            env.seed(seed)
        firsts.append(env.reset().tobytes())
        for _ in range(20):
            env.step(random_actions(env.play, rng))
    assert firsts[0] == firsts[2]
    assert len(set(firsts)) == 3


def test_a_learners_illegal_move_was_blamed_on_its_opponent():
    env = make_env()
    env.reset()
    actions = env.action_masks().argmax(axis=1)
    actions[3] = env.action_masks()[3].argmin()

    with pytest.raises(IllegalActionError, match=f"got action {actions[3]} in row 3"):
        env.step(actions)


def test_actions_were_narrowed_before_they_were_checked():
    """2**32 more than a legal action is none."""
    env = make_env()
    env.reset()

    with pytest.raises(IllegalActionError):
        env.step(env.action_masks().argmax(axis=1) + 2**32)


def test_options_of_a_reset_were_without_effect():
    env = make_env()
    env.set_options({})

    with pytest.raises(ValueError, match="expected no options for a reset"):
        env.set_options([{"arrows": "1110000"}] * env.num_envs)
