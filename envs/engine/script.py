"""Chance that is told instead of drawn: outcomes in notation, each checked before it happens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from .dtypes import CHANCE, ChanceWeights, States, Streams
from .errors import ChanceError
from .spec import GameSpec


class Played(NamedTuple):
    """What came of a move or a set-up."""

    states: States
    streams: Streams
    outcomes: list[int]
    report: int


def parse_script(spec: GameSpec, states: States, script: Any) -> list[str]:
    """A list of outcomes in notation; raises `ChanceError` or `NotationError` for anything else."""
    if isinstance(script, str) or not isinstance(script, Sequence):
        raise ChanceError(f"expected chance as a list of outcomes, got {script!r}")
    for text in script:
        spec.text_to_outcome(states, 0, text)
    return list(script)


def play_scripted(
    spec: GameSpec,
    states: States,
    streams: Streams,
    *,
    action: int | None,
    script: Sequence[str],
    weights: ChanceWeights,
) -> Played:
    """Play *action* (None: the set-up) in row 0 of copies, with the outcomes of *script* first.

    When the script is used up the stream goes on. Nothing that was handed in changes, so an
    impossible outcome (`ChanceError`) leaves everything as it was.
    """
    states, streams = states.copy(), streams.copy()
    report = 0
    if action is None:
        spec.verbs.reset(states, 0)
    else:
        report = spec.verbs.step(states, 0, action)
    outcomes: list[int] = []
    while spec.verbs.to_move(states, 0) == CHANCE:
        text = script[len(outcomes)] if len(outcomes) < len(script) else None
        outcome, more = happen(spec, states, streams, weights=weights, text=text)
        outcomes.append(outcome)
        report |= more
    return Played(states, streams, outcomes, report)


def happen(
    spec: GameSpec,
    states: States,
    streams: Streams,
    *,
    weights: ChanceWeights,
    text: str | None = None,
) -> tuple[int, int]:
    """Apply one chance outcome in row 0, *text* or a random one; its number and its report."""
    if text is None:
        outcome: int = spec.loops.draw_outcome(states, 0, streams, 0, weights)
    else:
        outcome = spec.text_to_outcome(states, 0, text)
        spec.verbs.chance_weights(states, 0, weights)
        if not weights[outcome]:
            numbers = [int(number) for number in weights.nonzero()[0]]
            possible = ", ".join(spec.outcome_to_text(states, 0, number) for number in numbers)
            raise ChanceError(
                f"expected one of the outcomes {possible}, got {text!r}, "
                f"in position {spec.position(states, 0)}"
            )
    report = spec.verbs.step_chance(states, 0, outcome)
    return outcome, report or 0
