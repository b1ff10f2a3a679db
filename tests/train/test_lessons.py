"""Lessons: the file says what a teacher said, however it was made, and networks learn from it."""

import json
import re
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from tiny_runs import TACOCAT, quiet, same_weights, tiny, weights_of

from games.slag.game import SPEC as SLAG
from spelkast.agents.agent import Views
from spelkast.agents.registry import make_agent
from spelkast.envs.engine.errors import DataError, SpelkastError
from spelkast.envs.engine.streams import new_streams
from spelkast.train.lessons import (
    NAMES,
    TYPES,
    Lessons,
    demands,
    digest,
    read_lessons,
    write_lessons,
)
from spelkast.train.run import train
from spelkast.train.teaching import Plan, make_lessons
from spelkast.train.trainer import Trainer

OPTIONS = TACOCAT.parse_options(None)
PLAN = Plan(
    game="tacocat", options="{}", teacher="solid", player="random", share=0.5, games=6, seed=3
)


def made(plan, out, **how):
    """The lessons of *plan*."""
    assert list(make_lessons(plan, out, **how))[-1] == plan.games
    return read_lessons(out, TACOCAT, OPTIONS)


@pytest.fixture(scope="module")
def lessons(tmp_path_factory):
    return made(PLAN, tmp_path_factory.mktemp("lessons") / "l.npz")


def test_lessons_say_what_the_teacher_would_do(lessons):
    """Asked again about the same positions, `solid`, which draws nothing, says the same."""
    lesson = lessons.batch(TACOCAT, np.arange(len(lessons)))
    views = Views(lesson.observations, lesson.masks, lesson.seats, lesson.states)
    actions = make_agent("solid", "tacocat").act(views, new_streams(0, len(lessons), "agents"))

    assert 100 < len(lessons) < 400
    assert (actions == lessons.chosen).all()
    assert (lessons.chosen != lessons.played).mean() > 0.2  # `random` moved
    assert (lesson.shares.argmax(1) == lessons.chosen).all()
    assert (lesson.shares[lesson.masks == 0] == 0).all()
    assert (lesson.masks.sum(1) > 1).all()
    assert np.isnan(lessons.values).all()  # a baseline expects nothing


def test_the_page_lists_every_column():
    """With its type, in the order of the file."""
    page = (Path(__file__).parents[2] / "docs" / "teaching.md").read_text("utf-8")
    rows = re.findall(r"^\| `(\w+)` \| (.+?) \|", page, re.MULTILINE)
    named = {name: kind for name, kind in rows if name in NAMES}

    assert tuple(named) == NAMES
    assert all(named[name].startswith(np.dtype(kind).name) for name, kind in TYPES.items())


def test_lessons_hold_whole_games(lessons):
    """Plies rise, and in a game for two the results of the two seats are opposite."""
    assert sorted(set(lessons.games.tolist())) == list(range(PLAN.games))
    for game in range(PLAN.games):
        here = lessons.games == game
        results = [set(lessons.results[here & (lessons.seats == seat)]) for seat in (0, 1)]

        assert (np.diff(lessons.plies[here]) > 0).all()
        assert all(len(found) == 1 for found in results)
        assert results[0] == {-result for result in results[1]}


def test_lessons_of_a_search_have_shares_and_values(tmp_path):
    """Every legal action that was tried has a share, and the reward expected is within -1..1."""
    search = "search:rollout,policy=solid,budget=300"
    plan = replace(PLAN, teacher=search, player=None, share=1.0, games=3)
    found = made(plan, tmp_path / "l.npz")
    lesson = found.batch(TACOCAT, np.arange(len(found)))

    assert (found.chosen == found.played).all()  # the teacher played
    assert ((lesson.shares > 0) & (lesson.shares < 1)).any(axis=1).mean() > 0.5
    known = np.isfinite(found.values)
    assert known.mean() > 0.5
    assert np.corrcoef(found.values[known], found.results[known])[0, 1] > 0


def test_any_number_of_processes_writes_one_file(tmp_path, lessons):
    """And so does a run that is stopped after a game and goes on."""
    for name, jobs in (("two", 2), ("stopped", 1)):
        out = tmp_path / f"{name}.npz"
        if name == "stopped":
            first = make_lessons(PLAN, out)
            assert [next(first), next(first)] == [0, 1]
            first.close()
            assert not out.exists()
        made(PLAN, out, jobs=jobs)

        assert list(tmp_path.iterdir()) == [out]
        assert digest(read_lessons(out, TACOCAT, OPTIONS)) == digest(lessons)
        out.unlink()


def test_games_of_another_plan_are_not_gone_on_with(tmp_path):
    """Neither is a file written over."""
    out = tmp_path / "l.npz"
    first = make_lessons(PLAN, out)
    assert [next(first), next(first)] == [0, 1]
    first.close()

    with pytest.raises(DataError, match=r"the same plan, got .*seed"):
        next(make_lessons(replace(PLAN, seed=4), out))
    out.write_bytes(b"mine")
    with pytest.raises(DataError, match="a new file"):
        next(make_lessons(PLAN, out))
    assert out.read_bytes() == b"mine"


def test_a_wrong_teacher_leaves_nothing_behind(tmp_path):
    """It is reported before anything is made."""
    with pytest.raises(SpelkastError, match="did you mean 'solid'"):
        next(make_lessons(replace(PLAN, teacher="sollid"), tmp_path / "l.npz"))
    assert not list(tmp_path.iterdir())


def edited(lessons, path, *, about=None, **columns):
    """A file by hand, without a fingerprint."""
    values = demands(TACOCAT, OPTIONS) | (about or {})
    note = np.frombuffer(json.dumps(values).encode(), np.uint8)
    arrays = {name: getattr(lessons, name) for name in NAMES} | {"about": note} | columns
    np.savez(path, **{name: array for name, array in arrays.items() if array is not None})


def test_lessons_by_hand_are_read(lessons, tmp_path):
    """Without a fingerprint every column is looked through, and nothing is wrong."""
    edited(lessons, tmp_path / "l.npz")

    found = read_lessons(tmp_path / "l.npz", TACOCAT, OPTIONS)

    assert digest(found) == digest(lessons)


def broken(lessons):
    """Columns that no teacher could have written, and a word of what is said of them."""
    half, other = lessons.first.copy(), lessons.positions.copy()
    half[1] = half[2]
    other[0] = other[-1]
    return {
        "none": ({"shares": None}, "column shares"),
        "type": ({"actions": lessons.actions.astype(np.int64)}, "column actions"),
        "two axes": ({"seats": lessons.seats[:, None]}, "column seats"),
        "objects": ({"seats": np.array([{}, []], object)}, "file of lessons"),
        "records": ({"positions": np.zeros(len(lessons), SLAG.record)}, "column positions"),
        "short": ({"values": lessons.values[:-1]}, "lengths"),
        "borders": ({"first": half}, "actions that belong to no decision"),
        "shares": ({"shares": lessons.shares * 2}, "sum to 1"),
        "negative": ({"shares": -lessons.shares}, "sum to 1"),
        "nan": ({"shares": lessons.shares * np.float32("nan")}, "sum to 1"),
        "results": ({"results": lessons.results * 3}, "rewards"),
        "nan results": ({"results": lessons.results * np.float32("nan")}, "rewards"),
        "seats": ({"seats": 1 - lessons.seats}, "not to move"),
        "position": ({"positions": other}, "legal|to move"),
        "nowhere": ({"positions": np.ones(len(lessons), TACOCAT.record)}, "expected"),
        "range": ({"actions": lessons.actions + 1000}, "actions beyond"),
        "illegal": ({"actions": lessons.actions * 0}, "legal"),
        "chosen": ({"chosen": lessons.chosen * 0 - 1}, "illegal"),
        "played": ({"played": lessons.played * 0 + 10**6}, "illegal"),
        "game": ({"about": {"game": "tokken"}}, "game 'tacocat'"),
        "version": ({"about": {"game_version": 99}}, "game version"),
        "options": ({"about": {"options": {"rounds": 2}}}, "options {}"),
        "layout": ({"about": {"observation_layout": "x"}}, "observation layout"),
        "format": ({"about": {"format": 2}}, "format 1"),
        "print": ({"about": {"sha256": "x"}}, "changed since"),
    }


def test_lessons_that_nobody_gave_are_refused(lessons, tmp_path):
    """One line each, that says what was expected and where."""
    path = tmp_path / "l.npz"
    for name, (changes, word) in broken(lessons).items():
        edited(lessons, path, **changes)
        with pytest.raises(DataError, match=word) as caught:
            read_lessons(path, TACOCAT, OPTIONS)
        assert str(path) in str(caught.value), name
        assert "\n" not in str(caught.value), name


def test_files_that_are_no_lessons_are_refused(lessons, tmp_path):
    """Text, an array alone, a folder, half a file, another archive, nothing."""
    path, whole = tmp_path / "x.npz", tmp_path / "whole.npz"
    write_lessons(whole, lessons, demands(TACOCAT, OPTIONS))
    with zipfile.ZipFile(tmp_path / "z.npz", "w") as archive:
        archive.writestr("a.txt", "text")
    np.save(tmp_path / "array.npy", np.arange(3))
    (tmp_path / "folder").mkdir()
    contents = [b"", b"some text", whole.read_bytes()[:-100], (tmp_path / "array.npy").read_bytes()]
    damaged = bytearray(whole.read_bytes())
    damaged[len(damaged) // 2] ^= 255
    for content in [*contents, bytes(damaged), (tmp_path / "z.npz").read_bytes()]:
        path.write_bytes(content)
        with pytest.raises(DataError, match="expected") as caught:
            read_lessons(path, TACOCAT, OPTIONS)
        assert str(path) in str(caught.value)
        assert "pickle" not in str(caught.value)
    for place in (tmp_path / "folder", tmp_path / "nothing.npz"):
        with pytest.raises(DataError, match=place.name):
            read_lessons(place, TACOCAT, OPTIONS)


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """Lessons of 60 games of `novice`."""
    path = tmp_path_factory.mktemp("data") / "l.npz"
    made(replace(PLAN, teacher="novice", share=1.0, games=60), path)
    return path


def agreement(trainer, lessons):
    """How often the network's likeliest action is the teacher's."""
    lesson = lessons.batch(TACOCAT, np.arange(len(lessons)))
    logits = trainer.network.logits(torch.from_numpy(lesson.observations)).detach().numpy()
    return float((np.where(lesson.masks, logits, -np.inf).argmax(1) == lesson.chosen).mean())


@pytest.mark.parametrize("target", ["choice", "shares"])
def test_a_network_learns_from_lessons_before_it_plays(data, tmp_path, target):
    """After ten passes it agrees with games of the teacher that it has not seen."""
    unseen = made(replace(PLAN, teacher="novice", games=20, seed=77), tmp_path / "unseen.npz")
    shares = []
    for passes in (0, 10):
        config = tiny(imitation={"data": str(data), "passes": passes, "target": target})
        trainer = Trainer(TACOCAT, config, tmp_path)
        trainer.start()
        shares.append(agreement(trainer, unseen))

    assert shares[1] > shares[0] + 0.15, shares


def test_an_advised_network_learns_from_lessons(data, tmp_path):
    """Its adviser is asked about each lesson, and the network still comes to choose as taught."""
    lessons = read_lessons(data, TACOCAT, OPTIONS)
    config = tiny(network={"adviser": "solid"}, imitation={"data": str(data), "passes": 10})
    trainer = Trainer(TACOCAT, config, tmp_path)
    trainer.start()
    study: Any = trainer.model.study
    lesson = next(study.passes(1, len(lessons)))
    logits = trainer.network.logits(torch.from_numpy(lesson.observations)).detach().numpy()
    likeliest = np.where(lesson.masks, logits, -np.inf).argmax(1)
    asked = lessons.batch(TACOCAT, np.arange(len(lessons)))
    views = Views(asked.observations, asked.masks, asked.seats)
    advice = make_agent("solid", "tacocat").act(views, new_streams(0, len(lessons), "agents"))

    assert (study.advice == advice).all()
    assert (likeliest == lesson.chosen).mean() > (advice == lessons.chosen).mean() + 0.1


def test_lessons_are_learned_beside_ppo(data, tmp_path):
    """With them the learner agrees with the teacher more than without, after equal steps."""
    shares: list[float] = []
    for imitation in ({}, {"data": str(data), "passes": 0, "steps": 1_000_000}):
        trainer = Trainer(TACOCAT, tiny(imitation=imitation), tmp_path / str(len(shares)))
        trainer.start()
        while not trainer.is_done:
            trainer.update()
        shares.append(agreement(trainer, read_lessons(data, TACOCAT, OPTIONS)))

    assert shares[1] > shares[0] + 0.1, shares


def test_stopped_run_with_lessons_has_the_same_weights(data, tmp_path, monkeypatch):
    """Stopped while they still count, and resumed: equal bits. Other lessons are refused."""
    config = tiny(imitation={"data": str(data), "passes": 1, "steps": 4096})
    train("tacocat", config=config, out=tmp_path / "whole", console=quiet())
    folder, limit = tmp_path / "stopped", 2048
    with monkeypatch.context() as patch:
        patch.setattr(Trainer, "is_done", property(lambda self: self.step >= limit))
        train("tacocat", config=config, out=folder, console=quiet())
    kept = data.read_bytes()
    data.unlink()
    made(replace(PLAN, teacher="novice", games=2), data)
    with pytest.raises(DataError, match="the run began with"):
        train("tacocat", out=folder, resume=True, console=quiet())
    data.write_bytes(kept)
    train("tacocat", out=folder, resume=True, console=quiet())

    assert same_weights(weights_of(tmp_path / "whole"), weights_of(folder))


def test_wrong_lessons_are_refused_before_all_else(tmp_path, lessons):
    """No folder is left; a file without a decision teaches nothing."""
    empty = tmp_path / "empty.npz"
    write_lessons(empty, Lessons.none(TACOCAT), demands(TACOCAT, OPTIONS))
    for path in (empty, tmp_path / "nothing.npz"):
        with pytest.raises(DataError, match=path.name):
            train(
                "tacocat",
                config=tiny(imitation={"data": str(path)}),
                out=tmp_path / "run",
                console=quiet(),
            )
        assert not (tmp_path / "run").exists()
