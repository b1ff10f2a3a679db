"""A game in a distribution of its own works in every verb, with its own baselines and presets."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from spelkast.envs.homes import Home, all_homes

PIG = Path(__file__).parents[1] / "games" / "pig"
PROJECT = """
[build-system]
requires = ["setuptools>=77"]
build-backend = "setuptools.build_meta"

[project]
name = "farmyard"
version = "1.0"

[project.entry-points."spelkast.games"]
pig = "farmyard"

[tool.setuptools]
packages = ["farmyard"]

[tool.setuptools.package-data]
farmyard = ["README.md", "cases/*", "configs/*"]
"""
TINY = "steps=512 rows=32 evaluation.games=2 evaluation.final_games=2 checkpoints.every=256"
VERBS = {
    "games": "games",
    "game": "games pig --json",
    "check": "check pig --games 1 --json",
    "train": f"train pig --out run --set {TINY.replace(' ', ' --set ')}",
    "teach": "teach pig --teacher run --games 2 --jobs 1",
    "eval": "eval pig run holder --games 20 --json --record games.jsonl",
    "replay": "replay games.jsonl --json",
    "play": "play pig --seed 1",
    "bench": "bench pig --seconds 0.01 --json",
}
"""What is typed, in this order."""

RUN = f"""
import contextlib, io, json, sys
from spelkast.cli import main
said = {{}}
for verb, words in {VERBS!r}.items():
    out, sys.stdin = io.StringIO(), io.StringIO("1\\n" * 2000)
    with contextlib.redirect_stdout(out):
        try:
            main(words.split())
        except SystemExit as leave:
            assert not leave.code, (verb, leave.code, out.getvalue())
    said[verb] = out.getvalue()
print(json.dumps(said))
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for the path in which the wheel of a distribution with Pig is installed."""
    project = tmp_path_factory.mktemp("farmyard")
    shutil.copytree(PIG, project / "farmyard", ignore=shutil.ignore_patterns("__pycache__"))
    (project / "pyproject.toml").write_text(PROJECT, "utf-8")
    build = "from setuptools.build_meta import build_wheel; build_wheel('dist')"
    subprocess.run([sys.executable, "-c", build], cwd=project, check=True, capture_output=True)
    (wheel,) = (project / "dist").glob("*.whl")
    site = project / "site"
    install = ["-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--target"]
    subprocess.run([sys.executable, *install, str(site), str(wheel)], check=True)
    return site


@pytest.mark.slow
@pytest.mark.compiled
def test_a_wheel_of_a_game_works_in_every_verb(installed: Path, tmp_path: Path):
    """Nothing but its one entry point says that the game is there."""
    path = os.pathsep.join(filter(None, (str(installed), os.environ.get("PYTHONPATH"))))

    done = subprocess.run(
        [sys.executable, "-c", RUN],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": path, "COLUMNS": "80"},
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    assert "Pig" in said["games"]
    assert json.loads(said["game"])["agents"] == ["random", "holder"]
    assert json.loads(said["check"])["kept"]
    assert "holder" in said["train"]
    assert (tmp_path / "run" / "config.toml").exists()
    assert json.loads(said["eval"])
    assert json.loads(said["replay"])
    assert "holder" in said["play"]
    assert json.loads(said["bench"])


@pytest.mark.parametrize(("name", "baseline"), [("pig", "holder"), ("slag", "taker")])
def test_a_game_of_another_package_has_baselines_and_presets_in_the_verbs(
    name, baseline, spelkast, monkeypatch
):
    """The same mechanism without a wheel: the package `games.pig`, as an entry point names it."""
    monkeypatch.setitem(all_homes(), name, Home.of_package(name, f"games.{name}"))

    facts = spelkast(f"games {name} --json")
    unknown = spelkast(f"eval {name} {baseline} nobody")
    preset = spelkast(f"train {name} --config nothing")

    assert json.loads(facts.out)["agents"] == ["random", baseline]
    assert f"expected an agent of {name} (random, {baseline})" in unknown.err
    assert f"a preset of {name} (standard)" in preset.err
