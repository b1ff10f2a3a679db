"""Replays: one JSON line per game with all it takes to play the game again, and to check it.

    {"game": "tacocat", "version": 0, "config": {}, "seed": 7, "agents": ["solid", "novice"],
     "start": null, "moves": ["!3", "!7", ..., "x5", "xx", "!9", ...], "checks": "04c1e7...",
     "result": {"rewards": [1.0, -1.0], "scores": [4, 2], "truncated": false, "forfeit": null}}

`moves` holds moves and chance outcomes in notation, in the order in which they happened. `checks`
has four hex digits for every position (after the set-up and after every move), so that a game
which is played by changed rules is found out at the first position that differs.
"""

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from io import FileIO
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
from pydantic import ValidationError

from .chance import drawn, possible_outcome, settle
from .dtypes import OVER, Json, States
from .errors import ChanceError, ReplayError, SpelkastError, expect
from .explain import explain
from .facts import Facts
from .spec import GameSpec, Options
from .textfiles import UTF16, read_lines

DIGITS = 4
"""Hex digits per position in `checks`."""


class Result(Facts):
    """How a game ended."""

    rewards: list[float]
    scores: list[float]
    truncated: bool
    forfeit: int | None = None
    """the seat that lost the game by an illegal action, which ended it"""


class Replay(Facts):
    """One recorded game."""

    game: str
    version: int
    config: dict[str, Any]
    """the options that differ from their defaults"""
    seed: int | list[int] | None
    """root of the game's chance, for the record: the outcomes themselves are in `moves`"""
    agents: list[str]
    """who sat where, by seat"""
    start: dict[str, Any] | None = None
    """the position that the game began with, if it did not begin with the set-up"""
    moves: list[str]
    checks: str
    result: Result


@dataclass(frozen=True, kw_only=True)
class Moment:
    """A position of a replayed game and how it came about."""

    number: int
    """moves played since the start"""
    seat: int | None
    """who made the move; None at the start"""
    move: str | None
    chance: list[str]
    """the outcomes that followed the move (at the start: those of the set-up)"""
    position: Json
    to_move: int
    """the seat to move next, or OVER"""


# Writing a game down ---------------------------------------------------------------------------


class Recorder:
    """Writes down a game while it is played; `finish` makes the replay."""

    def __init__(self, spec: GameSpec, states: States, chance: Sequence[str]) -> None:
        """Begin with the first position, record 0 of *states*, and the outcomes of the set-up."""
        self.spec = spec
        self.events = list(chance)
        self.checks = [check_digits(spec.position(states, 0))]

    def add(self, move: str, chance: Sequence[str], position: Json) -> None:
        """Note a move, the outcomes that followed it, and the position they led to."""
        self.events += [move, *chance]
        self.checks.append(check_digits(position))

    def finish(
        self,
        states: States,
        *,
        seed: int | list[int] | None,
        agents: Sequence[str],
        start: Json | None = None,
        forfeit: int | None = None,
    ) -> Replay:
        """The replay of the game whose last position is record 0 of *states*."""
        return Replay(
            game=self.spec.name,
            version=self.spec.version,
            config=self.spec.read_options(states, 0).changed(),
            seed=seed,
            agents=list(agents),
            start=start,
            moves=self.events,
            checks="".join(self.checks),
            result=_result(self.spec, states, forfeit),
        )


def transcribe(
    spec: GameSpec,
    options: Options,
    actions: Sequence[int],
    *,
    stream: int,
    seed: int | list[int] | None,
    agents: Sequence[str],
    forfeit: int | None = None,
) -> Replay:
    """Record the game of *actions* on the chance stream that began as *stream*."""
    states, streams = spec.new_states(1, options), np.array([stream], np.uint64)
    choose = drawn(spec, states, streams)

    def chance() -> list[str]:
        outcomes, _ = settle(spec, states, choose)
        return [spec.outcome_to_text(states, 0, outcome) for outcome in outcomes]

    spec.verbs.reset(states, 0)
    recorder = Recorder(spec, states, chance())
    for action in actions:
        move = spec.action_to_move(states, 0, action)
        spec.verbs.step(states, 0, action)
        recorder.add(move, chance(), spec.position(states, 0))
    return recorder.finish(states, seed=seed, agents=agents, forfeit=forfeit)


def check_digits(position: Json) -> str:
    """Four hex digits that change, nearly always, when the position does."""
    text = json.dumps(position, sort_keys=True, separators=(",", ":"))
    return f"{crc32(text.encode()) & 0xFFFF:04x}"


def _result(spec: GameSpec, states: States, forfeit: int | None) -> Result:
    rewards = np.zeros(spec.shape(spec.read_options(states, 0)).seats, np.float32)
    spec.verbs.returns(states, 0, rewards)
    if forfeit is not None:
        rewards[forfeit] = -1.0
    return Result(
        rewards=rewards.tolist(),
        scores=[float(score) for score in spec.infos(states, 0)["scores"]],
        truncated=bool(spec.verbs.is_truncated(states, 0)),
        forfeit=forfeit,
    )


# Files -----------------------------------------------------------------------------------------


def check_record(path: Path) -> None:
    """Raise an error if games could not be added to this file, before they are played."""
    if not path.is_fifo():  # to open one may take for ever
        path.open("ab").close()
    if path.is_file() or path.is_fifo():
        expect(
            _is_record(path),
            "a file of replays to add games to",
            f"another {path}",
            error=ReplayError,
        )


def _is_record(path: Path) -> bool:
    """Whether what is in a file, if anything, begins with a game as `append_replays` writes it."""
    try:
        next(read_replays(path), None)
    except ReplayError:
        return False
    with path.open("rb") as file:
        return file.read(2) not in UTF16


def append_replays(path: Path, replays: Iterable[Replay]) -> int:
    """Add replays to the end of a file, which is created if needed; returns how many.

    Each goes to the file in one write, so a killed process leaves whole lines (or a last line that
    reading reports by its number); of one for which a full disk has no room nothing is left.
    """
    count = 0
    with FileIO(str(path), "ab") as file:
        if file.tell() and not _ends_with_newline(path):
            _write_line(file, b"\n")
        for replay in replays:
            _write_line(file, f"{replay.model_dump_json()}\n".encode())
            count += 1
    return count


def _write_line(file: FileIO, line: bytes) -> None:
    before, written = file.tell(), 0
    try:
        while written < len(line):  # a full disk takes a part, and refuses the rest
            written += file.write(line[written:])
    except OSError as error:
        file.truncate(before)
        reason = f"{error.strerror} for one more game, those before it are kept"
        raise OSError(error.errno, reason, file.name) from None


def _ends_with_newline(path: Path) -> bool:
    with path.open("rb") as file:
        file.seek(-1, os.SEEK_END)
        return file.read(1) == b"\n"


def read_replays(path: Path) -> Iterator[Replay]:
    """The games of a file, in order; `ReplayError` gives the number of a bad line."""
    try:
        for number, line in enumerate(read_lines(path, ReplayError), 1):
            if line.strip():
                yield _parse(line, f"{path}, line {number}")
    except OSError as error:
        raise ReplayError(f"expected a file of replays, got {path}: {error.strerror}") from None


def _parse(line: str, where: str) -> Replay:
    try:
        return Replay.model_validate_json(line, strict=True)
    except ValidationError as error:
        if error.errors()[0]["type"] == "json_invalid":
            raise ReplayError(f"expected a game as JSON, got broken JSON in {where}") from None
        where = f"of the recorded game in {where}"
        raise ReplayError(explain(error, Replay, noun="key", where=where)) from None


# Playing it again ------------------------------------------------------------------------------


def replay_game(spec: GameSpec, replay: Replay) -> Iterator[Moment]:
    """Play a recorded game again, position by position, and check each; then the result.

    Raises:
        ReplayError: The game, its version or options are others; a move or outcome cannot happen
            here; a position or the result is not the recorded one.
    """
    try:
        yield from _Player(spec, replay).play()
    except ReplayError:
        raise
    except SpelkastError as error:
        raise ReplayError(str(error)) from None


def verify(spec: GameSpec, replay: Replay) -> int:
    """Play a recorded game again and check it all; returns the number of moves."""
    return sum(moment.move is not None for moment in replay_game(spec, replay))


class _Player:
    """The state of a game that is played again."""

    def __init__(self, spec: GameSpec, replay: Replay) -> None:
        wanted = f"{spec.name} version {spec.version}"
        found = f"{replay.game} version {replay.version}"
        expect(found == wanted, f"a game of {wanted}", found)
        self.spec = spec
        self.replay = replay
        self.played = 0
        """entries of `moves` that have been played, chance outcomes among them"""
        self.number = 0
        """moves among them"""
        options = spec.parse_options(replay.config)
        if replay.start is None:
            self.states = spec.new_states(1, options)
        else:
            self.states = spec.from_position(replay.start)
            is_same = spec.read_options(self.states, 0) == options
            expect(is_same, "the options of `config` in `start`", "others")
        shape = spec.shape(options)
        self.mask = np.zeros(shape.actions, np.int8)
        count, forfeit = len(replay.agents), replay.result.forfeit
        expect(count == shape.seats, f"{shape.seats} agents", count)
        is_seat = forfeit is None or 0 <= forfeit < shape.seats
        expect(is_seat, f"forfeit by a seat 0..{shape.seats - 1}", forfeit)

    def play(self) -> Iterator[Moment]:
        if self.replay.start is None:
            self.spec.verbs.reset(self.states, 0)
        moment = self._moment(None, None)
        yield moment
        end_of_forfeit = len(self.replay.moves) if self.replay.result.forfeit is not None else -1
        while moment.to_move != OVER and self.played != end_of_forfeit:
            moment = self._move(moment.to_move)
            yield moment
        self._check_end(moment.to_move)

    def _move(self, seat: int) -> Moment:
        move, where = self._next_event(f"a move of seat {seat}")
        action = self.spec.move_to_action(self.states, 0, move)
        self.spec.verbs.legal_mask(self.states, 0, self.mask)
        if not self.mask[action]:
            legal = ", ".join(self.spec.legal_moves(self.states, 0))
            raise ReplayError(f"expected one of the legal moves {legal}, got {move!r} {where}")
        self.spec.verbs.step(self.states, 0, action)
        self.number += 1
        return self._moment(seat, move)

    def _moment(self, seat: int | None, move: str | None) -> Moment:
        first = self.played
        settle(self.spec, self.states, self._next_outcome)
        position = self.spec.position(self.states, 0)
        self._check_position(position, move)
        return Moment(
            number=self.number,
            seat=seat,
            move=move,
            chance=self.replay.moves[first : self.played],
            position=position,
            to_move=int(self.spec.verbs.to_move(self.states, 0)),
        )

    def _next_outcome(self) -> int:
        text, where = self._next_event("a chance outcome")
        try:
            return possible_outcome(self.spec, self.states, text)
        except ChanceError:
            raise ReplayError(
                f"expected an outcome that can happen, got {text!r} {where}"
            ) from None

    def _next_event(self, expected: str) -> tuple[str, str]:
        where = f"as entry {self.played + 1} of `moves`"
        if self.played == len(self.replay.moves):
            raise ReplayError(f"expected {expected}, got the end of the game {where}")
        self.played += 1
        return self.replay.moves[self.played - 1], where

    def _check_position(self, position: Json, move: str | None) -> None:
        start = DIGITS * self.number
        expected, got = self.replay.checks[start : start + DIGITS], check_digits(position)
        when = f"after move {self.number} ({move})" if move else "at the start"
        expect(expected == got, f"position {expected or 'none'}", f"{got} {when}")

    def _check_end(self, to_move: int) -> None:
        rest = self.replay.moves[self.played :]
        got = f"{next(iter(rest), None)!r}: the game is over by then"
        expect(not rest, f"no more than {self.played} entries in `moves`", got)
        checks = len(self.replay.checks) / DIGITS
        expect(checks == self.number + 1, f"{self.number + 1} positions in `checks`", f"{checks:g}")
        recorded = self.replay.result
        if recorded.forfeit is not None:
            mover = "nobody" if to_move == OVER else to_move
            expect(
                recorded.forfeit == to_move, f"forfeit by who is to move, {mover}", recorded.forfeit
            )
        played = _result(self.spec, self.states, recorded.forfeit)
        for name in ("rewards", "scores", "truncated"):
            expected, found = getattr(recorded, name), getattr(played, name)
            expect(found == expected, f"{name} {expected} at the end", found)
