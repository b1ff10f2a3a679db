"""Tokken, tied into one `GameSpec`."""

from __future__ import annotations

from ..engine.spec import GameSpec
from ..engine.verbs import Verbs
from . import notation, observe, positions, rules, rules_hidden
from .board import STATE, TokkenOptions, segments, shape, windows
from .draw import PICTURE

SPEC = GameSpec(
    name="tokken",
    title="Tokken",
    home=__name__,
    options=TokkenOptions,
    shape=shape,
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
    segments=segments,
    windows=windows,
    write_options=positions.write_options,
    read_options=positions.read_options,
    action_to_move=notation.action_to_move,
    move_to_action=notation.move_to_action,
    outcome_to_text=notation.outcome_to_text,
    text_to_outcome=notation.text_to_outcome,
    position=positions.position,
    from_position=positions.from_position,
    infos=notation.infos,
    report=notation.report,
    draw_svg=PICTURE.svg,
    draw_text=PICTURE.text,
    describe_last_move=PICTURE.last_move,
    teams=lambda options: options.sides,
)
