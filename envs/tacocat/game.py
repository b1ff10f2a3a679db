"""Tacocat Spelled Backwards, tied into one `GameSpec`."""

from ..engine.spec import GameSpec
from . import notation, observe, reachable, rules, rules_hidden
from .board import FIELDS, NUM_ACTIONS, OUTCOMES, SEGMENTS, STATE_SIZE
from .draw import PICTURE

SPEC = GameSpec.of(
    rules,
    rules_hidden,
    observe,
    notation,
    reachable,
    title="Tacocat Spelled Backwards",
    home=__name__,
    fields=FIELDS,
    segments=SEGMENTS,
    seats=2,
    actions=NUM_ACTIONS,
    outcomes=len(OUTCOMES),
    state=STATE_SIZE,
    picture=PICTURE,
)
