"""One reader for every text file of a user: what it understands and what it refuses."""

import os

import pytest

from spelkast.envs.engine import textfiles
from spelkast.envs.engine.errors import ReplayError
from spelkast.envs.engine.textfiles import read_lines, read_text

TEXT = "Zoë …\nRené's £5\n"
READ = {
    "UTF-8": TEXT.encode(),
    "UTF-8 with a mark": TEXT.encode("utf-8-sig"),
    "UTF-16 of this machine": TEXT.encode("utf-16"),
    "UTF-16, low byte first": b"\xff\xfe" + TEXT.encode("utf-16-le"),
    "UTF-16, high byte first": b"\xfe\xff" + TEXT.encode("utf-16-be"),
    "Windows-1252": TEXT.encode("cp1252"),
    "Windows newlines": TEXT.replace("\n", "\r\n").encode(),
    "newlines of an old Mac": TEXT.replace("\n", "\r").encode(),
    "UTF-16 with Windows newlines": TEXT.replace("\n", "\r\n").encode("utf-16"),
    "two encodings in one file": "Zoë …\n".encode() + "René's £5\n".encode("cp1252"),
}


@pytest.mark.parametrize("form", READ)
def test_what_any_editor_saves_reads_the_same(tmp_path, form):
    (tmp_path / "file").write_bytes(READ[form])

    assert read_text(tmp_path / "file") == TEXT
    assert list(read_lines(tmp_path / "file")) == TEXT.splitlines(keepends=True)


def test_last_newline_and_other_ends_of_lines_stay(tmp_path):
    """A missing last newline is not added, and a separator inside a line ends none."""
    (tmp_path / "file").write_text("a\x0cb\u2028c\nd")

    assert list(read_lines(tmp_path / "file")) == ["a\x0cb\u2028c\n", "d"]


REFUSED = {
    "NUL bytes": (b"one\nt\0wo\n", "line 2, got a binary file"),
    "UTF-16 without a mark": (TEXT.encode("utf-16-le"), "UTF-16 without a mark"),
    "UTF-32": (TEXT.encode("utf-32"), "line 1, got a binary file"),
    "half of UTF-16": (b"\xff\xfeo", "got a binary file"),
    "half a pair in UTF-16": (b"\xff\xfe\x00\xd8o\x00", "got a binary file"),
    "what no Windows writes": (b"one\ntw\x81o\n", "got a binary file"),
    "a line without an end": (b"x" * 200, "a line of less than 100 letters, got more"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_is_no_text_is_refused_in_one_line(tmp_path, monkeypatch, what):
    content, message = REFUSED[what]
    monkeypatch.setattr(textfiles, "MOST_BYTES", 100)
    (tmp_path / "file").write_bytes(content)
    with pytest.raises(ReplayError) as refused:
        list(read_lines(tmp_path / "file", ReplayError))

    assert message in str(refused.value)
    assert str(tmp_path / "file") in str(refused.value)


def test_a_huge_file_is_refused_before_it_is_read(tmp_path):
    with (tmp_path / "file").open("wb") as file:
        file.truncate(10**12)  # has no blocks on the disk

    with pytest.raises(ReplayError, match="at most 10,000,000 bytes, got 1,000,000,000,000 in"):
        read_text(tmp_path / "file", ReplayError)
    with pytest.raises(ReplayError, match="line 1, got a binary file"):
        next(read_lines(tmp_path / "file", ReplayError))


def test_a_pipe_or_a_device_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe")

    for path in (tmp_path / "pipe", os.devnull):
        with pytest.raises(ReplayError, match="expected a file with text, got a pipe"):
            read_text(type(tmp_path)(path), ReplayError)
    with pytest.raises(IsADirectoryError):
        read_text(tmp_path)
