"""The folder of a run, which survives whatever happens to the run.

    RUN/config.toml         the resolved configuration
    RUN/versions.json       what it was made with
    RUN/checkpoints/        see `agents.checkpoint`
    RUN/pool/, pool.json    past selves, and how the learner does against them
    RUN/evaluations.jsonl   matches against fixed opponents
    RUN/tensorboard/        curves

What is there is replaced as a whole or not at all: a crash or a full disk costs what was not saved
yet, nothing else.
"""

import shutil
from pathlib import Path
from shlex import quote

from ..agents.checkpoint import (
    ADVISER_FILE,
    best_step,
    check_adviser,
    check_manifest,
    demands,
    digests,
    find_checkpoint,
    load_network,
    load_whole,
    read_manifest,
    save_tensors,
    saved_steps,
)
from ..agents.files import (
    UNFINISHED,
    read_json_object,
    read_toml,
    write_folder,
    write_json,
    write_text,
)
from ..envs.engine.dtypes import Json
from ..envs.engine.errors import CheckpointError, SpelkastError, expect
from .config import TrainConfig, parse_config
from .trainer import Trainer
from .versions import versions


def read_config(run: Path) -> TrainConfig:
    """The configuration of a run."""
    path = run / "config.toml"
    if not path.is_file():
        raise CheckpointError(f"expected a training run, got {str(run)!r} without a config.toml")
    try:
        values = read_toml(path, CheckpointError)
    except OSError as error:
        raise CheckpointError(f"expected TOML in {path}, got {error}") from None
    return parse_config(values, str(path))


def check_new(out: Path) -> None:
    """Raise `CheckpointError` if a new run cannot begin in this folder."""
    has_run, there = (
        (out / "config.toml").exists(),
        f"{str(out)!r}; go on by --resume {quote(str(out))}",
    )
    expect(not has_run, "a folder without a run", there, error=CheckpointError)
    is_free = out.is_dir() or not out.exists()
    expect(is_free, "a folder", f"the file {str(out)!r}", error=CheckpointError)


def check_game(run: Path, game: str) -> None:
    """Raise `CheckpointError` if a run says that it is one of another game."""
    try:
        name = read_json_object(run / "versions.json", "the versions of a run").get("game", game)
    except SpelkastError:  # without them it may still be the game's
        return
    expect(name == game, f"a run of {game}", f"one of {name} in {run}", error=CheckpointError)


class RunFolder:
    """Saves a trainer and brings it back."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.checkpoints = path / "checkpoints"
        self.last_good: Path | None = None
        """the newest checkpoint that is surely whole"""

    def create(self, game: str, config: TrainConfig) -> None:
        """Begin a run."""
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            write_json(self.path / "versions.json", {"game": game, **versions()})
            write_text(self.path / "config.toml", config.to_toml())
        except OSError as error:
            reason = f"expected to write to {self.path}, got: {error.strerror}"
            raise OSError(error.errno, reason) from None

    def has_checkpoints(self) -> bool:
        """Whether anything was saved: a run that was killed before has none."""
        return bool(saved_steps(self.path))

    def load(self, trainer: Trainer) -> None:
        """Bring the latest checkpoint back into *trainer*."""
        where = find_checkpoint(self.path, "latest")
        found = read_manifest(where)
        check_manifest(found, trainer.spec, trainer.options, where=where)
        expected = trainer.network_config.to_json()
        got, wanted = found.get("network"), f"the network of config.toml {expected}"
        expect(got == expected, wanted, f"{got} in {where}", error=CheckpointError)
        check_adviser(found, trainer.advised_by, where=where)
        weights = load_network(where, found).state_dict()
        trainer.restore(weights, load_whole(where, "trainer.pt", found))
        self.last_good = where

    def is_saved(self, step: int) -> bool:
        """Whether the newest checkpoint is that of *step*."""
        return self.last_good is not None and self.last_good.name == str(step)

    def save(self, trainer: Trainer) -> None:
        """Add a checkpoint and prune old ones; an `OSError` leaves what was there.

        Raises `DivergedError` for a network that could not play, and `CheckpointError` if the
        folder of the run is gone.
        """
        folder = self.checkpoints / str(trainer.step)
        trainer.check_network()
        if not (self.path / "config.toml").is_file():
            raise CheckpointError(f"expected the folder of the run, {self.path}, got none any more")

        def fill(target: Path) -> None:
            save_tensors(target / "weights.pt", trainer.weights())
            save_tensors(target / "trainer.pt", trainer.state())
            if trainer.adviser_file is not None:
                write_text(target / ADVISER_FILE, trainer.adviser_file)
            files = digests(target, "weights.pt", "trainer.pt")
            write_json(target / "manifest.json", _manifest(trainer) | {"sha256": files})

        write_folder(folder, fill)
        self.last_good = folder
        write_json(self.path / "pool.json", trainer.opponents.pool_json())
        self._prune(trainer.config.checkpoints.keep)

    def mark_best(self, step: int) -> None:
        """Point `best` to the checkpoint of *step*."""
        write_text(self.checkpoints / "best", f"{step}\n")

    def _prune(self, keep: int) -> None:
        best = best_step(self.path)
        for step in saved_steps(self.path)[:-keep]:
            if step != best:
                shutil.rmtree(self.checkpoints / step, ignore_errors=True)
        for rest in self.checkpoints.glob(f"{UNFINISHED}*"):
            shutil.rmtree(rest, ignore_errors=True)


def _manifest(trainer: Trainer) -> Json:
    """The facts about weights that are checked before they play, and what else is to be known."""
    return {
        **demands(trainer.spec, trainer.options),
        "network": trainer.network_config.to_json(),
        "adviser": trainer.advised_by,
        "step": trainer.step,
        "deterministic": trainer.config.evaluation.deterministic,
        "opponents_deterministic": trainer.config.opponents.deterministic,
        "versions": versions(),
    }
