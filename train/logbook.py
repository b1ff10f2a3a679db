"""Curves of a run for TensorBoard."""

import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from stable_baselines3.common.logger import KVWriter
from torch.utils.tensorboard import SummaryWriter


class Curves(KVWriter):
    """Writes numbers to TensorBoard; a full disk ends the curves, not the training."""

    def __init__(self, folder: Path, step: int) -> None:
        """Curves from *step* on: what a killed run wrote after its checkpoint is hidden."""
        self.error: BaseException | None = None
        self.hook, threading.excepthook = threading.excepthook, self._note
        self.writer = SummaryWriter(str(folder), purge_step=step)

    def write(
        self, key_values: dict[str, Any], key_excluded: Mapping[str, Any], step: int = 0
    ) -> None:
        """Write one point per curve."""
        if self.error is not None:
            return
        try:
            for name, value in key_values.items():
                if isinstance(value, int | float) or hasattr(value, "item"):
                    self.writer.add_scalar(name, float(value), step)
        except OSError as error:
            self.error = error

    def _note(self, failure: threading.ExceptHookArgs) -> None:
        """What TensorBoard's own thread could not write, which it would print as a traceback."""
        if issubclass(failure.exc_type, OSError):
            self.error = failure.exc_value
        else:
            self.hook(failure)

    def close(self) -> None:
        """Write what is still in memory."""
        try:
            self.writer.close()
        except OSError as error:
            self.error = error
        threading.excepthook = self.hook
