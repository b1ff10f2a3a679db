"""Pig, tied into one `GameSpec`."""

from __future__ import annotations

from spelkast.envs.engine.spec import GameSpec, Shape
from spelkast.envs.engine.verbs import Verbs

from . import notation, observe, rules
from .board import MOVES, OUTCOMES, SEGMENTS, STATE, PigOptions
from .draw import PICTURE

SHAPE = Shape(seats=2, actions=len(MOVES), observation=5, state=5, outcomes=len(OUTCOMES))

SPEC = GameSpec(
    name="pig",
    title="Pig",
    home=__name__,
    options=PigOptions,
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
    report=lambda code: {"banked": code},
    draw_svg=PICTURE.svg,
    draw_text=PICTURE.text,
    teams=lambda options: (0, 1),
)
