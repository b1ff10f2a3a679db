"""What a seat of Tokken sees [R7.2] and cannot know [R5.5], and the state vector [R7.4].

Where a segment begins depends on the number of players alone: `STARTS` has it from
`board.segments`. The full state follows from the numbers of seats and fields.
"""

import numpy as np
from numpy.typing import NDArray

from ..engine.dtypes import ChanceWeights, Floats, States, Streams
from ..engine.jit import kernel, outlined
from ..engine.segments import starts
from ..engine.streams import next_below, take_one
from .board import FINISHED, HOLOGRAM, PAWNS, PLAYERS, RANKS, SEVEN_STEPS, TokkenOptions, segments
from .rules import decision_cap, num_parts
from .rules_cards import is_exchanging, num_cards, total
from .rules_table import (
    BLOCK,
    field_at,
    is_guarded,
    partner_of,
    played_color,
    seat_after,
    slot_in,
    slot_of,
    slots_of,
    wrapped,
)

KEYS = (
    "home", "yard", "progress", "stuck", "guarded", "mine", "hand", "extras", "discard", "gave",
    "got", "cards", "out", "drawn", "pile", "deal", "dealer", "mover", "phase", "moved", "parts",
    "helping", "clock",
)  # fmt: skip
(
    HOME, YARDS, PROGRESS, STUCK, GUARDED, MINE, HAND, EXTRAS, DISCARD, GAVE,
    GOT, CARDS, OUT, DRAWN, PILE, DEAL, DEALER, MOVER, PHASE, MOVED, PARTS,
    HELPING, CLOCK,
) = range(len(KEYS))  # fmt: skip


def _starts() -> NDArray[np.int64]:
    table = np.zeros((max(PLAYERS) + 1, len(KEYS)), np.int64)
    for players in PLAYERS:
        table[players] = starts(segments(TokkenOptions(players=players)), *KEYS)
    return table


STARTS = _starts()
"""Where the segments of `KEYS` begin, by number of players: int64 `[7, 23]`."""

ONE, QUARTER, EIGHTH = np.float32(1.0), np.float32(0.25), np.float32(0.125)


@outlined
def observe(states: States, i: int, seat: int, out: Floats) -> None:
    """Write what *seat* sees."""
    for k in range(out.size):
        out[k] = 0.0
    write_table(states, i, seat, out)
    write_mine(states, i, seat, out)
    write_cards(states, i, seat, out)
    write_seats(states, i, seat, out)
    write_turn(states, i, seat, out)


@kernel
def write_table(states: States, i: int, me: int, out: Floats) -> None:
    """Segments ring to protected: all pawns, by seat from *me* on; all was set to 0 before."""
    state = states[i]
    players, fields = int(state["players"]), int(state["fields"])
    home, yard = STARTS[players, HOME], STARTS[players, YARDS]
    progress_at, stuck_at = STARTS[players, PROGRESS], STARTS[players, STUCK]
    guarded_at = STARTS[players, GUARDED]
    scale = np.float32(1.0) / np.float32(fields + PAWNS)
    for offset in range(players):
        seat = seat_after(states, i, me, offset)
        shift = wrapped(int(state["starts"][seat]) - int(state["starts"][me]), fields)
        slots = slots_of(states, i, seat)
        waiting = 0
        for pawn in range(PAWNS):  # without branches: where a pawn stands is anybody's guess
            progress = int(state["progress"][seat, pawn])
            waits, is_out = progress < 0, progress < fields
            field = progress + shift
            field -= fields if field >= fields else 0
            lane = home + PAWNS * offset + progress - fields - 1
            place = offset * fields + field if is_out else lane
            waiting += waits
            # Nothing is added to `out`: reading it would wait until all of its zeros are written.
            out[yard + offset if waits else place] = np.float32(waiting) * QUARTER if waits else ONE
            at = PAWNS * offset + slot_in(slots, pawn)
            out[progress_at + at] = np.float32(progress + is_out) * scale
            is_stuck = is_out & (not waits) & (progress & BLOCK == HOLOGRAM)
            out[stuck_at + at] = np.float32(is_stuck)
        out[guarded_at + offset] = np.float32(is_guarded(states, i, seat))


@kernel
def write_mine(states: States, i: int, me: int, out: Floats) -> None:
    """Segment mine: the place of each pawn of the colour that *me* plays, one-hot."""
    state = states[i]
    at = STARTS[int(state["players"]), MINE]
    places = int(state["fields"]) + PAWNS + 1
    color = played_color(states, i, me)
    slots = slots_of(states, i, color)
    for pawn in range(PAWNS):
        slot = slot_in(slots, pawn)
        progress = int(state["progress"][color, pawn])
        place = progress + 1 if progress < int(state["fields"]) else progress
        out[at + places * slot + place] = 1.0


@kernel
def write_cards(states: States, i: int, me: int, out: Floats) -> None:
    """Segments hand to got: what *me* holds, what lies open, what was exchanged."""
    state = states[i]
    players = int(state["players"])
    scale = np.float32(1.0) / np.float32(players)
    hand, extras, discard = (
        STARTS[players, HAND],
        STARTS[players, EXTRAS],
        STARTS[players, DISCARD],
    )
    for rank in range(RANKS):
        out[hand + rank] = np.float32(state["hands"][me, rank]) * scale
    for rank in range(RANKS):
        out[extras + rank] = np.float32(state["extras"][me, rank]) * scale
    for rank in range(RANKS):
        out[discard + rank] = np.float32(state["discard"][rank]) * scale
    given = int(state["given"][me])
    if given:
        out[STARTS[players, GAVE] + given - 1] = 1.0
        if not is_exchanging(states, i):
            got = int(state["given"][partner_of(states, i, me)])
            out[STARTS[players, GOT] + got - 1] = 1.0


@kernel
def write_seats(states: States, i: int, me: int, out: Floats) -> None:
    """Segments cards to mover: what everybody knows of each seat, and of the deal."""
    state = states[i]
    players = int(state["players"])
    jokers = (players + 1) // 2
    per_joker = np.float32(1.0) / np.float32(jokers)
    cards, gone, drawn = STARTS[players, CARDS], STARTS[players, OUT], STARTS[players, DRAWN]
    for offset in range(players):
        seat = seat_after(states, i, me, offset)
        out[cards + offset] = np.float32(num_cards(states, i, seat)) * EIGHTH
        out[gone + offset] = np.float32(state["out"][seat])
        out[drawn + offset] = np.float32(state["drawn"][seat]) * per_joker
    out[STARTS[players, PILE]] = np.float32(total(state["pile"])) / np.float32(8 * players + jokers)
    out[STARTS[players, DEAL] + int(state["deal"]) - 1] = 1.0
    out[STARTS[players, DEALER] + wrapped(int(state["dealer"]) - me, players)] = 1.0
    mover = int(state["mover"])
    if mover >= 0:
        out[STARTS[players, MOVER] + wrapped(mover - me, players)] = 1.0


@kernel
def write_turn(states: States, i: int, me: int, out: Floats) -> None:
    """Segments phase to clock."""
    state = states[i]
    players = int(state["players"])
    write_phase(states, i, out, STARTS[players, PHASE])
    color = played_color(states, i, me)
    if int(state["mover"]) == me:
        for pawn in range(PAWNS):
            if int(state["moved"][color, pawn]):
                out[STARTS[players, MOVED] + slot_of(states, i, color, pawn)] = 1.0
    out[STARTS[players, HELPING]] = np.float32(color != me)
    write_parts_and_clock(states, i, out, STARTS[players, PARTS], STARTS[players, CLOCK])


@kernel
def write_phase(states: States, i: int, out: Floats, at: int) -> int:
    """The phase and the steps of a seven that are left."""
    state = states[i]
    phase = int(state["phase"])
    if phase != FINISHED:
        out[at + phase] = 1.0
    left = int(state["left"])
    if left > 0:
        out[at + 2 + left] = 1.0
    return at + 2 + SEVEN_STEPS


@kernel
def write_parts_and_clock(states: States, i: int, out: Floats, parts: int, clock: int) -> None:
    """How many parts of a seven have been made, and how much of the time has passed."""
    if int(states[i]["left"]) > 0:
        out[parts] = np.float32(num_parts(states, i)) * QUARTER
    cap = decision_cap(states, i)
    if cap > 0:
        out[clock] = min(np.float32(1.0), np.float32(int(states[i]["decisions"]) / cap))


# Full information [R7.4] -----------------------------------------------------------------------


def state_size(options: TokkenOptions) -> int:
    """How many numbers `full_state` writes."""
    return options.players * (options.ring + 55) + 42


@outlined
def full_state(states: States, i: int, out: Floats) -> None:
    """Write all of the position by seat and field."""
    state = states[i]
    players = int(state["players"])
    for k in range(out.size):
        out[k] = 0.0
    at = write_places(states, i, out)
    at = write_all_cards(states, i, out, at)
    per_joker = np.float32(1.0) / np.float32((players + 1) // 2)
    for seat in range(players):
        out[at + seat] = np.float32(state["out"][seat])
        out[at + players + seat] = np.float32(state["drawn"][seat]) * per_joker
    at += 2 * players
    out[at + max(int(state["deal"]) - 1, 0)] = 1.0
    at += 3
    out[at + int(state["dealer"])] = 1.0
    at += players
    if int(state["mover"]) >= 0:
        out[at + int(state["mover"])] = 1.0
    at = write_phase(states, i, out, at + players)
    for seat in range(players):
        for pawn in range(PAWNS):
            if int(state["moved"][seat, pawn]):
                out[at + PAWNS * seat + slot_of(states, i, seat, pawn)] = 1.0
    at += PAWNS * players
    write_parts_and_clock(states, i, out, at, at + 1)


@kernel
def write_places(states: States, i: int, out: Floats) -> int:
    """Ring, home lanes and yards by seat."""
    state = states[i]
    players, fields = int(state["players"]), int(state["fields"])
    home = players * fields
    yard = home + PAWNS * players
    for seat in range(players):
        for pawn in range(PAWNS):
            progress = int(state["progress"][seat, pawn])
            if progress < 0:
                out[yard + seat] += QUARTER
            elif progress < fields:
                out[seat * fields + field_at(states, i, seat, progress)] = 1.0
            else:
                out[home + PAWNS * seat + progress - fields - 1] = 1.0
    return yard + players


@kernel
def write_all_cards(states: States, i: int, out: Floats, at: int) -> int:
    """Hands, extra cards, cards given, draw pile and discard."""
    state = states[i]
    players = int(state["players"])
    scale = np.float32(1.0) / np.float32(players)
    extras = at + RANKS * players
    given = extras + RANKS * players
    for seat in range(players):
        for rank in range(RANKS):
            out[at + RANKS * seat + rank] = np.float32(state["hands"][seat, rank]) * scale
            out[extras + RANKS * seat + rank] = np.float32(state["extras"][seat, rank]) * scale
        if int(state["given"][seat]):
            out[given + RANKS * seat + int(state["given"][seat]) - 1] = 1.0
    at = given + RANKS * players
    for rank in range(RANKS):
        out[at + rank] = np.float32(state["pile"][rank]) * scale
        out[at + RANKS + rank] = np.float32(state["discard"][rank]) * scale
    return at + 2 * RANKS


# What a seat cannot know [R5] --------------------------------------------------------------------


@outlined
def determinize(states: States, i: int, seat: int, streams: Streams, k: int) -> None:
    """Re-draw the others' cards, the pile, and what others have given face down.

    What members of other sides gave is re-drawn too; after the exchange no rule reads it.
    """
    state = states[i]
    players = int(state["players"])
    exchanging = is_exchanging(states, i)
    for other in range(players):
        if other != seat:
            pool(state["hands"][other], state["pile"])
            pool(state["extras"][other], state["pile"])
            if exchanging and int(state["given"][other]) > 0:
                state["pile"][int(state["given"][other]) - 1] += 1
    left = total(state["pile"])
    for other in range(players):
        if other != seat:
            left -= redraw(state["hands"][other], state["pile"], left, streams, k)
            left -= redraw(state["extras"][other], state["pile"], left, streams, k)
            if int(state["given"][other]) == 0:
                continue
            if exchanging:
                state["given"][other] = 1 + take_one(state["pile"], left, streams, k)
                left -= 1
            elif other != partner_of(states, i, seat):
                state["given"][other] = 1 + next_below(streams, k, RANKS)


@kernel
def pool(cards: ChanceWeights, pile: ChanceWeights) -> None:
    """Move *cards* to the pile; their number is kept in their first place meanwhile."""
    number = total(cards)
    for rank in range(RANKS):
        pile[rank] += cards[rank]
        cards[rank] = 0
    cards[0] = number


@outlined
def redraw(cards: ChanceWeights, pile: ChanceWeights, left: int, streams: Streams, k: int) -> int:
    """Draw the *cards* that `pool` has moved from a pile of *left*; returns their number."""
    number = int(cards[0])
    cards[0] = 0
    for drawn in range(number):
        cards[take_one(pile, left - drawn, streams, k)] += 1
    return number
