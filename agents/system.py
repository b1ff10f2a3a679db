"""What only some systems have; where it is missing, the work is done without."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

MISSING = (AttributeError, OSError)
"""What using it raises: there is no such thing here, or not for this process."""


def sync(path: Path) -> None:
    """Make sure that a file, or the names in a folder, are on the disk."""
    if not path.is_dir():
        flags = os.O_RDWR
    elif hasattr(os, "O_DIRECTORY"):
        flags = os.O_RDONLY
    else:  # folders cannot be opened
        return
    handle = os.open(path, flags)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextmanager
def interrupts_held_back() -> Iterator[None]:
    """Keep Ctrl-C from this thread, and from processes that it starts, until the block ends."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def lead_group() -> None:
    """Give this process a group of its own, with which all ends that it starts."""
    with suppress(*MISSING):
        os.setpgid(0, 0)


def end_group(leader: int) -> None:
    """End the group that the process *leader* leads, if it leads one."""
    with suppress(*MISSING):
        os.killpg(leader, signal.SIGKILL)


def end_own_group() -> None:
    """End this process with its group, but never the group of whoever started it."""
    with suppress(*MISSING):
        if os.getpgid(0) == os.getpid():
            os.killpg(0, signal.SIGKILL)
