"""Tacocat Spelled Backwards, tied into one `GameSpec`."""

from __future__ import annotations

from ..engine.spec import GameSpec, Shape
from ..engine.verbs import Verbs
from . import notation, observe, rules, rules_hidden
from .board import (
    NUM_ACTIONS,
    OBSERVATION_SIZE,
    OUTCOMES,
    SEGMENTS,
    STATE,
    STATE_SIZE,
    TacocatOptions,
)
from .draw import PICTURE

SHAPE = Shape(
    seats=2,
    actions=NUM_ACTIONS,
    observation=OBSERVATION_SIZE,
    state=STATE_SIZE,
    outcomes=len(OUTCOMES),
)

SPEC = GameSpec(
    name="tacocat",
    title="Tacocat Spelled Backwards",
    home=__name__,
    options=TacocatOptions,
    shape=lambda options: SHAPE,
    record=STATE,
    verbs=Verbs(
        reset=rules.reset,
        to_move=rules.to_move,
        legal_mask=rules.legal_mask,
        step=rules.step,
        chance_weights=rules.chance_weights,
        step_chance=rules.step_chance,
        returns=rules.returns,
        is_truncated=rules.is_truncated,
        observe=observe.observe,
        full_state=observe.full_state,
        determinize=rules_hidden.determinize,
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
    teams=lambda options: (0, 1),
)
