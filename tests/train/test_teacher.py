"""Imitation: the learner comes to choose as its teacher does, and nothing else changes."""

import tomllib
from typing import Any

import numpy as np
import pytest
import torch
from tiny_runs import TACOCAT, quiet, same_weights, tiny, weights_of

from spelkast.agents.agent import views_of
from spelkast.agents.checkpoint import NetworkAgent, load_tensors, save_tensors
from spelkast.agents.registry import make_agent
from spelkast.envs import spec
from spelkast.envs.engine.batch import Batch
from spelkast.envs.engine.errors import SpelkastError
from spelkast.envs.engine.streams import new_streams
from spelkast.train.config import ImitationSection, load_config, parse_config
from spelkast.train.policy import judge
from spelkast.train.run import train
from spelkast.train.teacher import Teacher
from spelkast.train.trainer import Trainer

IMITATION = {"teacher": "novice", "weight": 2.0, "steps": 4096}


def agreement(trainer, name):
    """How often the network's likeliest action is the choice of *name*, in games of *name*."""
    batch = Batch(TACOCAT, 64, seed=11)
    batch.reset()
    teacher, streams = make_agent(name, "tacocat"), new_streams(11, 64, "agents")
    learner = NetworkAgent("learner", trainer.network, deterministic=True)
    same = asked = 0
    for _ in range(40):
        views = views_of(batch)
        actions = teacher.act(views, streams)
        free = views.masks.sum(1) > 1
        same += int((learner.act(views, streams) == actions)[free].sum())
        asked += int(free.sum())
        batch.step(actions)
    return same / asked


def test_weight_falls_to_zero():
    """The weight falls to zero, and is zero without a teacher.

    Linear from the first decision on.
    """
    section = ImitationSection(teacher="novice", weight=2.0, steps=100)

    assert [section.weight_at(step) for step in (0, 50, 100, 1000)] == [2.0, 1.0, 0.0, 0.0]
    assert ImitationSection(weight=2.0, steps=100).weight_at(0) == 0.0


def test_a_preset_is_trained_without_its_teacher():
    """TOML has no word for none: an empty name is no teacher, also in the file of the run."""
    preset = load_config("tokken", "demo")
    config = load_config("tokken", "demo", ["imitation.teacher="])

    assert preset.imitation.weight_at(0) > 0
    assert config.imitation.weight_at(0) == 0
    assert parse_config(tomllib.loads(config.to_toml()), "the run") == config


def test_the_learner_comes_to_choose_as_its_teacher(tmp_path):
    """With a teacher it agrees with it far more often than without, after equal steps."""
    shares = []
    for number, teacher in enumerate(("novice", None)):
        config = tiny(
            imitation={"teacher": teacher, "steps": 1_000_000} if teacher else {},
            ppo={"epochs": 4},
            steps=6144,
        )
        trainer = Trainer(TACOCAT, config, tmp_path / str(number))
        trainer.start()
        while not trainer.is_done:
            trainer.update()
        shares.append(agreement(trainer, "novice"))

    assert shares[0] > shares[1] + 0.15, shares


def test_asking_a_teacher_changes_nothing_in_the_games(tmp_path):
    """The first rollout is the same with and without: a teacher has its own random numbers."""
    rollouts = []
    for number, imitation in enumerate(({}, IMITATION)):
        trainer = Trainer(TACOCAT, tiny(imitation=imitation), tmp_path / str(number))
        trainer.start()
        trainer.update()
        buffer = trainer.model.rollout_buffer
        rollouts.append([buffer.observations, buffer.actions, buffer.rewards, buffer.action_masks])

    for without, with_teacher in zip(*rollouts, strict=True):
        assert np.array_equal(without, with_teacher)


def test_loss_is_of_ppo_and_the_teacher(tmp_path):
    """The loss is that of PPO and the weighted log-likelihood of the teacher's choices.

    The extra term and its slope are what torch computes by the same formula.
    """
    trainer = Trainer(TACOCAT, tiny(imitation=IMITATION), tmp_path)
    trainer.start()
    trainer.update()
    model: Any = trainer.model
    batch: Any = next(model.rollout_buffer.get(256))
    masks = batch.action_masks.bool()
    assert masks.gather(1, batch.advice).all()  # a teacher's choice is legal
    assert len(batch.advice.unique()) > 5

    losses, slopes = [], []
    for weight in (0.0, 0.75):
        model.imitation = weight
        loss, parts = model._loss(batch, 0.2)
        model.policy.zero_grad()
        loss.backward()
        losses.append(loss.detach())
        slopes.append(model.network.policy_head.weight.grad.clone())
        assert ("imitation_loss" in parts) == (weight > 0)
    model.policy.zero_grad()
    logits, _ = model.network(batch.observations)
    table = torch.log_softmax(logits.masked_fill(~masks, -1e8), -1)
    extra = -0.75 * table.gather(1, batch.advice).mean()
    extra.backward()

    assert torch.allclose(losses[1] - losses[0], extra.detach(), atol=1e-5)
    found = slopes[1] - slopes[0]
    assert torch.allclose(found, model.network.policy_head.weight.grad, atol=1e-5)
    assert judge(logits, masks, batch.advice.flatten())[0].shape == (256,)


def test_stopped_run_with_teacher_has_the_same_weights(tmp_path, monkeypatch):
    """A stopped run with a teacher ends with the same weights.

    Stopped while the teacher still counts, and resumed: equal bits.
    """
    config = tiny(imitation=IMITATION)
    train("tacocat", config=config, out=tmp_path / "whole", console=quiet())
    folder, limit = tmp_path / "stopped", 2048
    with monkeypatch.context() as patch:
        patch.setattr(Trainer, "is_done", property(lambda self: self.step >= limit))
        train("tacocat", config=config, out=folder, console=quiet())
    train("tacocat", out=folder, resume=True, console=quiet())

    assert same_weights(weights_of(tmp_path / "whole"), weights_of(folder))


def test_teacher_with_records_comes_back(tmp_path):
    """A teacher that reads records comes back from a checkpoint.

    Its draws of what a seat cannot know go on where they were.
    """
    tokken = spec("tokken")
    batch = Batch(tokken, 8, seed=2)
    batch.reset()
    kees = make_agent("kees", "tokken")
    assert kees.needs_states
    first, second = Teacher(kees, 8, seed=0), Teacher(kees, 8, seed=1)
    first.advise(batch)
    save_tensors(
        tmp_path / "t.pt", {k: torch.from_numpy(v.view(np.int64)) for k, v in first.state().items()}
    )
    state = {k: v.numpy().view(np.uint64) for k, v in load_tensors(tmp_path / "t.pt").items()}

    second.restore(state)

    assert np.array_equal(first.advise(batch), second.advise(batch))
    assert all(np.array_equal(first.state()[k], second.state()[k]) for k in first.state())


def test_unknown_teacher_is_refused_before_all_else(tmp_path):
    """An unknown teacher is reported before anything is made.

    The error names it; no folder is left.
    """
    with pytest.raises(SpelkastError, match="novise"):
        train(
            "tacocat",
            config=tiny(imitation={"teacher": "novise"}),
            out=tmp_path / "run",
            console=quiet(),
        )
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("wrong", [{"weight": 0}, {"steps": 0}, {"teachers": "novice"}])
def test_wrong_keys_and_values_are_reported(wrong):
    """Who wants no imitation names no teacher: a weight or steps of zero are refused."""
    with pytest.raises(SpelkastError, match="imitation"):
        parse_config({"imitation": wrong}, "test")
