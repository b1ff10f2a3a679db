"""Networks with an adviser in training, and as players afterwards."""

import json
import shutil
from typing import Any

import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO
from tiny_runs import (
    TACOCAT,
    quiet,
    random_actions,
    same_weights,
    self_play,
    tiny,
    weights_of,
)

from spelkast.agents.adviser import make_adviser
from spelkast.agents.agent import views_of
from spelkast.agents.heuristics import tacocat as heuristics
from spelkast.agents.heuristics.toedeloe import BASELINES
from spelkast.agents.network import NetworkConfig
from spelkast.agents.registry import make_agent
from spelkast.agents.tuned import weights_of as weights_of_choice
from spelkast.agents.tuned import write_agent_file
from spelkast.envs.engine.errors import CheckpointError, SpelkastError
from spelkast.eval.match import play_match
from spelkast.train.config import parse_config
from spelkast.train.policy import NetworkPolicy
from spelkast.train.run import train
from spelkast.train.selfplay import NO_ADVICE
from spelkast.train.trainer import Trainer
from spelkast.train.vec_env import SelfPlayVecEnv

ADVISED: dict[str, Any] = {
    "network": {"adviser": "strong", "adviser_gain": 4.0},  # one that draws random numbers
    "opponents": {"weights": {"self": 0.4, "past": 0.3, "strong": 0.3}},
}


@pytest.fixture(scope="module")
def advised_run(tmp_path_factory):
    """A folder in which an advised tiny run was made from start to end."""
    folder = tmp_path_factory.mktemp("runs") / "advised"
    train("tacocat", config=tiny(**ADVISED), out=folder, console=quiet())
    return folder


def test_stopped_run_with_adviser_has_the_same_weights(advised_run, tmp_path, monkeypatch):
    """Stopped and resumed: equal bits, although the adviser draws."""
    with monkeypatch.context() as patch:
        patch.setattr(Trainer, "is_done", property(lambda self: self.step >= 2048))
        train("tacocat", config=tiny(**ADVISED), out=tmp_path / "stopped", console=quiet())
    train("tacocat", out=tmp_path / "stopped", resume=True, console=quiet())

    assert same_weights(weights_of(advised_run), weights_of(tmp_path / "stopped"))


def test_an_advised_run_begins_as_good_as_its_adviser(advised_run):
    """The likeliest action of six updates is still mostly the adviser's, which the name tells."""
    agent: Any = make_agent(str(advised_run), "tacocat", device="cpu", deterministic=True)
    solid = make_agent("solid", "tacocat")
    result = play_match(TACOCAT, None, agent, solid, games=100, seed=1)

    assert result.first == f"{advised_run} (adviser strong)"
    assert result.illegal == 0
    assert result.score > 0.4  # untrained without: 0


def test_the_gain_is_learned(advised_run):
    assert abs(weights_of(advised_run)["adviser_gain"] - 4.0) > 1e-4


def test_all_networks_are_advised_by_one_call(tmp_path, monkeypatch):
    """Before each move of the games the adviser is asked once at most, for all who have it."""
    selves = {"weights": {"self": 0.5, "past": 0.5}}
    trainer = Trainer(TACOCAT, tiny(**ADVISED | {"opponents": selves}), tmp_path)
    adviser: Any = trainer.adviser
    asked: Any = [[]]
    act, step = adviser.act, trainer.play.batch.step

    def counted_act(views, streams):
        asked[-1].append(len(views))
        return act(views, streams)

    def counted_step(*arguments):
        asked.append([])
        step(*arguments)

    trainer.start()
    trainer.add_snapshot()
    trainer.update()
    monkeypatch.setattr(adviser, "act", counted_act)
    monkeypatch.setattr(trainer.play.batch, "step", counted_step)
    trainer.update()

    assert max(map(len, asked)) == 1
    assert len(trainer.opponents.latest) + len(trainer.opponents.past) > 2


def test_opponents_with_another_adviser_ask_their_own(advised_run, monkeypatch):
    """The learner's advice is for those with the same adviser only."""
    theirs: Any = make_agent(str(advised_run), "tacocat", device="cpu")
    play, rng = self_play(16, adviser=make_adviser("novice", TACOCAT)), np.random.default_rng(0)
    company: Any = play.company
    company.agents, seen, act = [theirs, theirs], [], theirs.act

    def watched(views, streams):
        seen.append(views.advice)
        return act(views, streams)

    monkeypatch.setattr(theirs, "act", watched)
    for _ in range(5):
        play.step(random_actions(play, rng))

    assert seen
    assert all(advice is None for advice in seen)


def test_the_last_number_seen_is_the_advice():
    """For the position that the learner is shown; at an end there is none."""
    solid = make_adviser("solid", TACOCAT)
    play = self_play(16, adviser=solid)
    env, rng, ends = SelfPlayVecEnv(play), np.random.default_rng(0), 0
    seen: Any = env.reset()
    for _ in range(60):
        expected = solid.act(views_of(play.batch), play.choices.copy())
        assert seen.shape == (16, 181)
        assert (seen[:, :-1] == play.batch.observations).all()
        assert (seen[:, -1] == expected).all()
        assert env.observation_space.contains(seen[0])
        seen, _, _, infos = env.step(random_actions(play, rng))
        for info in infos:
            if "terminal_observation" in info:
                assert info["terminal_observation"].shape == (181,)
                assert info["terminal_observation"][-1] == NO_ADVICE
                ends += 1
    assert ends


def test_asking_an_adviser_changes_nothing_in_the_games():
    """Same games with and without: it has its own random numbers."""
    seen = []
    for adviser in (None, make_adviser("strong", TACOCAT)):
        play, rng = self_play(16, adviser=adviser), np.random.default_rng(0)
        for _ in range(20):
            play.step(random_actions(play, rng))
        seen.append(play.batch.observations.copy())

    assert np.array_equal(seen[0], seen[1])


def test_stock_learners_are_advised_too():
    """MaskablePPO's own loops work with one number more, by our policy and by theirs."""
    play = self_play(8, adviser=make_adviser("novice", TACOCAT))
    network = NetworkConfig(observation=180, actions=150, hidden=(8,), adviser_gain=4.0)
    for policy, keywords in ((NetworkPolicy, {"network": network}), ("MlpPolicy", {})):
        model = MaskablePPO(
            policy, SelfPlayVecEnv(play), n_steps=8, batch_size=32, policy_kwargs=keywords
        )
        model.learn(64)


def test_a_changed_adviser_is_refused(advised_run, monkeypatch):
    """Whoever plays or goes on is told which: the network was trained to hear another."""
    monkeypatch.setitem(heuristics.BASELINES, "strong", heuristics.BASELINES["novice"])
    wanted = "expected the adviser 'strong' as it was when .* was trained, got one that chooses"

    with pytest.raises(CheckpointError, match=wanted):
        make_agent(str(advised_run), "tacocat")
    with pytest.raises(CheckpointError, match=wanted):
        train("tacocat", out=advised_run, resume=True, console=quiet())


@pytest.mark.parametrize("entry", [{"name": "kees"}, {"name": 3}, "strong", None])
def test_a_manifest_with_another_adviser_is_refused(advised_run, tmp_path, entry):
    """Of another game, no name at all, or none where the network has one."""
    folder = shutil.copytree(advised_run, tmp_path / "run")
    for path in folder.glob("checkpoints/*/manifest.json"):
        path.write_text(json.dumps(json.loads(path.read_text()) | {"adviser": entry}))

    with pytest.raises(CheckpointError, match="adviser") as error:
        make_agent(str(folder), "tacocat")
    assert "\n" not in str(error.value)


def test_a_resumed_run_keeps_its_adviser(advised_run, tmp_path):
    """An edited configuration cannot give the weights another one."""
    folder = shutil.copytree(advised_run, tmp_path / "run")
    config = folder / "config.toml"
    config.write_text(config.read_text().replace('adviser = "strong"', 'adviser = "solid"'))

    with pytest.raises(CheckpointError, match="the adviser solid, got strong in"):
        train("tacocat", out=folder, resume=True, console=quiet())


@pytest.mark.parametrize("name", ["random", "kees", "stronk"])
def test_a_wrong_adviser_is_refused_before_all_else(tmp_path, name):
    with pytest.raises(SpelkastError, match=f"as adviser a baseline of tacocat .*, got '{name}'"):
        train(
            "tacocat",
            config=tiny(network={"adviser": name}),
            out=tmp_path / "run",
            console=quiet(),
        )
    assert not (tmp_path / "run").exists()


def test_an_empty_name_is_no_adviser(tmp_path):
    trainer = Trainer(TACOCAT, tiny(network={"adviser": ""}), tmp_path)

    assert trainer.adviser is None
    assert trainer.network_config.adviser_gain is None


def test_illegal_advice_in_a_trainers_file_is_refused(tmp_path):
    """The network would be told an action that does not exist."""
    trainer = Trainer(TACOCAT, tiny(**ADVISED), tmp_path)
    trainer.start()
    state = trainer.state()
    advice = np.full(64, 10**6, np.int32)
    state["play"]["advice"] = torch.from_numpy(advice.view(np.uint8))

    with pytest.raises(CheckpointError, match="advice"):
        trainer.restore(trainer.weights(), state)


def test_an_agent_file_is_an_adviser(tmp_path):
    """Each checkpoint has a copy, which plays when the file is gone; a changed copy does not."""
    run, file = tmp_path / "run", tmp_path / "mine.toml"
    weights: Any = weights_of_choice(BASELINES["hoarder"])
    write_agent_file(file, weights, game="toedeloe", baseline="hoarder", made={})
    changes = {
        "steps": 64,
        "rows": 16,
        "steps_per_update": 4,
        "network": {"hidden": [8], "adviser": str(file)},
        "opponents": {"weights": {"self": 1.0}},
        "evaluation": {"against": [], "final_against": []},
        "shaping": {},
    }
    config = parse_config(changes, "test")
    train("toedeloe", config=config, out=run, console=quiet())
    file.unlink()

    agent = make_agent(str(run), "toedeloe", device="cpu")

    assert agent.name == f"{run} (adviser {file})"
    with pytest.raises(SpelkastError, match="there is no such file"):
        train("toedeloe", out=run, resume=True, console=quiet())
    copies = [*run.glob("checkpoints/*/adviser.toml")]
    other = copies[0].read_text().replace("run = 10", "run = 60")
    for path in (file, *copies):
        path.write_text(other)
        with pytest.raises(CheckpointError, match=f"the adviser '{file}' as it was"):
            train("toedeloe", out=run, resume=True, console=quiet())
    with pytest.raises(CheckpointError, match=f"the adviser '{file}' as it was"):
        make_agent(str(run), "toedeloe")
