"""Text files of users, whatever editor or system wrote them.

Each is UTF-8 with or without a mark, or UTF-16 with one; bytes that are not UTF-8 are taken for
Windows-1252. Lines end in any of the three ways. What is no text, no file or too long is refused
before it fills the memory.
"""

import codecs
import stat
from collections.abc import Iterator
from pathlib import Path

from .errors import SpelkastError

MOST_BYTES = 10_000_000
"""Of a file that is read as a whole, and of a line of one that is read line by line."""
WINDOWS = "windows-1252"
UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
"""The marks with which a file in UTF-16 begins."""


def read_text(path: Path, error: type[SpelkastError] = SpelkastError) -> str:
    """The text of a file, every line but the last of which ends in a newline and nothing else.

    Raises *error* for what is no text, and `OSError` for what cannot be read.
    """
    size = path.stat().st_size
    if size > MOST_BYTES:
        raise error(f"expected a file of at most {MOST_BYTES:,} bytes, got {size:,} in {path}")
    return "".join(read_lines(path, error))


def read_lines(path: Path, error: type[SpelkastError] = SpelkastError) -> Iterator[str]:
    """The lines of a file, one after the other, each with its newline."""
    mode = path.stat().st_mode
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):  # to open a pipe may take for ever
        raise error(f"expected a file with text, got a pipe or a device: {path}")
    with path.open("rb") as file:
        has_mark = file.read(2) in UTF16
    encoding, errors = ("utf-16", "strict") if has_mark else ("utf-8-sig", WINDOWS)
    try:
        with path.open(encoding=encoding, errors=errors) as text:
            for number, line in enumerate(iter(lambda: text.readline(MOST_BYTES), ""), 1):
                _check(line, f"{path}, line {number}", error)
                yield line
    except UnicodeDecodeError:
        raise error(f"expected text in {path}, got a binary file") from None


def _check(line: str, where: str, error: type[SpelkastError]) -> None:
    if "\0" in line:
        raise error(f"expected text in {where}, got a binary file (or UTF-16 without a mark)")
    if len(line) == MOST_BYTES:
        raise error(f"expected a line of less than {MOST_BYTES:,} letters, got more in {where}")


def _as_windows(fault: UnicodeError) -> tuple[str, int]:
    """What stands for the bytes that are not UTF-8."""
    if not isinstance(fault, UnicodeDecodeError):
        raise fault
    return fault.object[fault.start : fault.end].decode("cp1252"), fault.end


codecs.register_error(WINDOWS, _as_windows)
