"""The spelkast command: parses, calls, prints."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from io import TextIOWrapper

QUIT = 130
"""Exit code after Ctrl-C, as shells have it."""


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command with *argv* (without the program's name) and leave with its exit code."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # A letter that a terminal does not have, or a byte that is none, ends no game.
            stream.reconfigure(errors="replace")
    try:
        from .app import app
    except KeyboardInterrupt:
        raise SystemExit(QUIT) from None
    app(argv, prog_name="spelkast")
