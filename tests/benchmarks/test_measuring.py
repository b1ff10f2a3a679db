"""The benchmarks run, count what they say, and write down nothing that names a machine's owner."""

import json
import re
import socket
import sys
from pathlib import Path

import numpy as np
import pytest

from spelkast.benchmarks import (
    aec,
    baselines,
    kernels,
    machine,
    peers,
    sampling,
    search,
    start,
    suite,
    tournament,
)
from spelkast.cli import speed
from spelkast.envs import games, make
from spelkast.train import versions

pytestmark = pytest.mark.compiled


def test_rows_are_measured_in_turns():
    asked: list[str] = []
    rates = iter([5.0, 50.0, 1.0, 10.0, 3.0, 30.0])

    def row(name: str) -> sampling.Rate:
        def measure(seconds: float) -> float:
            asked.append(name)
            return next(rates)

        return measure

    figures = sampling.in_turns({"a": row("a"), "b": row("b")}, 3.0, rounds=3)

    assert asked == ["a", "b", "a", "b", "a", "b"]
    assert figures["a"] == {"min": 1, "median": 3, "max": 5, "samples": 3}
    assert figures["b"] == {"min": 10, "median": 30, "max": 50, "samples": 3}


def test_a_rate_is_what_was_done_by_the_time_it_took(monkeypatch: pytest.MonkeyPatch):
    clock = iter([10.0, 10.0, 11.0, 12.0])
    monkeypatch.setattr(speed, "process_time", lambda: next(clock))

    assert speed.rate(lambda: 7, 2.0) == 14 / 2.0


def test_figures_keep_the_digits_that_mean_something():
    assert sampling.rounded(4_123_456.7) == 4_123_000
    assert sampling.rounded(0.123456) == 0.1235
    assert sampling.number(4_123_000) == "4,123,000"


def test_rows_are_under_way_when_measuring_begins():
    """At the start of a game there is less to write and to choose from."""
    batch = kernels.under_way("tacocat", 64).batch
    batch.refresh()

    assert len(np.unique(batch.observations, axis=0)) > 32


@pytest.mark.slow
def test_kernels_measures_every_game_and_size():
    figures = kernels.measure(seconds=0.01, sizes=(1, 8))

    assert sorted(figures) == games()
    for game, sizes in figures.items():
        hardest = [kernels.HARDEST_MASK] if game in kernels.HARDEST else []
        assert list(sizes) == ["1", "8", *hardest]
        assert all(0 < row["min"] <= row["median"] <= row["max"] for row in sizes.values())
    assert kernels.table(figures).count("\n") == 1 + 2 * len(games()) + len(kernels.HARDEST)


@pytest.mark.slow
def test_baselines_measures_every_agent():
    figures = baselines.measure(seconds=0.01, rows=8)

    assert list(figures["tacocat"]["agents"]) == ["random", "novice", "solid", "strong"]
    assert "| tacocat | solid |" in baselines.table(figures)


def test_the_search_is_measured_with_its_baseline():
    """In the same positions, and as a share of what the baseline and a step allow."""
    facts = search.Playing("tacocat", "solid", 4).measure(0.01)

    shares = facts["share"]
    assert 0 < shares["min"] <= shares["median"] <= shares["max"] < 10
    assert "| tacocat | solid |" in search.table({"tacocat": {"solid": facts}})


def test_every_pick_is_a_move_of_a_game():
    env = make("tacocat")
    env.reset(seed=3)

    assert speed.play_along(env, np.linspace(0, 0.999, 1000).tolist()) in range(900, 1000)
    assert env.agents


@pytest.mark.slow
def test_the_peer_plays_in_the_same_loop():
    pytest.importorskip("pygame", reason="PettingZoo's Connect Four draws with it")
    peer = aec.classic(aec.PEER)
    peer.reset(seed=3)

    assert speed.play_along(peer, aec.PICKS) < len(aec.PICKS)
    figures = aec.measure(seconds=0.02, pairs=2)

    ours = figures["games"]["tacocat"]
    assert ours["ratio"]["min"] > 1
    assert ours["ratio"]["samples"] == 2


def test_missing_peer_is_named_and_others_measured(monkeypatch: pytest.MonkeyPatch):
    """A missing peer is named, and the rest is measured."""
    monkeypatch.setitem(sys.modules, "pygame", None)
    monkeypatch.delitem(sys.modules, "pettingzoo.classic.connect_four_v3", raising=False)
    monkeypatch.delitem(sys.modules, "pettingzoo.classic.connect_four.connect_four", raising=False)

    figures = aec.measure(seconds=0.02, pairs=2)

    assert figures["games"]["tacocat"]["plies_per_second"]["min"] > 0
    assert "pygame is not installed (pip install 'spelkast[bench]')" in aec.table(figures)


@pytest.mark.slow
def test_peers_lists_what_it_could_not_measure(monkeypatch: pytest.MonkeyPatch):
    for name in ("pyspiel", "jax"):
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setattr(peers, "PETTINGZOO", ())

    figures = peers.measure(seconds=0.05)

    assert f"spelkast tacocat, batch of {peers.ROWS} from Python" in figures["decisions_per_second"]
    expected = len(peers.OPENSPIEL) + len(peers.OPENSPIEL_BOTS)
    expected += len(peers.PGX) * len(peers.PGX_ROWS)
    assert len(figures["skipped"]) == expected
    assert "OpenSpiel is not installed" in peers.table(figures)


def test_import_is_measured_in_a_new_process():
    figures = start.measure_import(samples=1)

    assert figures["heavy_modules"] == []
    assert figures["cpu_seconds"]["min"] > 0.01


def test_a_process_that_fails_is_no_figure():
    with pytest.raises(RuntimeError, match="ZeroDivisionError"):
        start._run("1 / 0")


@pytest.mark.slow
def test_result_says_its_origin_but_not_whose_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    """A result says where it comes from, and not whose machine it is."""
    for switch in machine.SWITCHES:
        monkeypatch.delenv(switch, raising=False)
    suite.main(["kernels", "--seconds", "0.01", "--out", str(tmp_path)])

    text = (tmp_path / "kernels.json").read_text("utf-8")
    record = json.loads(text)
    assert record["command"] == "python -m spelkast.benchmarks kernels --seconds 0.01"
    assert record["versions"].keys() >= {"numba", "numpy", "pettingzoo"}
    assert record["machine"]["cores"] >= 1
    assert set(record["noise"]["yardstick_before"]) == {"compiled", "interpreted"}
    assert record["noise"]["share"] > 0
    assert not re.search(rf"\b{re.escape(socket.gethostname())}\b", text)
    for private in (versions.CHECKOUT, tmp_path):
        assert str(private) not in text
    assert record["figures"]["tacocat"]
    assert "| tacocat | 1024 |" in capsys.readouterr().out


def test_without_git_there_is_no_revision(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setattr(versions, "CHECKOUT", tmp_path)

    facts = machine.circumstances()

    assert facts["revision"] is None
    assert facts["modified"] is False


def test_interpreted_kernels_are_not_measured(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("NUMBA_BOUNDSCHECK", "1")

    with pytest.raises(
        SystemExit, match="expected compiled code to measure, got NUMBA_BOUNDSCHECK"
    ):
        suite.main(["kernels", "--out", str(tmp_path)])

    assert list(tmp_path.iterdir()) == []


def test_an_unknown_benchmark_is_refused_with_the_list(capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit) as stopped:
        suite.main(["kernel"])

    assert stopped.value.code == 2
    assert "expected a benchmark of kernels, baselines, aec" in capsys.readouterr().err


def test_tournament_measures_games_and_pairings():
    figures = tournament.measure(samples=1)

    assert all(figures[key]["min"] > 0 for key in ("tournament", "pairing", "worst_pairing"))
    assert "| 16 teams of `kees` and `racer`, 4 rounds: CPU s |" in tournament.table(figures)
