"""Oduludo, tied into one `GameSpec`."""

from __future__ import annotations

from ..engine.spec import GameSpec, Shape
from ..engine.verbs import Verbs
from . import notation, observe, rules, rules_scoring
from .board import (
    NUM_ACTIONS,
    NUM_OUTCOMES,
    OBSERVATION_SIZE,
    SEGMENTS,
    STATE,
    OduludoOptions,
)
from .draw import PICTURE


def shape(options: OduludoOptions) -> Shape:
    """The sizes under *options*: only the number of seats varies."""
    return Shape(
        seats=options.players,
        actions=NUM_ACTIONS,
        observation=OBSERVATION_SIZE,
        state=OBSERVATION_SIZE,
        outcomes=NUM_OUTCOMES,
    )


def teams(options: OduludoOptions) -> tuple[int, ...]:
    """The team of each seat: partners sit opposite [R1.4]."""
    return (0, 1, 0, 1) if options.mode == "team" else tuple(range(options.players))


SPEC = GameSpec(
    name="oduludo",
    title="Oduludo",
    home=__name__,
    options=OduludoOptions,
    shape=shape,
    record=STATE,
    verbs=Verbs(
        reset=rules.reset,
        to_move=rules.to_move,
        legal_mask=rules.legal_mask,
        step=rules.step,
        chance_weights=rules.chance_weights,
        step_chance=rules.step_chance,
        returns=rules_scoring.returns,
        is_truncated=rules_scoring.is_truncated,
        observe=observe.observe,
        full_state=observe.full_state,
        determinize=rules.determinize,
    ),
    segments=SEGMENTS,
    write_options=notation.write_options,
    read_options=notation.read_options,
    action_to_move=notation.action_to_move,
    move_to_action=notation.move_to_action,
    outcome_to_text=notation.outcome_to_text,
    text_to_outcome=notation.text_to_outcome,
    position=notation.position,
    from_position=notation.from_position,
    infos=notation.infos,
    report=notation.report,
    draw_svg=PICTURE.svg,
    draw_text=PICTURE.text,
    describe_last_move=PICTURE.last_move,
    teams=teams,
)
