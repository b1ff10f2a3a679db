"""What the docs say about the strength of a preset comes from the folder of its run."""

import json
from pathlib import Path
from typing import Any

import pytest
import torch

from spelkast.benchmarks import machine, pages, strength
from spelkast.benchmarks.strength.__main__ import main
from spelkast.train.config import load_config, parse_config, presets


def match(score: float) -> dict[str, Any]:
    interval = {"low": 0.5, "high": 0.9, "pair_low": 0.4, "pair_high": 0.8}
    counts = {"games": 1000, "sides": 2, "wins": 700, "draws": 0, "losses": 300, "score": score}
    ranks = {"mean_rank": 1.3, "rank_low": 1.2, "rank_high": 1.4, "rank_shares": [0.7, 0.3]}
    rest = {"mean_scores": [17.5, 8.25], "timed_out": 0, "truncated": 0, "illegal": 0}
    return counts | interval | ranks | rest


def finished_run(folder: Path, *, settings: tuple[str, ...] = (), final: bool = True) -> Path:
    """What a run of the demo preset leaves behind."""
    checkpoint = folder / "checkpoints" / "20"
    checkpoint.mkdir(parents=True)
    (folder / "config.toml").write_text(load_config("tacocat", "demo", settings).to_toml())
    machine = {"processor": "Abacus", "python": "3", "torch": "2", "numba": "1", "revision": "abc"}
    (folder / "versions.json").write_text(json.dumps(machine))
    lines: list[dict[str, Any]] = [
        {"step": 10, "final": False, "matches": {"solid": match(0.25)}},
        {"step": 20, "final": final, "matches": {"solid": match(0.7)}},
    ]
    (folder / "evaluations.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    (checkpoint / "manifest.json").write_text(json.dumps({"game": "tacocat"}))
    torch.save({"split": {"update": 90.0, "environment": 30.0}}, checkpoint / "trainer.pt")
    return folder


def test_run_becomes_a_table_with_its_origin(tmp_path: Path):
    text = pages.render(strength.read(finished_run(tmp_path / "run")))

    row = "| 1,000 | 700 | 0 | 300 | 70.0% | 50.0% to 90.0% | 40.0% to 80.0% | 17.50 : 8.25 |"
    assert f"| `solid` {row}" in text
    assert "illegal actions: 0, cut off: 0.*" in text
    assert "ended by the clock" not in text
    assert "20 decisions, 2.0 minutes of training (without matches) on Abacus" in text
    assert "`spelkast train tacocat --config demo --out runs/demo`" in text


COMMITTED = {
    name: record["figures"]
    for name, record in pages.read_all(machine.RESULTS).items()
    if record["benchmark"] == "strength"
}


def test_every_preset_was_trained_to_its_end():
    """Every preset of every game was trained to its end.

    A preset that is shipped has a figure, once its game has one: a new game has none yet.
    """
    measured = {figures["game"] for figures in COMMITTED.values()}

    assert measured >= {"oduludo", "tacocat", "toedeloe", "tokken"}
    assert set(COMMITTED) == {f"{game}-{name}" for game in measured for name in presets(game)}


@pytest.mark.parametrize("name", COMMITTED)
def test_committed_strength_is_of_the_shipped_preset(name: str):
    """A committed strength is that of the preset as it ships.

    After a change of a preset, train it again.
    """
    figures = COMMITTED[name]

    assert parse_config(figures["config"], name) == load_config(figures["game"], figures["preset"])


@pytest.mark.parametrize(
    ("name", "against", "figure", "least"),
    [
        ("tacocat-standard", "solid", "score", 0.55),
        ("tokken-standard", "racer", "score", 0.70),
        ("oduludo-standard", "racer", "score", 0.75),
        ("oduludo-standard", "tactician", "pair_low", 0.5),
        ("oduludo-four_players", "racer", "pair_low", 0.25),
        ("oduludo-team", "racer", "pair_low", 0.5),
        ("toedeloe-standard", "scorer", "score", 0.70),
        ("tacocat-advised", "strong", "pair_low", 0.5),
        ("oduludo-advised", "racer", "score", 0.75),
    ],
)
def test_committed_strengths_are_what_is_asked(name: str, against: str, figure: str, least: float):
    """By score, or by the lower end of the interval where clear of equality is asked."""
    assert COMMITTED[name]["final"][against][figure] > least


def test_four_trained_players_rank_above_equal():
    """Four trained players rank better than equal, and no match is cut off."""
    assert COMMITTED["oduludo-four_players"]["final"]["racer"]["rank_high"] < 2.5
    matches = COMMITTED["oduludo-last_piece"]["final"].values()
    assert [match["truncated"] for match in matches] == [0, 0, 0]


def test_a_match_of_four_sides_is_told_by_places():
    """The share of first places alone would hide who is always second."""
    four = match(0.4) | {
        "sides": 4, "mean_rank": 2.1, "rank_low": 2.0, "rank_high": 2.2,
        "rank_shares": [0.4, 0.25, 0.2, 0.15],
    }  # fmt: skip

    head, _, row = strength.table({"final": {"solid": four}}).splitlines()

    assert "| first (equal: 25%) |" in head
    assert "| mean rank (equal: 2.5) |" in head
    assert "| 40.0% | 40.0% to 80.0% | 2.10 | 2.00 to 2.20 | 40% / 25% / 20% / 15% |" in row


def test_overview_has_a_line_for_every_preset():
    """The overview has a line for every preset but the quick one.

    Scores of two sides, mean ranks of more, and nothing of other benchmarks.
    """
    four = match(0.4) | {"sides": 4, "mean_rank": 2.1, "rank_low": 2.0, "rank_high": 2.2}
    common = {"game": "snail", "seconds": {"update": 90.0, "environment": 30.0}}
    records: dict[str, Any] = {
        "kernels": {"figures": {"snail": {"1024": {}}}},
        "snail-demo": {"figures": {**common, "preset": "demo", "final": {"solid": match(0.6)}}},
        "snail-long": {"figures": {**common, "preset": "long", "final": {"solid": match(0.7)}}},
        "snail-four": {"figures": {**common, "preset": "four", "final": {"solid": four}}},
    }

    assert strength.overview(records).splitlines()[2:] == [
        "| `snail` | `four` | `solid` mean rank 2.10 of 4 (2.00-2.20) | 2 |",
        "| `snail` | `long` | `solid` 70.0% (40.0-80.0) | 2 |",
    ]


def test_games_that_the_clock_ended_are_told(tmp_path: Path):
    record = strength.read(finished_run(tmp_path / "run"))
    record["figures"]["final"]["solid"]["timed_out"] = 12

    assert "ended by the clock: 12 (drawn), cut off: 0" in pages.render(record)


def test_timed_out_games_of_four_are_not_drawn(tmp_path: Path):
    """Games of four sides that the clock ended are not called drawn.

    They have places like any others: only of two sides nobody has won when time is up.
    """
    record = strength.read(finished_run(tmp_path / "run"))
    record["figures"]["final"]["solid"] |= {"sides": 4, "timed_out": 12}

    assert "ended by the clock: 12, cut off: 0.*" in pages.render(record)


def test_curve_leaves_the_final_matches_out(tmp_path: Path):
    figures = strength.read(finished_run(tmp_path / "run"))["figures"]

    assert strength.curve(figures).splitlines()[2:] == ["| 0.0 M | 25.0% |"]


@pytest.mark.parametrize(
    ("made", "complaint"),
    [
        ({"settings": ("ppo.epochs=3",)}, "not one of the presets advised, demo, standard"),
        ({"final": False}, "the run is not finished"),
    ],
)
def test_run_that_proves_nothing_is_refused(tmp_path: Path, made: dict[str, Any], complaint: str):
    """A run that proves nothing about a preset is refused."""
    with pytest.raises(ValueError, match=complaint):
        strength.read(finished_run(tmp_path / "run", **made))


def test_folder_that_is_no_run_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit) as stopped:
        main([str(tmp_path / "nothing")])

    assert stopped.value.code == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "expected a finished run of a preset" in line
    assert line.endswith("nothing' without a config.toml")


def test_published_run_is_where_the_pages_look(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(machine, "LOCAL", tmp_path / "local")

    main([str(finished_run(tmp_path / "run"))])

    assert pages.read_all(tmp_path / "local")["tacocat-demo"]["benchmark"] == "strength"
