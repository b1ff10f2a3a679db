"""Slag, tied into one `GameSpec`."""

from spelkast.envs.engine.spec import GameSpec

from . import board, rules
from .draw import PICTURE

SPEC = GameSpec.of(
    rules,
    board,
    title="Slag",
    home=__name__,
    fields=board.FIELDS,
    segments=board.SEGMENTS,
    seats=lambda options: options.players,
    actions=len(board.CARDS),
    outcomes=len(board.OUTCOMES),
    state=board.SEATS * rules.SIZE,
    picture=PICTURE,
)
