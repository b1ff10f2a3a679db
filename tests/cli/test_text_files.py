"""Every verb that takes a text file reads it however an editor saved it, and refuses all else."""

import os
import random

import pytest

POSITION = '{"game": "tacocat",\n"Zoë": 1}\n'
REPLAY = (
    '\n{"game": "Zoë", "version": 0, "config": {}, "seed": 1, "agents": [], "moves": [], '
    '"checks": "", "result": {"rewards": [], "scores": [], "truncated": false}}\n'
)
CONFIG = '# a comment\n"Zoë" = 1\n'
SHEET = "round,table,team_a,team_b,pawns_a,pawns_b,winner,time,forfeit\n1,1,Zoë,a,,,,,\n"
TEAMS = "Koog\nZoë\nZoë+a+b\n"
TOURNAMENT = '{\n"format": 1, "checkpoints": {}, "teams": [], "Zoë": 1}\n'
VERBS = {
    "play tacocat --position FILE": POSITION,
    "replay FILE": REPLAY,
    "train tacocat --config FILE": CONFIG,
    "train tacocat --resume FOLDER": CONFIG,
    "tournament tokken --teams a b --sheets FILE": SHEET,
    "tournament tokken --teams-file FILE": TEAMS,
    "tournament tokken --teams-file FILE --next-round --draw 1": TEAMS,
    "tournament tokken --out FOLDER": TOURNAMENT,
}
"""Each with a file that is understood up to the name in it, which the message then says."""
NAMES = {"train": "config.toml", "tournament": "tournament.json"}
"""What the file in a FOLDER is called."""
ENCODINGS = ("utf-8", "utf-8-sig", "utf-16", "cp1252")
NEWLINES = ("\n", "\r\n", "\r")
EXPECTED = {"tournament tokken --teams-file FILE --next-round --draw 1": "a draw of the 3 teams"}
"""For one whose mistake is not in the file."""


def put(folder, words, content):
    """The command with the file of *content* in place."""
    name = NAMES[words.split()[0]] if "FOLDER" in words else "file"
    (folder / name).write_bytes(content)
    return words.replace("FILE", str(folder / name)).replace("FOLDER", str(folder))


@pytest.mark.parametrize("words", VERBS)
def test_a_verb_reads_what_any_editor_saves(spelkast, tmp_path, words):
    """A configuration, position, replay or list of teams could be UTF-8 without a mark only."""
    for encoding in ENCODINGS:
        for newline in NEWLINES:
            text = VERBS[words].replace("\n", newline)
            ran = spelkast(put(tmp_path, words, text.encode(encoding)))
            assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 0), (encoding, newline)
            assert EXPECTED.get(words, "Zoë") in ran.err, (encoding, newline, ran.err)


@pytest.mark.parametrize("words", VERBS)
def test_a_verb_refuses_what_is_no_text(spelkast, tmp_path, words):
    """A pipe or a device was waited for, and a binary file was a fault of ours."""
    hostile = [b"\0", b"\xff\xfe\xff", b"a\0b\n" * 9, b"\x81\n", "Zoë".encode("utf-16-le")]
    choose = random.Random(words)
    for content in [*hostile, *(choose.randbytes(choose.randrange(1, 99)) for _ in range(8))]:
        ran = spelkast(put(tmp_path, words, content))
        assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 0), (content, ran)
        assert "went wrong inside" not in ran.err
    path = tmp_path / (NAMES[words.split()[0]] if "FOLDER" in words else "file")
    command = words.replace("FILE", str(path)).replace("FOLDER", str(tmp_path))
    for make in (os.mkdir, os.mkfifo, lambda path: path.symlink_to("/dev/zero"), huge):
        path.rmdir() if path.is_dir() else path.unlink()
        make(path)
        ran = spelkast(command)
        assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 0), (make, ran)
        assert "went wrong inside" not in ran.err


def huge(path):
    """A file that does not fit into the memory, though nothing of it is on the disk."""
    path.touch()
    os.truncate(path, 10**12)
