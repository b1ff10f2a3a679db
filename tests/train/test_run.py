"""A run from start to end, stopped, resumed, killed, on a full disk."""

import json
import os
import shutil
import signal
from io import StringIO
from itertools import cycle
from pathlib import Path

import numpy as np
import pytest
import torch
from rich.console import Console
from tiny_runs import TACOCAT, printed, quiet, same_weights, tiny, weights_of

from spelkast.agents import files, system
from spelkast.agents.checkpoint import (
    digests,
    find_checkpoint,
    load_agent,
    load_tensors,
    save_tensors,
)
from spelkast.agents.files import claimed, new_folder
from spelkast.cli.app import explain
from spelkast.envs.engine.errors import CheckpointError, DivergedError, UnknownNameError
from spelkast.eval.match import play_match
from spelkast.train.display import Display, results_table
from spelkast.train.evaluate import Evaluations, evaluate
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


def test_a_full_disk_costs_no_saved_checkpoint(tmp_path, monkeypatch):
    """The failure is one line, training goes on, the last good checkpoint stays."""
    really_sync = system.sync
    room = iter([True] * 25)

    def full(path):
        if not next(room, False):
            raise OSError(28, "No space left on device")
        really_sync(path)

    monkeypatch.setattr(files, "sync", full)
    console = quiet()
    with pytest.raises(OSError, match=r"No space left .*2048; with .* --resume") as caught:
        train("tacocat", config=tiny(), out=tmp_path / "full", console=console)

    assert explain(caught.value) == 1  # as docs/cli.md says
    notes = [line for line in printed(console).splitlines() if "No space left" in line]
    assert any("save a checkpoint at step 4,096" in line for line in notes)
    assert any("save a checkpoint at step 6,144" in line for line in notes)
    checkpoints = tmp_path / "full" / "checkpoints"
    assert [p.name for p in checkpoints.iterdir() if p.name.isdigit()] == ["2048"]
    monkeypatch.undo()
    outcome = train("tacocat", out=tmp_path / "full", resume=True, console=quiet())
    assert outcome.is_done


def test_a_run_that_cannot_begin_blamed_the_user(tmp_path, monkeypatch):
    """A disk that is full before the first step is no mistake in what was typed."""

    def full(path):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(files, "sync", full)
    with pytest.raises(OSError, match=r"expected to write to .*full, got: No space") as caught:
        train("tacocat", config=tiny(), out=tmp_path / "full", console=quiet())

    assert explain(caught.value) == 1


def test_a_final_evaluation_was_lost_in_silence(tmp_path, monkeypatch):
    """It is printed, and a folder without room for it is named."""
    add = Evaluations.add

    def full(self, step, results, *, final=False):
        if final:
            raise OSError(28, "No space left on device")
        add(self, step, results)

    monkeypatch.setattr(Evaluations, "add", full)
    console = quiet()
    with pytest.raises(OSError, match=r"final evaluation could not be saved, .*6144; with"):
        train("tacocat", config=tiny(), out=tmp_path / "full", console=console)

    assert "after 6,144 steps" in printed(console)


def test_a_log_on_a_full_disk_ended_the_training():
    """What is reported on the way is not worth the run; the disk may have room again."""

    class Full(StringIO):
        def write(self, text):
            raise OSError(28, "No space left on device")

    Display(Console(file=Full()), total=10).note("2 of 10 steps")


def test_a_crash_while_saving_leaves_the_old_file(tmp_path):
    """Half of a new file never replaces the old one, nor stays behind."""
    target = tmp_path / "kept.txt"
    files.write_text(target, "old")

    def crash(path: Path):
        path.write_text("ne")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        files.write_file(target, crash)
    assert target.read_text() == "old"
    folder = tmp_path / "kept"
    files.write_folder(folder, lambda path: (path / "a").write_text("old"))
    with pytest.raises(KeyboardInterrupt):
        files.write_folder(folder, lambda path: crash(path / "a"))
    assert (folder / "a").read_text() == "old"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["kept", "kept.txt"]


def test_a_new_run_does_not_overwrite_an_old_one(finished_run):
    """The message says how to go on instead."""
    with pytest.raises(CheckpointError, match=rf"--resume {finished_run}"):
        train("tacocat", config=tiny(), out=finished_run, console=quiet())


def test_names_in_brackets_were_taken_for_styles():
    """A folder may be called anything; a closing tag ended the run."""
    console = quiet()
    display = Display(console, total=8)

    display.note("stopped in runs/[/x] and [bold]")
    display.update(8, {"runs/[/y]": 0.5})
    console.print(results_table("runs/[/z] after 8 steps", {}))

    assert all(f"[{name}]" in printed(console) for name in ("/x", "bold", "/y", "/z"))


def test_resume_needs_a_run(tmp_path):
    """A folder without one."""
    with pytest.raises(CheckpointError, match=r"without a config\.toml"):
        train("tacocat", out=tmp_path, resume=True, console=quiet())


def test_a_run_of_another_game_began_again_as_that(finished_run, tmp_path):
    """Without a checkpoint nothing said which game it was."""
    folder = tmp_path / "killed"
    shutil.copytree(finished_run, folder)
    shutil.rmtree(folder / "checkpoints")

    with pytest.raises(CheckpointError, match="expected a run of toedeloe, got one of tacocat"):
        train("toedeloe", out=folder, resume=True, console=quiet())


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


def test_half_a_line_swallowed_the_next_evaluation(tmp_path):
    """What a killed run or a full disk left of a line is gone when the next one is written."""
    path = tmp_path / "evaluations.jsonl"
    whole, half = '{"step": 1, "final": false, "matches": {}}\n', '{"step": 2, "fin'
    path.write_text(whole + half)
    evaluations = Evaluations(path)
    evaluations.forget_after(2)
    assert path.read_text() == whole

    path.write_text(whole + half)
    evaluations.add(3, {})

    assert [json.loads(line)["step"] for line in path.read_text().splitlines()] == [1, 3]


@pytest.mark.parametrize(
    "line",
    [
        "[" * 100_000,
        '{"step": 1}',
        '{"step": "1", "final": false, "matches": {}}',
        '{"step": 1, "final": null, "matches": {}}',
        '{"step": 1, "final": false, "matches": []}',
        '{"step": 1, "final": false, "matches": {"random": 3}}',
        '{"step": 1, "final": false, "matches": {"random": {"score": "high"}}}',
    ],
)
def test_a_line_that_is_no_evaluation_stopped_a_run(tmp_path, line):
    (tmp_path / "evaluations.jsonl").write_text(f"{line}\n")
    evaluations = Evaluations(tmp_path / "evaluations.jsonl")
    evaluations.forget_after(5)

    assert evaluations.records == []
    assert not evaluations.is_best(1, "random")


def test_runs_of_another_revision_are_not_resumed(finished_run, tmp_path):
    """If records of positions changed since, the run plays but does not go on."""
    folder = tmp_path / "old"
    shutil.copytree(finished_run, folder)
    file = folder / "checkpoints" / "6144" / "trainer.pt"
    save_tensors(file, {**load_tensors(file), "record": "dtype(int16)"})
    path = file.with_name("manifest.json")
    found = json.loads(path.read_text())
    path.write_text(json.dumps(found | {"sha256": digests(file.parent, *found["sha256"])}))

    with pytest.raises(CheckpointError, match="another revision"):
        train("tacocat", out=folder, resume=True, console=quiet())
    assert load_agent(str(folder), TACOCAT).name == str(folder)


def test_names_are_checked_before_the_first_step(tmp_path):
    """An unknown agent is reported at once, not at the first evaluation; no folder is made."""
    for changes in (
        {"evaluation": {"final_against": ["nobody"]}},
        {"opponents": {"weights": {"nobody": 1.0}}},
    ):
        with pytest.raises(UnknownNameError, match="nobody"):
            train("tacocat", config=tiny(**changes), out=tmp_path / "run", console=quiet())
        assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("game", "chess", "expected a checkpoint with game 'tacocat', got 'chess'"),
        ("game_version", 99, "game version 0, got 99"),
        ("options", {"tie_rule": "arrow"}, "options {}, got {'tie_rule': 'arrow'}"),
        ("observation", 7, "observation 180, got 7"),
        ("observation_layout", "0123", "observation layout '.*', got '0123'"),
        ("actions", 3, "actions 150, got 3"),
        ("format", 0, "format 1, got 0"),
    ],
)
def test_foreign_checkpoints_are_refused(finished_run, tmp_path, key, value, message):
    """To play and to resume: what was expected, what came, where."""
    folder = tmp_path / "foreign"
    shutil.copytree(finished_run, folder)
    path = folder / "checkpoints" / "6144" / "manifest.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), key: value}))

    with pytest.raises(CheckpointError, match=message) as caught:
        load_agent(f"{folder}@latest", TACOCAT)
    assert "6144" in str(caught.value)
    with pytest.raises(CheckpointError, match=message):
        train("tacocat", out=folder, resume=True, console=quiet())


def test_trained_agents_refuse_other_options(finished_run):
    """A network for one variant does not play another."""
    with pytest.raises(CheckpointError, match=r"options \{'tie_rule': 'arrow'\}, got \{\}"):
        load_agent(str(finished_run), TACOCAT, {"tie_rule": "arrow"})


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda folder: (folder / "manifest.json").write_text("{"), "manifest"),
        (lambda folder: (folder / "weights.pt").unlink(), "weights.pt"),
        (lambda folder: (folder / "weights.pt").write_bytes(b"nothing"), "weights.pt"),
        (lambda folder: (folder / "weights.pt").write_bytes(b""), "weights.pt"),
        (lambda folder: flip_a_byte(folder / "weights.pt"), "weights.pt as it was saved"),
        (lambda folder: flip_a_byte(folder / "trainer.pt"), "trainer.pt as it was saved"),
        (lambda folder: forget_digests(folder / "manifest.json"), "weights.pt as it was saved"),
    ],
    ids=[
        "broken manifest",
        "no weights",
        "broken weights",
        "empty weights",
        "a byte of the weights",
        "a byte of the trainer",
        "no digests",
    ],
)
def test_damaged_checkpoints_are_named(finished_run, tmp_path, damage, message):
    """Each kind of damage is one clear line."""
    folder = tmp_path / "damaged"
    shutil.copytree(finished_run, folder)
    damage(folder / "checkpoints" / "6144")

    with pytest.raises(CheckpointError, match=message) as caught:
        train("tacocat", out=folder, resume=True, console=quiet())
    assert "\n" not in str(caught.value)


def forget_digests(file):
    file.write_text(json.dumps(json.loads(file.read_text()) | {"sha256": None}))


def flip_a_byte(file):
    """One of a number, which torch reads without a word."""
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)


def test_a_run_killed_before_its_pointer_was_never_resumed(finished_run, tmp_path):
    """The newest whole checkpoint counts, whatever else lies there."""
    folder = tmp_path / "killed"
    shutil.copytree(finished_run, folder)
    for name in ("latest", "best"):
        (folder / "checkpoints" / name).write_bytes(b"\xff\xfe")
    (folder / "checkpoints" / "9999").mkdir()
    (folder / "checkpoints" / "²").mkdir()

    assert find_checkpoint(folder, "latest").name == "6144"
    assert find_checkpoint(folder, None).name == "6144"
    assert train("tacocat", out=folder, resume=True, console=quiet()).is_done


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


def test_a_run_whose_folder_is_removed_ends_with_a_line(tmp_path, monkeypatch):
    """It left half a folder behind."""
    folder, update = tmp_path / "run", Trainer.update

    def remove(trainer):
        update(trainer)
        shutil.rmtree(folder, ignore_errors=True)

    monkeypatch.setattr(Trainer, "update", remove)
    with pytest.raises(CheckpointError, match="got none any more"):
        train("tacocat", config=tiny(), out=folder, console=quiet())
    assert not (folder / "checkpoints").exists()


def test_two_runs_in_one_folder_lost_one(finished_run, tmp_path):
    """Whoever comes second is refused: a new run, and one that is to go on."""
    folder = tmp_path / "shared"
    shutil.copytree(finished_run, folder)
    with claimed(folder, CheckpointError), claimed(tmp_path / "new", CheckpointError):
        for out, resume in ((folder, True), (tmp_path / "new", False)):
            config = None if resume else tiny()
            with pytest.raises(CheckpointError, match="folder that nobody is writing to"):
                train("tacocat", config=config, out=out, resume=resume, console=quiet())
    assert not (tmp_path / "new").exists()


def test_two_runs_without_a_name_took_the_same_number(tmp_path):
    folders = [new_folder(tmp_path / "runs", "tacocat") for _ in range(3)]
    assert [folder.name for folder in folders] == ["tacocat-1", "tacocat-2", "tacocat-3"]


@pytest.mark.parametrize("which", ["7", "newest", "-1", "../6144"])
def test_unknown_checkpoints_list_the_known_ones(finished_run, which):
    """`run@step` that was not saved."""
    with pytest.raises(CheckpointError, match=r"\(latest, best, .*6144\), got"):
        load_agent(f"{finished_run}@{which}", TACOCAT)


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
