"""How strong the player of a preset is: read from the folder of its finished run, never typed.

The run must have been trained from a preset as it ships; its record holds the final matches, the
learning curve, where the time went, the versions and the revision.
"""

import json
from collections.abc import Mapping
from pathlib import Path

from spelkast.train.config import TrainConfig, load_config, presets

from ..sampling import Json, markdown_table, number, rounded

QUICK = "demo"
KEPT = (
    "games", "sides", "wins", "draws", "losses", "score", "low", "high", "pair_low", "pair_high",
    "mean_rank", "rank_low", "rank_high", "rank_shares", "mean_scores", "timed_out",
    "truncated", "illegal",
)  # fmt: skip


def read(run: Path) -> Json:
    """The record of a finished run."""
    # Torch, which nobody needs who only reads results.
    from spelkast.agents.checkpoint import find_checkpoint, load_tensors, read_manifest
    from spelkast.train.folder import read_config

    config = read_config(run)
    lines = [
        json.loads(line) for line in (run / "evaluations.jsonl").read_text("utf-8").splitlines()
    ]
    if not lines or not lines[-1]["final"]:
        raise ValueError("no final matches: the run is not finished")
    *curve, last = lines
    checkpoint = find_checkpoint(run, "latest")
    game = str(read_manifest(checkpoint)["game"])
    preset = _preset_of(game, config)
    # Wall seconds of training by what they were spent on; matches are not among them.
    split = load_tensors(checkpoint / "trainer.pt")["split"]
    matches = {name: {key: match[key] for key in KEPT} for name, match in last["matches"].items()}
    return {
        "benchmark": "strength",
        "command": f"spelkast train {game} --config {preset} --out runs/{preset}",
        "versions": json.loads((run / "versions.json").read_text("utf-8")),
        "figures": {
            "game": game,
            "preset": preset,
            "config": config.model_dump(mode="json", exclude_none=True),
            "steps": last["step"],
            "seconds": {name: round(seconds, 1) for name, seconds in split.items()},
            "final": matches,
            "curve": [
                [line["step"], {name: rounded(m["score"]) for name, m in line["matches"].items()}]
                for line in curve
            ],
        },
    }


def _preset_of(game: str, config: TrainConfig) -> str:
    """The preset from which a run was trained, without changes."""
    for preset in presets(game):
        if load_config(game, preset) == config:
            return preset
    raise ValueError(f"a configuration that is not one of the presets {', '.join(presets(game))}")


def table(figures: Json) -> str:
    """The final matches as Markdown."""
    matches = figures["final"]
    columns = _places if any(m.get("sides", 2) > 2 for m in matches.values()) else _results
    rows = [{"against": f"`{name}`", **columns(match)} for name, match in matches.items()]
    return markdown_table(tuple(rows[0]), [list(row.values()) for row in rows])


def _results(match: Json) -> dict[str, str]:
    """A match of two sides."""
    cells = {
        "games": number(match["games"]),
        "won": number(match["wins"]),
        "drawn": number(match["draws"]),
        "lost": number(match["losses"]),
        "score": f"{match['score']:.1%}",
        "95 % (Wilson)": f"{match['low']:.1%} to {match['high']:.1%}",
        "95 % (by deals)": f"{match['pair_low']:.1%} to {match['pair_high']:.1%}",
    }
    if "mean_scores" in match:  # results of an older version have none
        own, others = match["mean_scores"]
        cells["points, own : other"] = f"{own:.2f} : {others:.2f}"
    return cells


def _places(match: Json) -> dict[str, str]:
    """A match of more than two sides: the share of first places, the mean rank, all places."""
    sides = match["sides"]
    return {
        "games": number(match["games"]),
        f"first (equal: {1 / sides:.0%})": f"{match['score']:.1%}",
        "95 %": f"{match['pair_low']:.1%} to {match['pair_high']:.1%}",
        f"mean rank (equal: {(sides + 1) / 2:g})": f"{match['mean_rank']:.2f}",
        "95 % of it": f"{match['rank_low']:.2f} to {match['rank_high']:.2f}",
        "places": " / ".join(f"{share:.0%}" for share in match["rank_shares"]),
    }


def curve(figures: Json) -> str:
    """The scores against the baselines during training as Markdown."""
    names = list(figures["curve"][0][1])
    rows = [
        [f"{step / 1e6:.1f} M", *(f"{scores[name]:.1%}" for name in names)]
        for step, scores in figures["curve"]
    ]
    return markdown_table(("decisions", *(f"`{name}`" for name in names)), rows)


def overview(records: Mapping[str, Json]) -> str:
    """The trained players of all presets but the quick ones, a line each."""
    rows = []
    for _, record in sorted(records.items()):
        figures = record["figures"]
        if "final" in figures and figures["preset"] != QUICK:
            scores = ", ".join(f"`{name}` {_in_short(m)}" for name, m in figures["final"].items())
            minutes = f"{sum(figures['seconds'].values()) / 60:.0f}"
            rows.append([f"`{figures['game']}`", f"`{figures['preset']}`", scores, minutes])
    header = ("game", "preset", "against the baselines (95 %)", "minutes")
    return markdown_table(header, rows, left=3)


def _in_short(match: Json) -> str:
    """A score or, of more than two sides, the mean rank, with the interval by deals."""
    if match.get("sides", 2) == 2:
        low, high = 100 * match["pair_low"], 100 * match["pair_high"]
        return f"{match['score']:.1%} ({low:.1f}-{high:.1f})"
    between = f"{match['rank_low']:.2f}-{match['rank_high']:.2f}"
    return f"mean rank {match['mean_rank']:.2f} of {match['sides']} ({between})"


def origin(record: Json) -> str:
    """What was trained, where and how long, in a sentence or two."""
    figures, versions = record["figures"], record["versions"]
    matches = figures["final"].values()
    late = sum(match.get("timed_out", 0) for match in matches)
    is_two = all(match.get("sides", 2) == 2 for match in matches)
    ended = f", ended by the clock: {late}{' (drawn)' if is_two else ''}" if late else ""
    if all("truncated" in match for match in matches):
        ended += f", cut off: {sum(match['truncated'] for match in matches)}"
    return (
        f"{figures['steps']:,} decisions, {sum(figures['seconds'].values()) / 60:.1f} minutes of "
        f"training (without matches) on {versions['processor']}, Python {versions['python']}, "
        f"torch {versions['torch']}, numba {versions['numba']}, revision "
        f"{str(versions['revision'] or 'unknown')[:12]}; all sides of the same deals, illegal "
        f"actions: {sum(match['illegal'] for match in matches)}{ended}"
    )
