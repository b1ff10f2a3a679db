"""Tokken, tied into one `GameSpec`."""

from ..engine.spec import GameSpec
from . import notation, observe, reachable, rules, rules_hidden
from .board import RANKS, num_actions, segments, windows
from .draw import PICTURE
from .fields import FIELDS, seats

SPEC = GameSpec.of(
    rules,
    rules_hidden,
    observe,
    notation,
    reachable,
    title="Tokken",
    home=__name__,
    fields=FIELDS,
    segments=segments,
    seats=seats,
    actions=lambda options: num_actions(options.players),
    outcomes=lambda options: RANKS + options.players,
    state=observe.state_size,
    teams=lambda options: options.sides,
    windows=windows,
    picture=PICTURE,
)
