"""Reading JSON and TOML, and writing files of which a crash or a full disk never leaves half."""

import json
import os
import shutil
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ..envs.engine.dtypes import Json
from ..envs.engine.errors import SpelkastError
from ..envs.engine.textfiles import read_text
from .system import sync

UNFINISHED = ".unfinished-"
"""Prefix of what is being written; safe to delete when nobody is writing."""
LOCK = ".lock"


@contextmanager
def claimed(folder: Path, error: type[Exception]) -> Iterator[None]:
    """Make *folder* and keep other processes out of it; a claim ends with its process.

    Raises *error* if another process has it. A folder into which nothing was written is removed.
    """
    import filelock

    folder.mkdir(parents=True, exist_ok=True)
    lock = filelock.FileLock(folder / LOCK, blocking=False)
    try:
        lock.acquire()
    except filelock.Timeout:
        raise error(f"expected a folder that nobody is writing to, got {str(folder)!r}") from None
    except NotImplementedError:  # a file system without locks
        yield
        return
    try:
        yield
    finally:
        if folder.is_dir() and os.listdir(folder) == [LOCK]:
            shutil.rmtree(folder, ignore_errors=True)
        lock.release()


def new_folder(parent: Path, name: str) -> Path:
    """Make the first of *parent*/*name*-1, -2, ... that does not exist."""
    number = 1
    while True:
        folder = parent / f"{name}-{number}"
        try:
            folder.mkdir(parents=True)
        except FileExistsError:
            number += 1
        else:
            return folder


def read_json_object(path: Path, what: str, error: type[SpelkastError] = SpelkastError) -> Json:
    """The JSON object in a file; *what* it should be is for the message of an *error*."""
    try:
        text = read_text(path, error)
    except OSError as fault:
        raise error(f"expected {what} in {path}, got: {fault.strerror}") from None
    try:
        value = json.loads(text)
    except json.JSONDecodeError as fault:
        where = f"{path}, line {fault.lineno}, column {fault.colno}"
        raise error(f"expected {what} as JSON in {where}, got broken JSON") from None
    except (ValueError, RecursionError) as fault:  # a huge number, or nested too deeply
        raise error(f"expected {what} in {path}, got: {fault}") from None
    if not isinstance(value, dict):
        raise error(f"expected {what} as a JSON object in {path}, got {value!r:.60}")
    return value


def read_toml(path: Path, error: type[SpelkastError]) -> dict[str, Any]:
    """The table in a TOML file; raises *error* for a broken one."""
    text = read_text(path, error)
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as fault:  # a huge number, or nested too deeply, too
        raise error(f"expected TOML in {path}, got {fault}") from None


def write_text(path: Path, text: str) -> None:
    """Replace *path* by *text*, all or nothing."""
    write_file(path, lambda target: target.write_text(text, "utf-8"))


def replace_kept(path: Path, text: str) -> Path | None:
    """Replace what people keep by *text*, and keep what was there beside it.

    Returns the copy: the first of NAME.kept-1, -2, ... that is free. None if there was nothing to
    keep or nothing to change.
    """
    if path.is_symlink():  # the link is kept, too
        path = path.resolve()
    if not path.exists():
        write_text(path, text)
        return None
    if read_text(path) == text.removeprefix("\ufeff"):
        return None
    number = 1
    while True:
        copy = path.with_name(f"{path.stem}.kept-{number}{path.suffix}")
        try:
            copy.touch(exist_ok=False)
        except FileExistsError:
            number += 1
        else:
            break
    try:
        write_file(copy, lambda target: shutil.copyfile(path, target))
    except BaseException:
        copy.unlink()
        raise
    write_text(path, text)
    return copy


def write_json(path: Path, value: Any) -> None:
    """Replace *path* by *value* as JSON, all or nothing."""
    write_text(path, json.dumps(value, indent=1) + "\n")


def write_file(path: Path, write: Callable[[Path], Any]) -> None:
    """Let *write* fill a temporary file, then give it its name, all or nothing."""
    with _replacing(path) as target:
        write(target)


def write_folder(path: Path, write: Callable[[Path], Any]) -> None:
    """Let *write* fill a temporary folder, then give it its name, all or nothing."""
    with _replacing(path) as target:
        target.mkdir()
        write(target)
        for file in target.iterdir():
            sync(file)


@contextmanager
def _replacing(path: Path) -> Iterator[Path]:
    """Where to write what becomes *path*; if the block fails, nothing is left of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    target = path.with_name(UNFINISHED + path.name)
    shutil.rmtree(target, ignore_errors=True)
    try:
        yield target
        sync(target)
        if target.is_dir() and path.exists():
            shutil.rmtree(path)
        target.replace(path)
    except BaseException as error:
        if isinstance(error, OSError) and error.filename is None:  # a full disk names no file
            error.filename = str(path)
        shutil.rmtree(target, ignore_errors=True)
        if target.is_file():
            target.unlink()
        raise
    sync(path.parent)
