"""A training run from its first step to its last: learn, save, measure, stop and go on."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from shlex import quote
from statistics import fmean as mean
from time import monotonic
from types import FrameType

import torch
from rich.console import Console
from stable_baselines3.common.logger import Logger

from ..agents.files import claimed
from ..agents.registry import make_agent
from ..envs import spec as find_spec
from ..envs.engine.errors import CheckpointError, DivergedError
from ..envs.engine.spec import GameSpec
from ..eval.match import MatchResult
from .config import TrainConfig
from .display import Display, results_table
from .evaluate import Evaluations, curves, evaluate
from .folder import RunFolder, check_game, check_new, read_config
from .logbook import Curves
from .trainer import Trainer


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """How a run ended."""

    folder: Path
    step: int
    is_done: bool
    """all steps were made and measured; else the run was stopped and can go on"""
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
    """Train a network for *game* in the folder *out*, or continue the run that is there.

    A resumed run has its configuration in its folder; *config* is for new runs only.
    """
    spec = find_spec(game)
    if resume:
        config = read_config(out)
        check_game(out, spec.name)
    elif config is None:
        raise ValueError("expected a configuration for a new run, got none")
    else:
        check_new(out)
    threads = torch.get_num_threads()
    torch.set_num_threads(config.threads)
    try:
        with claimed(out, CheckpointError):
            if not resume:
                check_new(out)  # another may have begun and ended meanwhile
            run = Run(spec, config, RunFolder(out), console=console or Console())
            return run.go(resume=resume)
    finally:
        torch.set_num_threads(threads)


class Run:
    """One run: the trainer, its folder and what is shown of it."""

    def __init__(
        self, spec: GameSpec, config: TrainConfig, folder: RunFolder, *, console: Console
    ) -> None:
        names = {*config.evaluation.against, *config.evaluation.final_against}
        for name in sorted(names):  # a wrong name is reported now, not in an hour
            make_agent(name, spec.name, options=config.options, device="cpu")
        self.spec = spec
        self.config = config
        self.folder = folder
        self.console = console
        self.is_stopping = False
        self.failure = OSError()
        """the last thing that the disk refused"""
        self.trainer = Trainer(spec, config, folder.path)
        if not folder.has_checkpoints():  # a run may go on without them
            self.trainer.open_lessons()
        self.evaluations = Evaluations(folder.path / "evaluations.jsonl")
        self.display = Display(console, total=config.steps)

    def go(self, *, resume: bool) -> Outcome:
        """Train to the end, or until Ctrl-C."""
        self.display.note(f"training {self.spec.title} in {self.folder.path}")
        is_going_on = resume and self.folder.has_checkpoints()
        if is_going_on:
            self.folder.load(self.trainer)
        else:
            self.folder.create(self.spec.name, self.config)
        if resume and not is_going_on:
            self.display.note("nothing was saved yet: the run begins again at step 0")
        self.evaluations.forget_after(self.trainer.step)
        curves = Curves(self.folder.path / "tensorboard", self.trainer.step)
        self.trainer.model.set_logger(Logger(folder=None, output_formats=[curves]))
        if not is_going_on:
            if self.config.imitation.data:
                self.display.note(f"learning first from {self.config.imitation.data}")
            self.trainer.start()
        try:
            with self._interruptible():
                with self.display.showing(self.trainer.step):
                    self._learn()
                return self._finish()
        except DivergedError as error:
            last = self.folder.last_good or "none"
            raise DivergedError(f"{error}; the last good checkpoint is {last}") from None
        finally:
            curves.close()

    def _learn(self) -> None:
        trainer, config = self.trainer, self.config
        self._evaluate_if_due()  # a run may have been stopped just before
        while not trainer.is_done and not self.is_stopping:
            started = monotonic()
            trainer.update()
            self._report(monotonic() - started)
            if trainer.crossed(config.opponents.snapshot_every):
                self._try("add to the pool", trainer.add_snapshot)
            if trainer.crossed(config.checkpoints.every) or self._is_evaluation_due():
                self._save()
            self._evaluate_if_due()
        if self.is_stopping and not self.folder.is_saved(trainer.step):
            self._save()

    def _finish(self) -> Outcome:
        step, folder = self.trainer.step, self.folder
        if not folder.is_saved(step):
            raise self._unsaved(f"step {step:,}")
        section, results = self.config.evaluation, None
        if self.trainer.is_done:
            results = self._measure(section.final_against, section.final_games)
        if results is None:
            self.display.note(
                f"stopped and saved at step {step:,}; continue with: {self._resuming()}"
            )
        else:
            is_noted = self._note_results(results, is_final=True)
            self.console.print(results_table(f"{folder.path} after {step:,} steps", results))
            if not is_noted:
                raise self._unsaved("the final evaluation")
        is_done = results is not None
        return Outcome(folder=folder.path, step=step, is_done=is_done, results=results or {})

    # What happens between two updates ------------------------------------------------------------

    def _report(self, seconds: float) -> None:
        """Put one point on every curve and move the bar."""
        trainer, model = self.trainer, self.trainer.model
        tallies = trainer.opponents.take_tallies()
        scores = {name: tally.score for name, tally in tallies.items() if tally.games}
        points = {f"score/{name}": score for name, score in scores.items()}
        points["train/entropy_coefficient"] = model.ent_coef
        points["time/steps_per_second"] = self.config.update_steps / seconds
        points |= {f"time/share_{name}": share for name, share in model.split.shares().items()}
        if games := model.last_games:
            points["rollout/ep_rew_mean"] = mean(game.reward for game in games)
            points["rollout/ep_len_mean"] = mean(game.length for game in games)
        for name, value in points.items():
            model.logger.record(name, value)
        model.logger.dump(trainer.step)
        self.display.update(trainer.step, scores)

    def _is_evaluation_due(self) -> bool:
        section, trainer = self.config.evaluation, self.trainer
        is_time = trainer.step > 0 and trainer.crossed(section.every)
        return is_time and bool(section.against) and not self.evaluations.has(trainer.step)

    def _evaluate_if_due(self) -> None:
        if not self._is_evaluation_due() or self.is_stopping:
            return
        section, step = self.config.evaluation, self.trainer.step
        results = self._measure(section.against, section.games)
        if results is None:
            return
        self._note_results(results, is_final=False)
        for name, point in curves(results).items():
            self.trainer.model.logger.record(name, point)
        self.trainer.model.logger.dump(step)
        self.display.evaluated(step, results)
        judge = section.best_by or section.against[-1]
        if self.folder.is_saved(step) and self.evaluations.is_best(step, judge):
            self._try("mark the best", lambda: self.folder.mark_best(step))

    def _measure(self, against: tuple[str, ...], games: int) -> dict[str, MatchResult] | None:
        """Matches against each of *against*; None if stopped before they were over."""
        return evaluate(
            self.spec,
            self.trainer.options,
            self.trainer.network,
            config=self.config,
            against=against,
            games=games,
            adviser=self.trainer.adviser,
            should_stop=lambda: self.is_stopping,
        )

    def _note_results(self, results: dict[str, MatchResult], *, is_final: bool) -> bool:
        step = self.trainer.step
        return self._try(
            "note the evaluation", lambda: self.evaluations.add(step, results, final=is_final)
        )

    def _save(self) -> None:
        self._try("save a checkpoint", lambda: self.folder.save(self.trainer))

    def _try(self, what: str, action: Callable[[], None]) -> bool:
        """Do something with the disk; if that fails, say so and train on. Whether it was done."""
        try:
            action()
        except OSError as error:
            self.failure = error
            self.display.note(
                f"could not {what} at step {self.trainer.step:,}: {error}; training goes on, "
                f"the last good checkpoint is {self.folder.last_good or 'none'}"
            )
            return False
        return True

    def _unsaved(self, what: str) -> OSError:
        """The last failure of the disk, with what it cost and how to continue."""
        reason = self.failure.strerror or str(self.failure)
        return OSError(
            self.failure.errno,
            f"{reason}: {what} could not be saved, the last good checkpoint is "
            f"{self.folder.last_good or 'none'}; with more room continue with: {self._resuming()}",
        )

    def _resuming(self) -> str:
        return f"spelkast train {self.spec.name} --resume {quote(str(self.folder.path))}"

    @contextmanager
    def _interruptible(self) -> Iterator[None]:
        """The first Ctrl-C or SIGTERM stops after the update that runs, the second at once."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return

        def stop(number: int, frame: FrameType | None) -> None:
            if self.is_stopping:
                raise KeyboardInterrupt
            self.is_stopping = True
            self.display.note("stopping after this update; Ctrl-C again to stop at once ...")

        before = {name: signal.signal(name, stop) for name in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for name, handler in before.items():
                signal.signal(name, handler)
