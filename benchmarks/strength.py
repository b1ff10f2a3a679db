"""How strong the player of a preset is: read from the folder of its finished run, never typed.

    python -m spelkast.benchmarks.strength runs/standard --publish

The run must have been trained from a preset as it ships; its record holds the final matches, the
learning curve, where the time went, the versions and the revision.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from spelkast.envs.engine.errors import SpelkastError
from spelkast.train.config import TrainConfig, load_config, presets

from . import pages, suite
from .sampling import Json, markdown_table, number, rounded

KEPT = ("games", "wins", "draws", "losses", "score", "low", "high", "pair_low", "pair_high")


def main(arguments: Sequence[str] | None = None) -> None:
    """Turn the folder of a run into a result, and print it."""
    parser = argparse.ArgumentParser(prog="python -m spelkast.benchmarks.strength")
    parser.add_argument("run", type=Path, help="folder of a finished run of a preset")
    parser.add_argument("--publish", action="store_true", help="write benchmarks/results and docs")
    asked = parser.parse_args(arguments)
    try:
        record = read(asked.run)
    except (OSError, SpelkastError, KeyError, ValueError) as error:
        sys.exit(f"spelkast: expected a finished run of a preset in {asked.run}, got {error}")
    folder = suite.RESULTS if asked.publish else suite.LOCAL
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{record['figures']['game']}-{record['figures']['preset']}.json"
    path.write_text(json.dumps(record, indent=2) + "\n", "utf-8")
    print(f"{pages.render(record)}\n\n{path}")
    if asked.publish:
        pages.write_all(suite.RESULTS)


def read(run: Path) -> Json:
    """The record of a finished run."""
    config = load_config("", str(run / "config.toml"))
    versions = json.loads((run / "versions.json").read_text("utf-8"))
    lines = [
        json.loads(line) for line in (run / "evaluations.jsonl").read_text("utf-8").splitlines()
    ]
    if not lines or not lines[-1]["final"]:
        raise ValueError("no final matches: the run is not finished")
    game, preset = _preset_of(run, config)
    return {
        "benchmark": "strength",
        "command": f"spelkast train {game} --config {preset} --out runs/{preset}",
        "versions": versions,
        "figures": {
            "game": game,
            "preset": preset,
            "steps": lines[-1]["step"],
            "seconds": _seconds(run),
            "final": {
                name: {key: match[key] for key in KEPT} | {"illegal": match["illegal"]}
                for name, match in lines[-1]["matches"].items()
            },
            "curve": [
                [line["step"], {name: rounded(m["score"]) for name, m in line["matches"].items()}]
                for line in lines[:-1]
            ],
        },
    }


def _preset_of(run: Path, config: TrainConfig) -> tuple[str, str]:
    """The game and the preset that the run was trained from, without changes."""
    step = (run / "checkpoints" / "latest").read_text("utf-8").strip()
    manifest = json.loads((run / "checkpoints" / step / "manifest.json").read_text("utf-8"))
    game = str(manifest["game"])
    for preset in presets(game):
        if load_config(game, preset) == config:
            return game, preset
    raise ValueError(f"a configuration that is none of the presets {', '.join(presets(game))}")


def _seconds(run: Path) -> Json:
    """Wall seconds of training by what they were spent on; matches are not among them."""
    import torch

    step = (run / "checkpoints" / "latest").read_text("utf-8").strip()
    state = torch.load(run / "checkpoints" / step / "trainer.pt", weights_only=True)
    return {name: round(seconds, 1) for name, seconds in state["split"].items()}


def table(figures: Json) -> str:
    """The final matches and the learning curve as Markdown."""
    rows = [
        [
            f"`{name}`",
            number(match["games"]),
            number(match["wins"]),
            number(match["draws"]),
            number(match["losses"]),
            f"{match['score']:.1%}",
            f"{match['low']:.1%} to {match['high']:.1%}",
            f"{match['pair_low']:.1%} to {match['pair_high']:.1%}",
        ]
        for name, match in figures["final"].items()
    ]
    header = (
        "against", "games", "won", "drawn", "lost", "score", "95 % (Wilson)", "95 % (by deals)",
    )  # fmt: skip
    return markdown_table(header, rows)


def curve(figures: Json) -> str:
    """The scores against the baselines during training as Markdown."""
    names = list(figures["curve"][0][1])
    rows = [
        [f"{step / 1e6:.1f} M", *(f"{scores[name]:.1%}" for name in names)]
        for step, scores in figures["curve"]
    ]
    return markdown_table(("decisions", *(f"`{name}`" for name in names)), rows)


def origin(record: Json) -> str:
    """What was trained, where and how long, in a sentence or two."""
    figures, versions = record["figures"], record["versions"]
    seconds = sum(figures["seconds"].values())
    return (
        f"*{figures['steps']:,} decisions, {seconds / 60:.1f} minutes of training (matches apart) "
        f"on {versions['processor']}, Python {versions['python']}, torch {versions['torch']}, "
        f"numba {versions['numba']}, revision {str(versions['revision'] or 'unknown')[:12]}; both "
        f"seats of the same deals, illegal actions: "
        f"{sum(match['illegal'] for match in figures['final'].values())}.* "
        f"`{record['command']}`"
    )


if __name__ == "__main__":
    main()
