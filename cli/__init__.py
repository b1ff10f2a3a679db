"""The spelkast command: parses, calls, prints."""

from __future__ import annotations

from collections.abc import Sequence

QUIT = 130
"""Exit code after Ctrl-C, as shells have it."""


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command with *argv* (without the program's name) and leave with its exit code."""
    try:
        from .app import app
    except KeyboardInterrupt:
        raise SystemExit(QUIT) from None
    app(argv, prog_name="spelkast")
