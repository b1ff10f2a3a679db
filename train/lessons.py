"""Lessons: positions of games, with what a teacher made of each, in one file of columns.

The file is an archive of NumPy arrays (`.npz`, compressed, nothing in it is pickled):

    about      what it was made of, as JSON in UTF-8 bytes
    positions  the records, as they were, hidden cards too [D]
    seats      who was to move [D]
    games      the number of the game, from 0 on [D]
    plies      decisions of that game before this one, forced ones too [D]
    played     the action that was made [D]
    chosen     the action that the teacher would make [D]
    results    the final reward of the seat in that game [D]
    values     the reward that the teacher expected for the seat, NaN if it expects none [D]
    first      where the legal actions of each decision begin in the two columns below [D + 1]
    actions    the legal actions, one decision after another [T]
    shares     the share of the teacher's visits that each got; they sum to 1 for a decision [T]

`D` decisions, `T` legal actions of all of them. What `write_lessons` writes has in `about` a
fingerprint of all columns. A file by somebody else may do without: then every column is looked
through when it is read, a thousand decisions a second.
"""

import hashlib
import json
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from ..agents.files import write_file
from ..envs.engine.dtypes import Actions, Floats, Json, Mask, States
from ..envs.engine.errors import DataError, expect
from ..envs.engine.spec import GameSpec, Options

FORMAT = 1
"""Of the file; raised when older code could not read it."""

TYPES: Mapping[str, type[np.generic]] = {
    "seats": np.int32,
    "games": np.int32,
    "plies": np.int32,
    "played": np.int32,
    "chosen": np.int32,
    "results": np.float32,
    "values": np.float32,
    "first": np.int64,
    "actions": np.int32,
    "shares": np.float32,
}
"""The types of the columns, but that of the positions, which is the game's."""

TOLERANCE = 1e-3
"""By which shares of 32 bits may miss their sum."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Lessons:
    """The columns of the file, see above, in memory."""

    positions: States
    seats: Actions
    games: Actions
    plies: Actions
    played: Actions
    chosen: Actions
    results: Floats
    values: Floats
    first: NDArray[np.int64]
    actions: Actions
    shares: Floats

    def __len__(self) -> int:
        return len(self.positions)

    @classmethod
    def none(cls, spec: GameSpec) -> Self:
        """No decision at all."""
        columns = {name: np.zeros(0, dtype) for name, dtype in TYPES.items()}
        first = np.zeros(1, np.int64)
        return cls(positions=np.zeros(0, spec.record), **columns | {"first": first})

    @classmethod
    def of(cls, parts: Sequence[Self]) -> Self:
        """All decisions of *parts* one after another."""
        columns = {name: np.concatenate([getattr(part, name) for part in parts]) for name in NAMES}
        counts = np.concatenate([np.diff(part.first) for part in parts])
        return cls(**columns | {"first": np.concatenate([[0], counts.cumsum()])})

    def batch(self, spec: GameSpec, rows: NDArray[np.integer]) -> "Lesson":
        """What is to be learned from the decisions *rows* `[B]` of the game *spec*."""
        states = self.positions[rows]
        shape, count = spec.shape(spec.read_options(states, 0)), len(rows)
        lesson = Lesson(
            observations=np.zeros((count, shape.observation), np.float32),
            masks=np.zeros((count, shape.actions), np.int8),
            seats=np.zeros(count, np.int32),
            chosen=self.chosen[rows],
            states=states,
            shares=np.zeros((count, shape.actions), np.float32),
            values=self.values[rows],
        )
        every = np.arange(count, dtype=np.int32)
        spec.loops.look(states, every, lesson.seats, lesson.observations, lesson.masks)
        counts = np.diff(self.first)[rows]
        # Each decision's actions lie in one piece: where it begins, and 0, 1, 2 ... from there.
        ends = counts.cumsum()
        places = np.arange(counts.sum()) + np.repeat(self.first[rows] - ends + counts, counts)
        lesson.shares[np.repeat(every, counts), self.actions[places]] = self.shares[places]
        return lesson


NAMES = tuple(field.name for field in fields(Lessons))


@dataclass(frozen=True, kw_only=True, eq=False)
class Lesson:
    """A minibatch of `B` decisions."""

    observations: Floats  # [B, D] what the seat to move saw
    masks: Mask  # [B, A]
    seats: Actions  # [B]
    chosen: Actions  # [B] by the teacher
    states: States  # [B] the positions themselves
    shares: Floats  # [B, A] of the teacher's visits, 0 where illegal
    values: Floats  # [B]; NaN where the teacher expected nothing


def demands(spec: GameSpec, options: Options) -> Json:
    """What a file says of itself that can be learned from in *spec* under *options*."""
    return {
        "format": FORMAT,
        "game": spec.name,
        "game_version": spec.version,
        "options": options.changed(),
        "observation_layout": spec.layout(options),
    }


def write_lessons(path: Path, lessons: Lessons, about: Json) -> None:
    """Write the file, all or nothing."""
    columns = {name: getattr(lessons, name) for name in NAMES}
    text = json.dumps({**about, "sha256": digest(lessons)}, indent=1)
    note = np.frombuffer(text.encode(), np.uint8)

    def fill(target: Path) -> None:
        with target.open("wb") as file:
            np.savez_compressed(file, about=note, **columns)

    write_file(path, fill)


def read_lessons(path: Path, spec: GameSpec, options: Options) -> Lessons:
    """The lessons in a file, every column checked.

    Raises `DataError` for a file that is damaged, or of another game, options or layout.
    """
    arrays = _arrays(path)
    about = _about(arrays, path)
    for key, value in demands(spec, options).items():
        got, wanted = about.get(key), f"lessons with {key.replace('_', ' ')} {value!r}"
        expect(got == value, wanted, f"{got!r} in {path}", error=DataError)
    types: dict[str, Any] = {**TYPES, "positions": spec.record}
    for name in NAMES:
        column, wanted = arrays.get(name), f"a column {name} of {_type_name(types[name])}"
        is_sound = column is not None and column.ndim == 1 and column.dtype == types[name]
        expect(is_sound, wanted, f"{_kind(column)} in {path}", error=DataError)
    lessons = Lessons(**{name: arrays[name] for name in NAMES})
    if "sha256" in about:
        is_same = about["sha256"] == digest(lessons)
        expect(is_same, f"{path} as it was written", "it changed since", error=DataError)
        return lessons
    wrong = next(_faults(lessons, spec, options), "")
    expect(not wrong, "lessons that could have been given", f"{wrong} in {path}", error=DataError)
    return lessons


def digest(lessons: Lessons) -> str:
    """A fingerprint of all columns."""
    found = hashlib.sha256()
    for name in NAMES:
        found.update(getattr(lessons, name).tobytes())
    return found.hexdigest()


def _about(arrays: Mapping[str, NDArray[Any]], path: Path) -> Json:
    """What a file says that it was made of."""
    try:
        about = json.loads(arrays["about"].tobytes())
    except (KeyError, ValueError, RecursionError):
        about = None
    expect(isinstance(about, dict), "lessons", f"no word of what {path} is", error=DataError)
    return about  # type: ignore[no-any-return]


def _arrays(path: Path) -> dict[str, NDArray[Any]]:
    try:
        with path.open("rb") as file:
            # NumPy would take anything else for a pickle, and say how to load it unsafely.
            if not zipfile.is_zipfile(file):
                raise zipfile.BadZipFile("no archive")
            file.seek(0)
            archive = np.load(file, allow_pickle=False)
            return {name: archive[name] for name in archive.files}
    except OSError as error:
        reason = error.strerror or str(error)
        raise DataError(f"expected a file of lessons in {path}, got: {reason}") from None
    except (ValueError, EOFError, zipfile.BadZipFile, KeyError, TypeError, MemoryError) as error:
        first = (str(error).splitlines() or [type(error).__name__])[0]
        raise DataError(f"expected a file of lessons in {path}, got {first}") from None


def _faults(lessons: Lessons, spec: GameSpec, options: Options) -> Iterator[str]:
    """What is wrong with columns of the right types, each test after those that it builds on."""
    count, total, first = len(lessons), len(lessons.actions), lessons.first
    lengths = {name: len(getattr(lessons, name)) for name in NAMES}
    expected = dict.fromkeys(NAMES, count) | {"first": count + 1, "actions": total, "shares": total}
    if lengths != expected:
        yield f"columns of the lengths {lengths}"
    if first[0] != 0 or first[-1] != total or (np.diff(first) < 1).any():
        yield "actions that belong to no decision"
    if not count:
        return
    sums = np.add.reduceat(lessons.shares, first[:-1])
    if not ((lessons.shares >= 0).all() and (abs(sums - 1) < TOLERANCE).all()):
        yield "shares that do not sum to 1"
    if not (abs(lessons.results) <= 1).all() or (abs(lessons.values) > 1).any():
        yield "rewards beyond -1..1"
    try:
        spec.check_states(lessons.positions)
        others = [spec.read_options(lessons.positions, row) != options for row in range(count)]
    except ValueError as error:
        yield str(error).splitlines()[0]
    if any(others):
        yield "positions with other options"
    actions = spec.shape(options).actions
    if not ((lessons.actions >= 0) & (lessons.actions < actions)).all():
        yield f"actions beyond 0..{actions - 1}"
    yield from _illegal(lessons, spec)


def _illegal(lessons: Lessons, spec: GameSpec) -> Iterator[str]:
    """Whether seats and actions are those of the positions."""
    for rows in np.array_split(np.arange(len(lessons)), -(-len(lessons) // 1024)):
        lesson, begin, end = lessons.batch(spec, rows), rows[0], rows[-1] + 1
        if (lesson.seats != lessons.seats[rows]).any():
            yield "seats that are not to move"
        masks, every = np.zeros_like(lesson.masks), np.arange(len(rows))
        counts = np.diff(lessons.first[begin : end + 1])
        own = lessons.actions[lessons.first[begin] : lessons.first[end]]
        masks[np.repeat(every, counts), own] = 1
        if (masks != lesson.masks).any() or counts.sum() != masks.sum():
            yield "actions that are not the legal ones"
        for made in (lessons.played[rows], lessons.chosen[rows]):
            if (made < 0).any() or not masks[every, made % masks.shape[1]].all():
                yield "choices that are illegal"


def _type_name(dtype: Any) -> str:
    return "this game's records" if np.dtype(dtype).names else np.dtype(dtype).name


def _kind(column: NDArray[Any] | None) -> str:
    if column is None:
        return "none"
    return f"{_type_name(column.dtype)} of shape {column.shape}"
