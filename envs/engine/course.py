"""The course of one game: its record, its chance, and what the seat to move sees of it."""

from typing import Any

import numpy as np

from .chance import drawn, scripted, settle
from .dtypes import CHANCE, Floats, Json, Mask, States, Streams
from .errors import PositionError, expect
from .spec import GameSpec, Options
from .streams import new_streams

LOG_SIZE = 64
"""Room for the outcomes that a compiled loop notes at a time."""


class Course:
    """One game, moved by compiled loops; its chance comes from a script first, then a stream.

    Attributes:
        states: The record, `[1]`.
        streams: The stream of the game's chance, `[1]`.
        observation: What the seat to move sees, `[D]`.
        mask: What it may do, `[A]`.
        script: Outcomes in notation that come before the stream; those used are taken away.
    """

    def __init__(self, spec: GameSpec, options: Options) -> None:
        """A game that waits for `start` or `restore`."""
        shape = spec.shape(options)
        self.spec = spec
        self.options = options
        self.states: States = spec.new_states(1, options)
        self.streams: Streams = new_streams(None, 1, "chance")
        self.observation: Floats = np.zeros(shape.observation, np.float32)
        self.mask: Mask = np.zeros(shape.actions, np.int8)
        self.script: list[str] = []
        self._weights = np.zeros(shape.outcomes, np.int64)
        self._log = np.zeros(LOG_SIZE, np.int32)  # [0] counts the outcomes that follow it
        self._more_outcomes: list[int] = []  # those that did not fit into the log

    def start(self, streams: Streams, script: list[str]) -> tuple[int, int]:
        """Set the game up; returns (`to_move`, the report of its chance)."""
        if script:
            played = self._play_scripted(None, streams, script)
        else:
            self.streams = streams
            played = self._run(self.spec.loops.start)
        self.script = script
        return played

    def play(self, action: int) -> tuple[int, int]:
        """Play a legal action; returns (`to_move`, the report of the step and its chance)."""
        if self.script:
            return self._play_scripted(action, self.streams, self.script)
        return self._run(self.spec.loops.play, action)

    def restore(self, position: Json, streams: Streams, script: list[str]) -> int:
        """Go on from a position; returns `to_move`, or raises `PositionError`."""
        states = self.spec.from_position(position)
        options = self.spec.read_options(states, 0)
        wanted = f"a position with the environment's options {self.options.changed()}"
        expect(options == self.options, wanted, options.changed(), error=PositionError)
        self.states, self.streams, self.script = states, streams, script
        self.forget_outcomes()
        return self._refresh()

    @property
    def outcomes(self) -> list[int]:
        """The chance outcomes since the last decision (after `start`: those of the set-up)."""
        return [*self._log[1 : 1 + self._log[0]].tolist(), *self._more_outcomes]

    def forget_outcomes(self) -> None:
        """There has been no chance since the last decision."""
        self._log[0] = 0
        self._more_outcomes = []

    def _run(self, loop: Any, *action: int) -> tuple[int, int]:
        """Call the loop `start` or `play`, and draw what chance found no room in the log."""
        mover, report = loop(
            self.states,
            *action,
            self.streams,
            self._weights,
            self._log,
            self.observation,
            self.mask,
        )
        self._more_outcomes = []
        if mover == CHANCE:
            choose = drawn(self.spec, self.states, self.streams)
            self._more_outcomes, more = settle(self.spec, self.states, choose)
            report |= more
            mover = self._refresh()
        return mover, report

    def _play_scripted(
        self, action: int | None, streams: Streams, script: list[str]
    ) -> tuple[int, int]:
        """Like `_run`, with the outcomes of *script* first; takes away those it used.

        It plays on copies, so that an impossible outcome (`ChanceError`) leaves all as it was.
        """
        states, streams = self.states.copy(), streams.copy()
        report = 0
        if action is None:
            self.spec.verbs.reset(states, 0)
        else:
            report = self.spec.verbs.step(states, 0, action)
        choose = scripted(self.spec, states, streams, script=script)
        outcomes, more = settle(self.spec, states, choose)
        del script[: len(outcomes)]
        self.states, self.streams = states, streams
        self._log[0] = 0
        self._more_outcomes = outcomes
        return self._refresh(), report | more

    def _refresh(self) -> int:
        """Observation and mask of the seat to move, where no loop has written them."""
        mover: int = self.spec.verbs.to_move(self.states, 0)
        self.spec.verbs.observe(self.states, 0, max(mover, 0), self.observation)
        self.spec.verbs.legal_mask(self.states, 0, self.mask)
        return mover
