"""Running the command inside the test's process."""

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
def spelkast(capsys, monkeypatch) -> Callable[..., Ran]:
    """Run the command with *typed* on standard input; a text is split at its spaces."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TERM", "dumb")

    def run(*arguments: object, typed: str = "") -> Ran:
        monkeypatch.setattr("sys.stdin", StringIO(typed))
        capsys.readouterr()
        words = [a.split() if isinstance(a, str) else [str(a)] for a in arguments]
        with pytest.raises(SystemExit) as leave:
            main([word for several in words for word in several])
        out, err = capsys.readouterr()
        lines = [line for line in err.splitlines() if "compiling" not in line]
        return Ran(leave.value.code, out, "\n".join(lines))

    return run
