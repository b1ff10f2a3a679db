"""Running the command inside the test's process."""

import signal
import time
from collections.abc import Callable
from dataclasses import dataclass
from io import StringIO
from typing import Any

import pytest

from spelkast.cli import main


@dataclass
class Ran:
    """What a run of the command left behind."""

    code: Any
    out: str
    err: str


@pytest.fixture
def typed_words(capsys, monkeypatch) -> Callable[..., Ran]:
    """Run the command with *typed* on standard input, word by word."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TERM", "dumb")

    def run(*words: str, typed: str = "") -> Ran:
        monkeypatch.setattr("sys.stdin", StringIO(typed))
        capsys.readouterr()
        before = signal.getsignal(signal.SIGINT)
        try:
            with pytest.raises(SystemExit) as leave:
                main(words)
        finally:  # the command ignores a second Ctrl-C on its way out; the tests go on
            time.sleep(0.2 if signal.getsignal(signal.SIGINT) != before else 0)
            signal.signal(signal.SIGINT, before)
        out, err = capsys.readouterr()
        lines = [line for line in err.splitlines() if "compiling" not in line]
        return Ran(leave.value.code, out, "\n".join(lines))

    return run


@pytest.fixture
def spelkast(typed_words) -> Callable[..., Ran]:
    """Run the command with *typed* on standard input; a text is split at its spaces."""

    def run(*arguments: object, typed: str = "") -> Ran:
        words = [a.split() if isinstance(a, str) else [str(a)] for a in arguments]
        ran: Ran = typed_words(*(word for several in words for word in several), typed=typed)
        return ran

    return run
