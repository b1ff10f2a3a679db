"""Writing files so that a crash, a full disk or a power cut never leaves half of one behind."""

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

UNFINISHED = ".unfinished-"
"""Prefix of what is being written; safe to delete when nobody is writing."""


def write_text(path: Path, text: str) -> None:
    """Replace *path* by *text*, all or nothing."""
    write_file(path, lambda target: target.write_text(text, "utf-8"))


def write_json(path: Path, value: Any) -> None:
    """Replace *path* by *value* as JSON, all or nothing."""
    write_text(path, json.dumps(value, indent=1) + "\n")


def write_file(path: Path, write: Callable[[Path], Any]) -> None:
    """Let *write* fill a temporary file, then give it its name, all or nothing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    target = path.with_name(UNFINISHED + path.name)
    try:
        write(target)
        _sync(target)
        target.replace(path)
    except BaseException:
        target.unlink(missing_ok=True)
        raise
    _sync(path.parent)


def write_folder(path: Path, write: Callable[[Path], Any]) -> None:
    """Let *write* fill a temporary folder, then give it its name, all or nothing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    target = path.with_name(UNFINISHED + path.name)
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir()
    try:
        write(target)
        for file in target.iterdir():
            _sync(file)
        _sync(target)
        if path.exists():
            shutil.rmtree(path)
        target.replace(path)
    except BaseException:
        shutil.rmtree(target, ignore_errors=True)
        raise
    _sync(path.parent)


def _sync(path: Path) -> None:
    """Make sure that what was written is on the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
