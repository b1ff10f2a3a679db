"""Oduludo, tied into one `GameSpec`."""

from ..engine.spec import GameSpec
from . import notation, observe, reachable, rules, rules_scoring
from .board import NUM_ACTIONS, NUM_OUTCOMES, SEGMENTS, OduludoOptions
from .draw import PICTURE
from .fields import FIELDS


def teams(options: OduludoOptions) -> tuple[int, ...]:
    """The team of each seat: partners sit opposite [R1.4]."""
    return (0, 1, 0, 1) if options.mode == "team" else tuple(range(options.players))


SPEC = GameSpec.of(
    rules,
    rules_scoring,
    observe,
    notation,
    reachable,
    title="Oduludo",
    home=__name__,
    fields=FIELDS,
    segments=SEGMENTS,
    seats=lambda options: options.players,
    actions=NUM_ACTIONS,
    outcomes=NUM_OUTCOMES,
    picture=PICTURE,
    teams=teams,
)
