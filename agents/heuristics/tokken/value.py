"""What a table of Tokken is worth to the baselines `racer` and `kees` [R12.2, R12.3]."""

from ....envs.engine.dtypes import States
from ....envs.engine.jit import kernel, outlined
from ....envs.tokken.board import (
    ACE,
    HOLOGRAM,
    JOKER,
    KING,
    PAWNS,
    YARD,
)
from ....envs.tokken.rules_table import (
    BLOCK,
    field_at,
    is_on_ring,
    is_stuck,
    num_home,
    partner_of,
    played_color,
    wrapped,
)
from .numbers import (
    ALL_HOME,
    APPROACH,
    BEHIND,
    COST,
    DEPTH,
    FOUR_AHEAD,
    GAP,
    HOME,
    KING_STEPS,
    LAP,
    LONGEST,
    MOST_DANGER,
    NEAR_START,
    ON_A_START,
    ON_START,
    PARTNER,
    REACH,
    RING,
    SPARE_ENTRY,
    STUCK,
    THEIRS,
    Book,
)

ALIKE = 1.0e-9
"""Values that differ by less are equal but for rounding: the lower action is taken."""


# A table as `racer` sees it --------------------------------------------------------------------


@kernel
def race_value(states: States, i: int, side: int) -> float:
    """[R12.2] How far the pawns of a side have come, less the mean of the other sides."""
    own, others = 0.0, 0.0
    state = states[i]
    fields, sides = int(state["fields"]), int(state["sides"])
    for seat in range(int(state["players"])):
        worth = 0.0
        for pawn in range(PAWNS):
            progress = int(state["progress"][seat, pawn])
            if progress > fields:
                worth += 24 + fields + 2 * (progress - fields)
            elif progress != YARD:
                worth += (16 + progress) * (0.5 if is_stuck(states, i, seat, pawn) else 1.0)
        if seat % sides == side:
            own += worth
        else:
            others += worth
    return own - others / (sides - 1)


# A table as `kees` sees it ---------------------------------------------------------------------


@outlined
def value_for(states: States, i: int, me: int, book: Book) -> float:
    """[R12.3] The table for the side of *me*: its seats, less the mean of the other sides."""
    own, others = 0.0, 0.0
    for seat in range(int(states[i]["players"])):
        worth = seat_value(states, i, seat, book)
        if seat == me:
            own += worth
        elif is_with(states, i, seat, me):
            own += book[PARTNER] * worth
        else:
            others += worth
    return float(own - book[THEIRS] * others / (int(states[i]["sides"]) - 1))


@kernel
def is_with(states: States, i: int, seat: int, other: int) -> bool:
    """Whether two seats are of one side."""
    return other in (seat, partner_of(states, i, seat))


@kernel
def seat_value(states: States, i: int, seat: int, book: Book) -> float:
    """The pawns of a seat, its gaps at home, and a bonus when all are in."""
    state = states[i]
    fields = int(state["fields"])
    shallowest = shallowest_home(states, i, seat)
    worth = 0.0
    for pawn in range(PAWNS):
        progress = int(state["progress"][seat, pawn])
        if progress > fields:
            worth += book[HOME] + book[DEPTH] * (progress - fields)
        elif progress != YARD:
            worth += ring_value(states, i, seat, progress, shallowest, book)
    home = num_home(states, i, seat)
    if home == PAWNS:
        return float(worth + book[ALL_HOME])
    if home > 0:
        worth -= book[GAP] * (PAWNS + 1 - shallowest - home)
    return worth


@kernel
def shallowest_home(states: States, i: int, color: int) -> int:
    """The shallowest home slot taken; 5 if there is none."""
    state = states[i]
    shallowest = PAWNS + 1
    for pawn in range(PAWNS):
        slot = int(state["progress"][color, pawn]) - int(state["fields"])
        shallowest = slot if 0 < slot < shallowest else shallowest
    return shallowest


@kernel
def steps_home(lap: int, progress: int, shallowest: int) -> int:
    """Steps of a ring pawn to the slot where it closes up; 0 if that is taken."""
    return 0 if shallowest == 1 else lap - progress + shallowest - 1


@kernel
def ring_value(
    states: States, i: int, seat: int, progress: int, shallowest: int, book: Book
) -> float:
    """A pawn on the ring: its way, its steps home, and the pawns that may hit it."""
    lap = int(states[i]["fields"]) - 2
    if progress & BLOCK == HOLOGRAM:
        return float(book[STUCK] * (book[RING] + book[LAP] * min(progress, lap) / lap))
    base = book[RING] + book[LAP] * progress / lap
    home = steps_home(lap, progress, shallowest)
    if home <= LONGEST:
        base += book[APPROACH + home]
    if progress <= 3:
        base += book[NEAR_START]
    field = field_at(states, i, seat, progress)
    if progress == 0:
        return float(base + book[ON_START] + book[BEHIND] * num_behind(states, i, seat, field))
    danger = min(book[MOST_DANGER], danger_on(states, i, seat, field, book))
    return float(base * (100 - danger) / 100)


@kernel
def num_behind(states: States, i: int, seat: int, field: int) -> int:
    """Opposing ring pawns, stuck ones too, that stand 1..13 fields behind *field*."""
    state = states[i]
    fields = int(state["fields"])
    behind = 0
    for other in range(int(state["players"])):
        if is_with(states, i, seat, other):
            continue
        for pawn in range(PAWNS):
            if is_on_ring(states, i, other, pawn):
                theirs = field_at(states, i, other, int(state["progress"][other, pawn]))
                behind += 1 <= wrapped(field - theirs, fields) <= KING_STEPS
    return behind


@kernel
def danger_on(states: States, i: int, seat: int, field: int, book: Book) -> float:
    """What threatens a pawn of *seat* on *field*, in hundredths."""
    state = states[i]
    danger = 0.0
    for other in range(int(state["players"])):
        if is_with(states, i, seat, other):
            continue
        waits = False
        for pawn in range(PAWNS):
            waits |= int(state["progress"][other, pawn]) == YARD
            danger += danger_from(states, i, other, pawn, field, book)
        if waits and field == int(state["starts"][other]):
            danger += book[ON_A_START]
    return danger


@kernel
def danger_from(states: States, i: int, other: int, pawn: int, field: int, book: Book) -> float:
    """How an opponent's pawn threatens one on *field*, in hundredths."""
    # Without branches, which the processor would guess wrong more often than not. A pawn in the
    # yard counts as one that is stuck on the hologram behind its start.
    progress = int(states[i]["progress"][other, pawn])
    fields = int(states[i]["fields"])
    behind = wrapped(field - field_at(states, i, other, progress), fields)
    passes = progress + behind <= fields - 2
    threat = book[REACH + behind] if passes else 0.0
    threat += book[FOUR_AHEAD] if behind == fields - 4 else 0.0
    is_free = (progress < fields) & (progress & BLOCK != HOLOGRAM)
    return threat if is_free else 0.0


@kernel
def play_cost(states: States, i: int, seat: int, rank: int, book: Book) -> float:
    """[R12.4] The cost of playing a card: entry cards cost half with no pawn in the yard."""
    cost = float(book[COST + rank])
    if rank in (ACE, KING, JOKER):
        color = played_color(states, i, seat)
        for pawn in range(PAWNS):
            if int(states[i]["progress"][color, pawn]) == YARD:
                return cost
        return float(cost * book[SPARE_ENTRY])
    return cost
