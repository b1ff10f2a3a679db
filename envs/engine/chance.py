"""Chance outside compiled code: outcomes that come one by one, drawn or read, each noted."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from .dtypes import CHANCE, ChanceWeights, States, Streams
from .errors import ChanceError
from .spec import GameSpec

Choose = Callable[[], int]
"""Names the next outcome of the chance event that is due."""


def settle(spec: GameSpec, states: States, choose: Choose) -> tuple[list[int], int]:
    """Let chance happen in row 0 until a seat is to move or the game is over.

    Returns the outcomes, as *choose* named them, and what they reported.
    """
    outcomes: list[int] = []
    report = 0
    while spec.verbs.to_move(states, 0) == CHANCE:
        outcome = choose()
        report |= spec.verbs.step_chance(states, 0, outcome) or 0
        outcomes.append(outcome)
    return outcomes, report


def drawn(spec: GameSpec, states: States, streams: Streams) -> Choose:
    """Outcomes for row 0, drawn with stream 0."""
    weights = _weights(spec, states)
    return lambda: int(spec.loops.draw_outcome(states, 0, streams, 0, weights))


def scripted(spec: GameSpec, states: States, streams: Streams, *, script: Iterable[str]) -> Choose:
    """The outcomes of *script*, each checked (`ChanceError`); when it is used up, drawn ones."""
    texts, draw = iter(script), drawn(spec, states, streams)

    def choose() -> int:
        text = next(texts, None)
        return draw() if text is None else possible_outcome(spec, states, text)

    return choose


def possible_outcome(spec: GameSpec, states: States, text: str) -> int:
    """The number of the outcome *text*; raises `ChanceError` if it cannot happen in row 0."""
    outcome = spec.text_to_outcome(states, 0, text)
    weights = _weights(spec, states)
    spec.verbs.chance_weights(states, 0, weights)
    if not weights[outcome]:
        numbers = [int(number) for number in weights.nonzero()[0]]
        possible = ", ".join(spec.outcome_to_text(states, 0, number) for number in numbers)
        raise ChanceError(
            f"expected one of the outcomes {possible}, got {text!r}, "
            f"in position {spec.position(states, 0)}"
        )
    return outcome


def _weights(spec: GameSpec, states: States) -> ChanceWeights:
    return np.zeros(spec.shape(spec.read_options(states, 0)).outcomes, np.int64)


def parse_script(spec: GameSpec, states: States, script: Any) -> list[str]:
    """A list of outcomes in notation; raises `ChanceError` or `NotationError` for anything else."""
    if isinstance(script, str) or not isinstance(script, Sequence):
        raise ChanceError(f"expected chance as a list of outcomes, got {script!r}")
    for text in script:
        spec.text_to_outcome(states, 0, text)
    return list(script)
