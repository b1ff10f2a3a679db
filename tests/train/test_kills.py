"""Runs killed at any moment go on, and end as if nothing had happened."""

import json
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tiny_runs import same_weights, tiny, weights_of


def results(run: Path) -> list[tuple[int, bool, list[int]]]:
    """The evaluations of a run, without what the clock decides."""
    lines = [json.loads(line) for line in (run / "evaluations.jsonl").read_text().splitlines()]
    return [
        (line["step"], line["final"], [match["wins"] for match in line["matches"].values()])
        for line in lines
    ]


def begin(run: Path, config: Path) -> "subprocess.Popen[bytes]":
    """A process that begins the run, or goes on with it."""
    is_there = (run / "config.toml").is_file()
    words = ["--resume", run] if is_there else ["--config", config, "--out", run]
    return subprocess.Popen(
        [sys.executable, "-m", "spelkast.cli", "train", "tacocat", *map(str, words)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize(
    ("number", "network"),
    [(6, {}), (60, {}), (6, {"adviser": "strong"})],
    ids=["few", "many", "advised"],
)
def test_kills_at_random_moments_change_nothing(tmp_path, number, network):
    """Before the first checkpoint, between it and the next, in a match, while it is loaded.

    Also with an adviser that draws random numbers.
    """
    config, whole, choose, kills = tmp_path / "tiny.toml", tmp_path / "whole", random.Random(1), 0
    config.write_text(tiny(network=network).to_toml())
    assert begin(whole, config).wait() == 0
    start = time.monotonic()
    assert begin(tmp_path / "again", config).wait() == 0
    longest = 1.2 * (time.monotonic() - start)
    while kills < number:
        run = tmp_path / f"run-{kills}"
        for _ in range(6):
            process = begin(run, config)
            time.sleep(choose.uniform(0, longest))
            process.kill()
            kills += process.wait() != 0
        assert begin(run, config).wait() == 0
        assert same_weights(weights_of(run), weights_of(whole))
        assert results(run) == results(whole)
