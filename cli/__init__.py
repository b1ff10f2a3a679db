"""The spelkast command: parses, calls, prints."""

import os
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import TextIOWrapper
from typing import Any

QUIT = 130
"""Exit code after Ctrl-C, as shells have it."""
DROPPED = threading.Event()
"""Set once a Ctrl-C has fallen where Python drops it; whatever fails afterwards fails for that."""


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command with *argv* (without the program's name) and leave with its exit code."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # closed by whoever started us: nothing in, nothing out
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # A letter that a terminal does not have, or a byte that is none, ends no game.
            stream.reconfigure(errors="replace")
    try:
        with _interrupts_kept(), _ends_as_by_ctrl_c():
            from .app import app

            app(argv, prog_name="spelkast")
    except KeyboardInterrupt:
        raise SystemExit(QUIT) from None


@contextmanager
def _ends_as_by_ctrl_c() -> Iterator[None]:
    """Let SIGTERM end the command as Ctrl-C does: what it has begun it can still put in order."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def _interrupts_kept() -> Iterator[None]:
    """Send a Ctrl-C once more if it fell into a destructor or a callback, where Python drops it.

    The compiler spends much of its time in these; without this it would continue, or fail because
    it lacks the result of the callback.
    """
    report = sys.unraisablehook

    def send_again(dropped: Any) -> None:
        if not issubclass(dropped.exc_type, KeyboardInterrupt):
            report(dropped)
            return
        DROPPED.set()
        timer = threading.Timer(0.1, _interrupt, (threading.main_thread().ident,))
        timer.daemon = True
        timer.start()

    DROPPED.clear()
    sys.unraisablehook = send_again
    try:
        yield
    finally:
        sys.unraisablehook = report


def _interrupt(main_thread: int) -> None:
    """Send a Ctrl-C from another thread; one that is asleep wakes where the system can do that."""
    if hasattr(signal, "pthread_kill"):
        signal.pthread_kill(main_thread, signal.SIGINT)
    else:
        signal.raise_signal(signal.SIGINT)
