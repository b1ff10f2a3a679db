"""Text as spreadsheets and editors save it, whatever the encoding."""

import codecs
from pathlib import Path

from ...envs.engine.errors import TournamentError

MOST_BYTES = 10_000_000


def read_text(path: Path) -> str:
    """The text of a file: UTF-8 with or without a mark, UTF-16 with one, else Windows-1252."""
    raw = path.read_bytes()
    if len(raw) > MOST_BYTES:
        raise TournamentError(f"expected a file of at most 10 MB, got {len(raw):,} bytes in {path}")
    if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        text = raw.decode("utf-16", errors="replace")
    else:
        try:
            text = raw.decode("utf-8-sig")
        except UnicodeDecodeError:
            text = raw.decode("cp1252", errors="replace")
    if "\0" in text:
        raise TournamentError(f"expected text in {path}, got a binary file")
    return text
