"""ToedeLoe, tied into one `GameSpec`."""

from __future__ import annotations

from ..engine.spec import GameSpec, Shape
from ..engine.verbs import Verbs
from . import notation, observe, positions, rules, rules_score
from .board import (
    FIRST_SEAT,
    NUM_ACTIONS,
    OBSERVATION_SIZE,
    SEGMENTS,
    SIDES,
    STATE,
    STATE_SIZE,
    ToedeloeOptions,
)
from .draw import svg
from .draw_text import text
from .view import describe_last_move


def shape(options: ToedeloeOptions) -> Shape:
    """The sizes of the game for two or four players."""
    return Shape(
        seats=options.players,
        actions=NUM_ACTIONS,
        observation=OBSERVATION_SIZE,
        state=STATE_SIZE,
        outcomes=FIRST_SEAT + options.players,
    )


def teams(options: ToedeloeOptions) -> tuple[int, ...]:
    """[R1.1] White and grey."""
    return tuple(seat % SIDES for seat in range(options.players))


SPEC = GameSpec(
    name="toedeloe",
    title="ToedeLoe",
    home=__name__,
    options=ToedeloeOptions,
    shape=shape,
    record=STATE,
    verbs=Verbs(
        reset=rules.reset,
        to_move=rules.to_move,
        legal_mask=rules.legal_mask,
        step=rules.step,
        chance_weights=rules.chance_weights,
        step_chance=rules.step_chance,
        returns=rules_score.returns,
        is_truncated=rules.is_truncated,
        observe=observe.observe,
        full_state=observe.full_state,
        determinize=rules.determinize,
    ),
    segments=SEGMENTS,
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
    draw_svg=svg,
    draw_text=text,
    describe_last_move=describe_last_move,
    teams=teams,
)
