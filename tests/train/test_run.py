"""A run from start to end: stopped, killed, resumed, and what it learns."""

import json
import os
import shutil
import signal
from itertools import cycle

import numpy as np
import pytest
import torch
from tiny_runs import TACOCAT, printed, quiet, same_weights, tiny, weights_of

from spelkast.agents.checkpoint import (
    find_checkpoint,
    load_agent,
    load_tensors,
    save_tensors,
)
from spelkast.envs.engine.errors import CheckpointError, DivergedError, UnknownNameError
from spelkast.eval.match import play_match
from spelkast.train.display import Display, results_table
from spelkast.train.evaluate import evaluate
from spelkast.train.folder import read_config
from spelkast.train.run import train
from spelkast.train.trainer import Trainer


@pytest.fixture
def interrupt(monkeypatch):
    """Press Ctrl-C, then send SIGTERM, and so on, during the updates of these numbers."""

    def press(*updates):
        original, count = Trainer.update, iter(range(1, 1000))
        signals = cycle([signal.SIGINT, signal.SIGTERM])

        def update(self):
            original(self)
            if next(count) in updates:
                os.kill(os.getpid(), next(signals))

        monkeypatch.setattr(Trainer, "update", update)

    return press


def records(run):
    """The evaluations of a run without what the clock decides."""
    found = [json.loads(line) for line in (run / "evaluations.jsonl").read_text().splitlines()]
    for record in found:
        for match in record["matches"].values():
            del match["seconds"], match["games_per_second"]
    return found


def test_a_run_leaves_everything_that_is_needed(finished_run):
    """Configuration, versions, pool, evaluations, curves, checkpoints."""
    found = {path.name for path in finished_run.iterdir()}
    assert found >= {
        "config.toml", "versions.json", "pool.json", "evaluations.jsonl", "tensorboard", "pool",
    }  # fmt: skip
    assert read_config(finished_run) == tiny()
    assert json.loads((finished_run / "versions.json").read_text())["torch"] == torch.__version__
    steps = sorted(
        int(p.name) for p in (finished_run / "checkpoints").iterdir() if p.name.isdigit()
    )
    assert steps[-1] == 6144
    best = (finished_run / "checkpoints" / "best").read_text().strip()
    assert (finished_run / "checkpoints" / best).is_dir()
    assert len(steps) <= 3  # two newest and the best
    assert [record["step"] for record in records(finished_run)] == [2048, 4096, 6144, 6144]
    assert records(finished_run)[-1]["final"]
    assert len(list((finished_run / "pool").glob("*.pt"))) == 6


def test_the_run_plays(finished_run):
    """The folder is an agent that makes only legal moves."""
    agent = load_agent(str(finished_run), TACOCAT, device="cpu")
    random = load_agent(f"{finished_run}@latest", TACOCAT, device="cpu")

    result = play_match(TACOCAT, {}, agent, random, games=20, seed=0)

    assert result.games == 20
    assert result.illegal == 0


def test_same_seed_same_weights(finished_run, tmp_path):
    """Another run with the same configuration ends with equal bits; another seed does not."""
    train("tacocat", config=tiny(), out=tmp_path / "same", console=quiet())
    train("tacocat", config=tiny(seed=1, steps=1024), out=tmp_path / "other", console=quiet())

    assert same_weights(weights_of(finished_run), weights_of(tmp_path / "same"))
    assert not same_weights(weights_of(finished_run), weights_of(tmp_path / "other"))


def test_interrupted_runs_end_with_the_same_weights(finished_run, tmp_path, interrupt):
    """Interrupted runs end with the weights of one that was not.

    Ctrl-C twice, resumed twice: same bits, pool, evaluations as in one go.
    """
    folder = tmp_path / "stopped"
    console = quiet()
    interrupt(2, 5)
    outcome = train("tacocat", config=tiny(), out=folder, console=console)
    assert f"spelkast train tacocat --resume {folder}" in printed(console)
    resumed = 0
    while not outcome.is_done:
        outcome = train("tacocat", out=folder, resume=True, console=quiet())
        resumed += 1

    assert resumed == 2
    assert same_weights(weights_of(finished_run), weights_of(folder))
    assert (folder / "pool.json").read_text() == (finished_run / "pool.json").read_text()
    assert records(folder) == records(finished_run)


def test_all_of_a_trainer_comes_back(tmp_path):
    """Every part of the state is the same after it was restored into a fresh trainer."""
    first, second = (Trainer(TACOCAT, tiny(), tmp_path / name) for name in ("a", "b"))
    first.start()
    first.update()
    while not np.any(first.play.dones):
        first.update()
    save_tensors(tmp_path / "state.pt", first.state())

    second.restore(first.weights(), load_tensors(tmp_path / "state.pt"))

    flat = [dict(_leaves(trainer.state())) for trainer in (first, second)]
    assert flat[0].keys() == flat[1].keys()
    for name, value in flat[0].items():
        other = flat[1][name]
        same = torch.equal(value, other) if isinstance(value, torch.Tensor) else value == other
        assert same, name


def _leaves(value, name=""):
    """The numbers and tensors of a nested state, with their paths."""
    if isinstance(value, dict | list | tuple):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for key, item in items:
            yield from _leaves(item, f"{name}/{key}")
    elif value is not None:
        yield name, value


def test_a_killed_run_resumes_from_what_it_saved(finished_run, tmp_path):
    """What came after the last checkpoint is forgotten, then made again, the same."""
    folder = tmp_path / "killed"
    shutil.copytree(finished_run, folder)
    shutil.rmtree(folder / "checkpoints" / "6144")
    with (folder / "evaluations.jsonl").open("a") as file:
        file.write('{"step": 99')  # half a line
    (folder / "checkpoints" / ".unfinished-6144").mkdir()

    outcome = train("tacocat", out=folder, resume=True, console=quiet())

    assert outcome.is_done
    assert same_weights(weights_of(finished_run), weights_of(folder))
    assert records(folder) == records(finished_run)
    assert not list((folder / "checkpoints").glob(".unfinished-*"))


def test_names_in_brackets_were_taken_for_styles():
    """A folder may be called anything; a closing tag ended the run."""
    console = quiet()
    display = Display(console, total=8)

    display.note("stopped in runs/[/x] and [bold]")
    display.update(8, {"runs/[/y]": 0.5})
    console.print(results_table("runs/[/z] after 8 steps", {}))

    assert all(f"[{name}]" in printed(console) for name in ("/x", "bold", "/y", "/z"))


def test_run_killed_before_its_first_checkpoint(finished_run, tmp_path):
    """A run killed before its first checkpoint could neither go on nor begin.

    `--out` refuses such a folder and names `--resume`, which begins again and says so.
    """
    folder = tmp_path / "killed"
    shutil.copytree(finished_run, folder)
    shutil.rmtree(folder / "checkpoints")
    with pytest.raises(CheckpointError, match=rf"--resume {folder}"):
        train("tacocat", config=tiny(), out=folder, console=quiet())
    console = quiet()

    outcome = train("tacocat", out=folder, resume=True, console=console)

    assert "begins again at step 0" in printed(console)
    assert outcome.is_done
    assert same_weights(weights_of(finished_run), weights_of(folder))
    assert records(folder) == records(finished_run)


def test_names_are_checked_before_the_first_step(tmp_path):
    """An unknown agent is reported at once, not at the first evaluation; no folder is made."""
    for changes in (
        {"evaluation": {"final_against": ["nobody"]}},
        {"opponents": {"weights": {"nobody": 1.0}}},
    ):
        with pytest.raises(UnknownNameError, match="nobody"):
            train("tacocat", config=tiny(**changes), out=tmp_path / "run", console=quiet())
        assert not (tmp_path / "run").exists()


def test_a_finished_run_had_two_last_lines(finished_run, tmp_path):
    folder = tmp_path / "again"
    shutil.copytree(finished_run, folder)

    train("tacocat", out=folder, resume=True, console=quiet())

    assert records(folder) == records(finished_run)


def test_a_minibatch_of_one_diverged(tmp_path):
    """145 x 113 decisions in minibatches of 4,096 leave one over; it has no spread to divide by."""
    config = tiny(rows=5, steps_per_update=5, steps=50, ppo={"batch_size": 8, "epochs": 1})
    assert config.update_steps % 8 == 1
    assert train("tacocat", config=config, out=tmp_path / "run", console=quiet()).is_done


def test_a_network_that_has_diverged_was_saved(tmp_path, monkeypatch):
    """The last good checkpoint stays the latest, and the message names it."""
    update = Trainer.update

    def diverge(trainer):
        update(trainer)
        if trainer.step > 3000:
            with torch.no_grad():
                trainer.network.policy_head.bias[0] = float("nan")

    monkeypatch.setattr(Trainer, "update", diverge)
    with pytest.raises(DivergedError, match=r"the last good checkpoint is .*2048"):
        train("tacocat", config=tiny(), out=tmp_path / "run", console=quiet())
    assert find_checkpoint(tmp_path / "run", "latest").name == "2048"


def test_opponents_choice_of_moves_is_in_the_manifest(finished_run):
    """Whether opponents sampled, and with what the run was made."""
    manifest = json.loads((finished_run / "checkpoints" / "6144" / "manifest.json").read_text())

    assert manifest["opponents_deterministic"] is False
    assert manifest["versions"]["torch"] == torch.__version__


def test_training_learns(tmp_path):
    """After ten seconds random play is beaten clearly; before, it was not."""
    config = tiny(
        steps=65_536,
        rows=256,
        ppo={"batch_size": 1024, "epochs": 4, "learning_rate": 2e-3},
        opponents={"weights": {"self": 0.5, "random": 0.5}},
        evaluation={"every": 10_000_000, "final_games": 200, "final_against": ["random"]},
        checkpoints={"every": 10_000_000},
    )
    outcome = train("tacocat", config=config, out=tmp_path / "run", console=quiet())
    beginner = Trainer(TACOCAT, config, tmp_path / "new")
    before = evaluate(
        TACOCAT, beginner.options, beginner.network, config=config, against=["random"], games=200
    )

    assert before is not None
    assert before["random"].score < 0.7
    assert outcome.results["random"].score > 0.85
