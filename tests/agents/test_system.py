"""What some systems lack: each name is taken away, and the work is done all the same."""

import os
import signal

import pytest

from spelkast import cli
from spelkast.agents import files, system


def test_folders_that_cannot_be_opened_failed(tmp_path, monkeypatch):
    """Where no folder can be opened, files are written all the same, and are on the disk."""
    monkeypatch.delattr(os, "O_DIRECTORY")
    monkeypatch.setattr(os, "open", only_files(os.open))

    files.write_json(tmp_path / "new" / "facts.json", [1])
    files.write_folder(tmp_path / "step", lambda folder: files.write_text(folder / "a", "b"))

    assert (tmp_path / "new" / "facts.json").read_text() == "[\n 1\n]\n"
    assert (tmp_path / "step" / "a").read_text() == "b"


def only_files(really_open):
    """Windows: a folder cannot be opened, and what was opened to be read cannot be synced."""

    def opened(path, flags, *rest, **more):
        assert not os.path.isdir(path)
        assert flags != os.O_RDONLY
        return really_open(path, flags, *rest, **more)

    return opened


def test_signals_that_cannot_be_held_back_failed(monkeypatch):
    """They are not held back, then."""
    for name in ("pthread_sigmask", "SIG_BLOCK", "SIG_SETMASK"):
        monkeypatch.delattr(signal, name)

    with system.interrupts_held_back():
        pass


@pytest.mark.parametrize(
    ("module", "name"),
    [(os, "setpgid"), (os, "getpgid"), (os, "killpg"), (signal, "SIGKILL")],
)
def test_systems_without_groups_failed(monkeypatch, module, name):
    """A process stays in the group that it is in, and nothing is ended with it."""
    ended = []
    monkeypatch.setattr(os, "setpgid", lambda *_: None)
    monkeypatch.setattr(os, "killpg", lambda *group: ended.append(group))
    monkeypatch.delattr(module, name)

    system.lead_group()
    system.end_group(10**7)
    if name != "setpgid":
        monkeypatch.setattr(os, "getpid", lambda: os.getppid())
        system.end_own_group()

    assert ended == [] or name in {"setpgid", "getpgid"}


def test_ctrl_c_without_thread_signals(monkeypatch):
    """Where no signal can be sent to a thread, it is raised in the process."""
    monkeypatch.delattr(signal, "pthread_kill")
    raised = []
    before = signal.signal(signal.SIGINT, lambda *_: raised.append(True))
    try:
        cli._interrupt(0)
    finally:
        signal.signal(signal.SIGINT, before)

    assert raised == [True]
