"""The folder of a run: a full disk, damage, two runs at once, and folders of something else."""

import json
import shutil
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console
from tiny_runs import TACOCAT, printed, quiet, tiny

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
from spelkast.envs.engine.errors import CheckpointError
from spelkast.train.display import Display
from spelkast.train.evaluate import Evaluations
from spelkast.train.run import train
from spelkast.train.trainer import Trainer


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
