"""Evolving the numbers of a baseline: what is found, resumed and refused."""

import io
import time
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from rich.console import Console

from spelkast.agents.heuristics.toedeloe.endings import hoarder
from spelkast.agents.parameters import Weights
from spelkast.agents.registry import make_agent
from spelkast.agents.tuned import weights_of
from spelkast.cli.tune import _progress
from spelkast.envs.engine.errors import SpelkastError
from spelkast.train import tuning
from spelkast.train.tuning import Generation, Limit, TuningPlan, folder_of, measure, tune

PLAN = TuningPlan(game="toedeloe", baseline="hoarder", against=("hoarder",), games=2, seed=5)
HOARDER: Any = hoarder.weights


def run(out: Any, *, generations: int, plan: TuningPlan = PLAN, jobs: int = 1) -> Any:
    *_, last = tune(plan, out, Limit(minutes=10, generations=generations), jobs=jobs)
    return last


@pytest.fixture
def valley(monkeypatch):
    """Instead of games: the nearer `run` is to 40 and `frame` to 100, the better."""

    def play(_plan: TuningPlan, _number: int, weights: Weights) -> list[tuple[float, ...]]:
        values = weights.by_name()
        lead = -abs(values["run"] - 40) - abs(values["frame"] - 100) / 3
        return [(0.5, lead, lead**2)]

    monkeypatch.setattr(tuning, "_play", play)
    return monkeypatch


def log(out: Any) -> list[Any]:
    text = (folder_of(out) / "log.jsonl").read_text("utf-8")
    return [line.split('"seconds"')[0] for line in text.splitlines()]


def test_tuning_finds_better_values(tmp_path, valley):
    best = run(tmp_path / "my.toml", generations=60).best.by_name()

    assert abs(best["run"] - 40) < 6
    assert abs(best["frame"] - 100) < 18


def test_tuning_goes_on_where_it_was_stopped(tmp_path, valley):
    """To the bit: the log of both is the same, and so are the values."""
    whole, parts = tmp_path / "whole.toml", tmp_path / "parts.toml"

    for generations in (2, 5):
        resumed = run(parts, generations=generations)

    assert resumed.best == run(whole, generations=5).best
    assert log(parts) == log(whole)


def test_another_seed_tunes_otherwise(tmp_path, valley):
    first = run(tmp_path / "a.toml", generations=3)
    other = run(tmp_path / "b.toml", generations=3, plan=replace(PLAN, seed=6))

    assert first.best != other.best


def test_a_tuning_of_something_else_is_not_gone_on_with(tmp_path, valley):
    """Neither with another plan, nor with other parameters than the log's."""
    out = tmp_path / "my.toml"
    run(out, generations=1)

    with pytest.raises(SpelkastError, match=r"expected seed = 5 to go on with .*log\.jsonl, got 6"):
        run(out, generations=2, plan=replace(PLAN, seed=6))
    valley.setattr(TuningPlan, "weights", lambda _: HOARDER.changed({"run": 3}))
    with pytest.raises(SpelkastError, match="expected from = "):
        run(out, generations=2)


@pytest.mark.parametrize("text", ["", "[]\n", "{\n", '{"game": "toedeloe"}\n'])
def test_a_damaged_log_of_a_tuning_is_named(tmp_path, valley, text):
    out = tmp_path / "my.toml"
    run(out, generations=1)
    (folder_of(out) / "log.jsonl").write_text(text, "utf-8")

    with pytest.raises(SpelkastError, match=r"log\.jsonl"):
        run(out, generations=2)


def test_a_file_of_somebody_else_is_not_overwritten(tmp_path, valley):
    out = tmp_path / "my.toml"
    out.write_text("mine", "utf-8")

    with pytest.raises(SpelkastError, match="expected a new file or one with"):
        run(out, generations=1)

    assert out.read_text("utf-8") == "mine"


def test_jobs_change_nothing_that_a_tuning_finds(tmp_path, monkeypatch):
    """And its file names an agent and says what that gained, and by which command."""
    monkeypatch.setattr(tuning, "MEASURED", 2)
    alone, both = tmp_path / "alone.toml", tmp_path / "both.toml"

    found = run(alone, generations=1)
    run(both, generations=1, jobs=2)
    [result] = measure(found, alone, jobs=1)
    agent: Any = make_agent(str(alone), "toedeloe")

    assert log(both) == log(alone)
    assert weights_of(agent.choice) == found.best
    assert (result.second, result.games) == ("hoarder", 2)
    assert "hoarder --games=2 --seed=5" in alone.read_text("utf-8")


def test_names_in_brackets_are_no_style_on_a_terminal(monkeypatch):
    """The line that changes shows an opponent as it was named."""
    monkeypatch.setenv("TERM", "xterm")
    terminal, limit = Console(file=io.StringIO(), force_terminal=True), Limit(minutes=1)
    plan = replace(PLAN, against=("[red]a[/red].toml",))
    met = Generation(worths=[], scores=[0.5], seconds=1.0)
    some: Any = SimpleNamespace(plan=plan, generations=[met], seconds=1.0)

    with _progress(terminal, limit) as show:
        show(some)
        time.sleep(0.2)

    assert "against [red]a[/red].toml" in terminal.file.getvalue()  # type: ignore[attr-defined]
