"""The baseline `racer` of Tokken: greedy for the way its side's pawns have come [R12.2]."""

import numpy as np

from ....envs.engine.dtypes import Actions, Mask, States, Streams
from ....envs.engine.jit import kernel
from ....envs.tokken.board import (
    ACE,
    FOLD,
    GIVE,
    JOKER,
    KEEP,
    KING,
    PART,
    PUSH,
    RANKS,
    SEVEN_STEPS,
    STEPS_BY_RANK,
)
from ....envs.tokken.fields import FIELDS
from ....envs.tokken.rules_cards import play_card, ranks_held
from ....envs.tokken.rules_moves import walk
from ....envs.tokken.rules_table import pawn_in_slot, played_color
from ...agent import WithScratch
from .kees import any_legal, first_entry, num_entries
from .value import ALIKE, race_value

NOW, AFTER = range(2)


@kernel
def racer_rows(
    states: States,
    masks: Mask,
    seats: Actions,
    streams: Streams,
    out: Actions,
    scratch: States,
) -> None:
    """Choose for every row; *scratch* is two records."""
    for row in range(states.size):
        scratch[NOW] = states[row]
        seat = int(seats[row])
        if masks[row, FOLD]:
            out[row] = FOLD
        elif any_legal(masks[row], 0, FOLD):  # a card is to be given
            out[row] = choose_gift(scratch, seat)
        else:
            out[row] = choose_play(scratch, seat, masks[row])


racer = WithScratch(racer_rows, lambda _: (np.zeros(2, FIELDS.record),))
"""Choose for every row like somebody in a hurry."""


@kernel
def choose_gift(scratch: States, seat: int) -> int:
    """A spare entry card, else the card with the most steps that is none."""
    if num_entries(scratch, seat) > 1:
        return GIVE + first_entry(scratch, seat)
    held = ranks_held(scratch, NOW, seat)
    most, chosen = -1, -1
    for rank in range(RANKS):
        if held >> rank & 1 and rank not in (ACE, KING, JOKER) and STEPS_BY_RANK[rank] >= most:
            most, chosen = int(STEPS_BY_RANK[rank]), rank
    return GIVE + (chosen if chosen >= 0 else first_entry(scratch, seat))


@kernel
def choose_play(scratch: States, seat: int, mask: Mask) -> int:
    """The play, or part of a seven, after which the table is worth most."""
    side = seat % int(scratch[NOW]["sides"])
    best, chosen = -1.0e9, KEEP
    for action in range(KEEP + 1, mask.size):
        if mask[action]:
            scratch[AFTER] = scratch[NOW]
            if PART <= action < PUSH:
                color = played_color(scratch, AFTER, seat)
                slot = (action - PART) // SEVEN_STEPS
                pawn = pawn_in_slot(scratch, AFTER, color, slot)
                walk(scratch, AFTER, color, pawn, (action - PART) % SEVEN_STEPS + 1)
            else:
                play_card(scratch, AFTER, seat, action)
            value = race_value(scratch, AFTER, side)
            if value > best + ALIKE:
                best, chosen = value, action
    return chosen
