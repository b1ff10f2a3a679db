"""Matches that measure the learner: who was met, and with which result and interval."""

import copy
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from ..agents.agent import Agent
from ..agents.checkpoint import NetworkAgent
from ..agents.files import write_text
from ..agents.network import PolicyNetwork
from ..agents.registry import make_agent
from ..envs.engine.dtypes import Json
from ..envs.engine.spec import GameSpec, Options
from ..envs.engine.textfiles import read_lines
from ..eval.match import MatchResult, play_match
from .config import TrainConfig

MATCH_SEED = 3
"""Evaluations play the same deals every time, so that scores of one run compare."""


def evaluate(
    spec: GameSpec,
    options: Options,
    network: PolicyNetwork,
    *,
    config: TrainConfig,
    against: Sequence[str],
    games: int,
    adviser: Agent | None = None,
    should_stop: Callable[[], bool] = lambda: False,
) -> dict[str, MatchResult] | None:
    """Meet every opponent; None if *should_stop* says so before the last match is over."""
    frozen = copy.deepcopy(network).to("cpu")
    learner = NetworkAgent(
        "learner", frozen, adviser=adviser, deterministic=config.evaluation.deterministic
    )
    results: dict[str, MatchResult] = {}
    for name in against:
        if should_stop():
            return None
        opponent = make_agent(name, spec.name, options=options.changed(), device="cpu")
        results[name] = play_match(
            spec, options, learner, opponent, games=games, seed=(config.seed, MATCH_SEED)
        )
    return results


def curves(results: Mapping[str, MatchResult]) -> dict[str, float]:
    """The points that an evaluation puts on the curves: scores, and ranks if they say more."""
    points = {f"evaluation/{name}": result.score for name, result in results.items()}
    ranks = {
        f"evaluation/{name} mean rank": result.mean_rank
        for name, result in results.items()
        if result.sides > 2
    }
    return points | ranks


class Evaluations:
    """The evaluations of a run, one JSON line each in `evaluations.jsonl`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        parsed = map(_parse, read_lines(path) if path.is_file() else ())
        self.records: list[Json] = [record for record in parsed if record is not None]

    def forget_after(self, step: int) -> None:
        """Drop what a run measured after the checkpoint from which it goes on, and at its end."""
        kept = (record for record in self.records if record["step"] <= step)
        self.records = [record for record in kept if not record["final"]]
        if self.path.is_file():
            self._write()

    def has(self, step: int) -> bool:
        """Whether there is an evaluation of this step."""
        return any(record["step"] == step and not record["final"] for record in self.records)

    def add(self, step: int, results: dict[str, MatchResult], *, final: bool = False) -> None:
        """Add an evaluation."""
        matches = {name: result.to_json() for name, result in results.items()}
        record = {"step": step, "final": final, "matches": matches}
        self.records.append(record)
        self._write()

    def _write(self) -> None:
        """Replace the file: what a crash or a full disk left of a line would be continued."""
        write_text(self.path, "".join(f"{json.dumps(record)}\n" for record in self.records))

    def is_best(self, step: int, name: str) -> bool:
        """Whether the evaluation of *step* has the best mean rank against *name* so far.

        With two sides that is the highest score.
        """
        scores = {
            record["step"]: _score(record["matches"][name])
            for record in self.records
            if not record["final"] and name in record["matches"]
        }
        return step in scores and scores[step] >= max(scores.values())


def _score(match: Json) -> float:
    """The mean rank as a score, 1 for always first; runs of an older version have no other one."""
    score: float = match.get("against_each", match)["score"]
    return score


def _parse(line: str) -> Json | None:
    """A record, or None for a line that a killed run left half written, or that is none of ours."""
    try:
        record: Json = json.loads(line)
        scores = [_score(match) for match in record["matches"].values()]
        numbers, is_final = [record["step"], *scores], record["final"]
    except (ValueError, RecursionError, TypeError, KeyError, AttributeError):
        return None
    are_numbers = all(isinstance(number, int | float) for number in numbers)
    return record if are_numbers and isinstance(is_final, bool) else None
