"""A training run from its first step to its last, in a folder that survives whatever happens.

    RUN/config.toml         the resolved configuration
    RUN/versions.json       what it was made with
    RUN/checkpoints/        see `agents.checkpoint`
    RUN/pool/, pool.json    past selves, and how the learner does against them
    RUN/evaluations.jsonl   matches against fixed opponents
    RUN/tensorboard/        curves
"""

from __future__ import annotations

import shutil
import signal
import threading
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from types import FrameType
from typing import Any

import torch
from rich.console import Console

from ..agents.checkpoint import (
    check_manifest,
    find_checkpoint,
    load_network,
    load_tensors,
    manifest,
    read_manifest,
    save_tensors,
)
from ..agents.files import UNFINISHED, write_folder, write_json, write_text
from ..agents.registry import make_agent
from ..envs import spec as find_spec
from ..envs.engine.errors import CheckpointError
from ..envs.engine.spec import GameSpec
from ..eval.match import MatchResult
from .config import TrainConfig, parse_config
from .display import Display, results_table
from .evaluate import Evaluations, best_name, evaluate
from .logbook import Curves, make_logger, versions
from .trainer import Trainer


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """How a run ended."""

    folder: Path
    step: int
    is_done: bool
    """all steps were made; else the run was stopped and can go on"""
    results: dict[str, MatchResult]
    """the final matches; empty if the run was stopped"""


def train(
    game: str,
    *,
    config: TrainConfig | None = None,
    out: Path,
    resume: bool = False,
    console: Console | None = None,
) -> Outcome:
    """Train a network for *game* in the folder *out*, or go on with the run that is there.

    A resumed run has its configuration in its folder; *config* is for new runs only.
    """
    spec = find_spec(game)
    if resume:
        config = read_config(out)
    elif config is None:
        raise ValueError("expected a configuration for a new run, got none")
    else:
        _check_new(out)
    threads = torch.get_num_threads()
    torch.set_num_threads(config.threads)
    try:
        return Run(spec, config, out, console or Console()).go(resume=resume)
    finally:
        torch.set_num_threads(threads)


def read_config(run: Path) -> TrainConfig:
    """The configuration of a run."""
    path = run / "config.toml"
    if not path.is_file():
        raise CheckpointError(f"expected a training run, got {str(run)!r} without a config.toml")
    try:
        values = tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        raise CheckpointError(f"expected TOML in {path}, got {error}") from None
    return parse_config(values, str(path))


def _check_new(out: Path) -> None:
    if (out / "config.toml").exists():
        raise CheckpointError(
            f"expected a folder without a run, got {str(out)!r}; go on with it by --resume {out}"
        )
    if out.exists() and not out.is_dir():
        raise CheckpointError(f"expected a folder, got the file {str(out)!r}")


class Run:
    """One run and its folder."""

    def __init__(
        self, spec: GameSpec, config: TrainConfig, folder: Path, console: Console  # noqa: PLR0917
    ) -> None:
        self.spec = spec
        self.config = config
        self.folder = folder
        self.console = console
        self.checkpoints = folder / "checkpoints"
        self.last_good: Path | None = None
        self.failed = False
        self.stopping = False

    def go(self, *, resume: bool) -> Outcome:
        """Train to the end, or until Ctrl-C."""
        names = {*self.config.evaluation.against, *self.config.evaluation.final_against}
        for name in sorted(names):  # a wrong name is reported now, not in an hour
            make_agent(name, self.spec.name, options=self.config.options, device="cpu")
        self.trainer = Trainer(self.spec, self.config, self.folder)
        self.evaluations = Evaluations(self.folder / "evaluations.jsonl")
        if resume:
            self._load()
        else:
            self._create()
        self.curves = Curves(self.folder / "tensorboard", self.trainer.step)
        self.trainer.model.set_logger(make_logger(self.curves))
        if not resume:
            self.trainer.start()
        try:
            with self._interruptible():
                return self._loop()
        finally:
            self.curves.close()

    def _loop(self) -> Outcome:
        trainer, config = self.trainer, self.config
        with Display(self.console, total=config.steps, done=trainer.step) as self.display:
            self.display.note(f"training {self.spec.title} in {self.folder}")
            self._evaluate_if_due()
            while not trainer.is_done and not self.stopping:
                started = monotonic()
                trainer.update()
                self._report(monotonic() - started)
                if trainer.crossed(config.opponents.snapshot_every):
                    self._try("add to the pool", trainer.add_snapshot)
                if self._is_save_due():
                    self._save()
                self._evaluate_if_due()
            if self.stopping and not self._is_saved():
                self._save()
        return self._finish()

    def _finish(self) -> Outcome:
        if not self._is_saved():
            raise CheckpointError(
                f"expected to save step {self.trainer.step} in {self.folder}, got no room for it; "
                f"the last good checkpoint is {self.last_good or 'none'}"
            )
        results: dict[str, MatchResult] | None = None
        if self.trainer.is_done and not self.stopping:
            results = self._final_matches()
        if results is None:
            self.console.print(
                f"stopped and saved at step {self.trainer.step:,}; go on with: "
                f"spelkast train {self.spec.name} --resume {self.folder}",
                soft_wrap=True,
                highlight=False,
            )
        return Outcome(
            folder=self.folder,
            step=self.trainer.step,
            is_done=results is not None,
            results=results or {},
        )

    def _final_matches(self) -> dict[str, MatchResult] | None:
        section = self.config.evaluation
        results = evaluate(
            self.spec,
            self.trainer.options,
            self.trainer.network,
            config=self.config,
            against=section.final_against,
            games=section.final_games,
            should_stop=lambda: self.stopping,
        )
        if results is not None:
            step = self.trainer.step
            self._try("note the final matches", lambda: self.evaluations.add(step, results, final=True))
            self.console.print(results_table(f"{self.folder} after {step:,} steps", results))
        return results

    # What happens between two updates ------------------------------------------------------------

    def _report(self, seconds: float) -> None:
        trainer, model = self.trainer, self.trainer.model
        tallies = trainer.opponents.take_tallies()
        scores = {name: tally.score for name, tally in tallies.items() if tally.games}
        for name, score in scores.items():
            model.logger.record(f"score/{name}", score)
        model.logger.record("train/entropy_coefficient", model.ent_coef)
        model.logger.record("time/steps_per_second", self.config.update_steps / seconds)
        for name in model.split.__slots__:
            share = getattr(model.split, name) / max(model.split.total, 1e-9)
            model.logger.record(f"time/share_{name}", share)
        if model.ep_info_buffer:
            episodes = list(model.ep_info_buffer)
            model.logger.record("rollout/ep_rew_mean", sum(e["r"] for e in episodes) / len(episodes))
            model.logger.record("rollout/ep_len_mean", sum(e["l"] for e in episodes) / len(episodes))
        model.logger.dump(trainer.step)
        self.display.update(trainer.step, scores)

    def _is_save_due(self) -> bool:
        section = self.config
        return self.trainer.crossed(section.checkpoints.every) or self._is_evaluation_due()

    def _is_evaluation_due(self) -> bool:
        return (
            self.trainer.step > 0
            and bool(self.config.evaluation.against)
            and self.trainer.crossed(self.config.evaluation.every)
            and not self.evaluations.has(self.trainer.step)
        )

    def _evaluate_if_due(self) -> None:
        if not self._is_evaluation_due() or self.stopping:
            return
        section, step = self.config.evaluation, self.trainer.step
        results = evaluate(
            self.spec,
            self.trainer.options,
            self.trainer.network,
            config=self.config,
            against=section.against,
            games=section.games,
            should_stop=lambda: self.stopping,
        )
        if results is None:
            return
        self._try("note the evaluation", lambda: self.evaluations.add(step, results))
        for name, result in results.items():
            self.trainer.model.logger.record(f"evaluation/{name}", result.score)
        self.trainer.model.logger.dump(step)
        self.display.evaluated(step, results)
        name = best_name(self.config)
        if name is not None and self._is_saved() and self.evaluations.is_best(step, name):
            self._try("mark the best", lambda: write_text(self.checkpoints / "best", f"{step}\n"))

    # The folder ----------------------------------------------------------------------------------

    def _create(self) -> None:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            write_json(self.folder / "versions.json", versions())
            write_text(self.folder / "config.toml", self.config.to_toml())
        except OSError as error:
            raise CheckpointError(f"expected to write to {self.folder}, got {error}") from None

    def _load(self) -> None:
        where = find_checkpoint(self.folder, "latest")
        found = read_manifest(where)
        check_manifest(found, self.spec, self.trainer.options, where=where)
        weights = load_network(where, found).state_dict()
        if found["network"] != self.trainer.network_config.to_json():
            raise CheckpointError(
                f"expected the network {self.trainer.network_config.to_json()} of config.toml, "
                f"got {found['network']} in {where}"
            )
        self.trainer.restore(weights, load_tensors(where / "trainer.pt"))
        self.evaluations.forget_after(self.trainer.step)
        self.last_good = where

    def _is_saved(self) -> bool:
        return self.last_good is not None and self.last_good.name == str(self.trainer.step)

    def _save(self) -> None:
        step = self.trainer.step
        folder = self.checkpoints / str(step)

        def fill(target: Path) -> None:
            save_tensors(target / "weights.pt", self.trainer.weights())
            save_tensors(target / "trainer.pt", self.trainer.state())
            write_json(target / "manifest.json", self._manifest())

        def save() -> None:
            write_folder(folder, fill)
            write_text(self.checkpoints / "latest", f"{step}\n")
            self.last_good = folder
            write_json(self.folder / "pool.json", self.trainer.opponents.pool_json())
            self._prune()

        self._try("save a checkpoint", save)

    def _manifest(self) -> dict[str, Any]:
        return manifest(
            self.spec,
            self.trainer.options,
            self.trainer.network_config,
            step=self.trainer.step,
            deterministic=self.config.evaluation.deterministic,
            extra={
                "opponents_deterministic": self.config.opponents.deterministic,
                "versions": versions(),
            },
        )

    def _prune(self) -> None:
        """Delete old checkpoints but for the best."""
        pointer = self.checkpoints / "best"
        best = pointer.read_text("utf-8").strip() if pointer.is_file() else None
        steps = sorted(int(p.name) for p in self.checkpoints.iterdir() if p.name.isdigit())
        for step in steps[: -self.config.checkpoints.keep]:
            if str(step) != best:
                shutil.rmtree(self.checkpoints / str(step), ignore_errors=True)
        for rest in self.checkpoints.glob(f"{UNFINISHED}*"):
            shutil.rmtree(rest, ignore_errors=True)

    def _try(self, what: str, action: Callable[[], None]) -> None:
        """Do something with the disk; if that fails, say so and train on."""
        try:
            action()
        except OSError as error:
            self.display.note(
                f"could not {what} at step {self.trainer.step:,}: {error}; training goes on, "
                f"the last good checkpoint is {self.last_good or 'none'}"
            )

    @contextmanager
    def _interruptible(self) -> Iterator[None]:
        """The first Ctrl-C stops after the update that runs, the second at once."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return

        def stop(number: int, frame: FrameType | None) -> None:
            if self.stopping:
                raise KeyboardInterrupt
            self.stopping = True
            with suppress(Exception):
                self.display.note("stopping after this update; Ctrl-C again to stop at once ...")

        before = signal.signal(signal.SIGINT, stop)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)
