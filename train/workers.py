"""Work on several cores: the same function for many tasks, in processes of their own."""

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import Any, TypeAlias

from ..envs.engine.errors import SpelkastError

CONTEXT = multiprocessing.get_context("spawn")  # a fork would copy locks that threads hold

Map: TypeAlias = Callable[[Callable[[Any], Any], Iterable[Any]], Iterator[Any]]
"""`(function, tasks)` -> the results, in the order of the tasks."""


def cores() -> int:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextmanager
def workers(jobs: int) -> Iterator[Map]:
    """A `map` that has *jobs* processes; one job is done here.

    However the block is left, the processes end with it, and with this one.
    """
    if jobs == 1:
        yield map
        return
    with ProcessPoolExecutor(jobs, CONTEXT, initializer=_begin) as pool:
        try:
            yield pool.map
        except BrokenProcessPool:
            raise SpelkastError(
                f"expected {jobs} processes to work to the end, but one was ended: was there "
                "enough memory?"
            ) from None
        except BaseException:
            # The pool would wait for what they are doing.
            pool.shutdown(wait=False, cancel_futures=True)
            for process in multiprocessing.active_children():
                process.terminate()
            raise


def _begin() -> None:
    """A worker hears Ctrl-C from its parent alone, and ends when that does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
