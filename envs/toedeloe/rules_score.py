"""The count of ToedeLoe and what it pays [R8.3 - R8.5]."""

from ..engine.dtypes import OVER, Floats, States, Words
from ..engine.jit import kernel, outlined
from .board import BONUS_BITS, FRAME_BITS, FRAMES_BITS, LANE, LANES, ROW_BITS, ROW_WORDS, SIDES

FRAME_SIZE = 6
MARGIN = 30.0
"""Points of a lead that pays 1 by `reward = "margin"`."""

TOP_LANE = LANE * (LANES - 1)

# For counting bits: every second bit, every second pair, the lower half of every byte, every byte.
BITS, PAIRS, HALVES, BYTES = (
    0x5555555555555555,
    0x3333333333333333,
    0x0F0F0F0F0F0F0F0F,
    0x0101010101010101,
)


# The longest row [R8.3] ------------------------------------------------------------------------


@kernel
def longest_run(states: States, i: int, side: int) -> int:
    """The length of the longest straight run of own pawns on the lines [R2.7].

    All lines at once: how often can every run lose a pawn at one end, before none is left?
    """
    lines = states[i]["lines"]
    a, b, c = int(lines[side, 0]), int(lines[side, 1]), int(lines[side, 2])
    d, e, f = int(lines[side, 3]), int(lines[side, 4]), int(lines[side, 5])
    # A bit stays if the next one is set too, so that every run loses its last pawn; the gap after a
    # line (LANE) keeps runs of two lines apart. Six variables, since a kernel can make no array.
    length = 0
    while a | b | c | d | e | f != 0:
        a &= a >> 1
        b &= b >> 1
        c &= c >> 1
        d &= d >> 1
        e &= e >> 1
        f &= f >> 1
        length += 1
    return length


@kernel
def count_bits(word: int) -> int:
    """How many bits of *word* are set; it has fewer than 64."""
    # Every two bits become their count, then every four, then every byte; the product with
    # 0x0101.. adds all bytes up in the highest one.
    word -= word >> 1 & BITS
    word = (word & PAIRS) + (word >> 2 & PAIRS)
    word = word + (word >> 4) & HALVES
    return word * BYTES >> 56 & 0xFF


@outlined
def largest_group(states: States, i: int, side: int) -> int:
    """The size of the largest group of own pawns that are neighbours of one another [R2.4].

    A group grows from one pawn over the grid rows until it grows no more; then the next.
    """
    lines = states[i]["lines"]
    a, b, c = int(lines[side, 0]), int(lines[side, 1]), int(lines[side, 2])
    largest = 0
    while a | b | c != 0:
        # One pawn of the first word that has any.
        x = a & -a
        y = b & -b if a == 0 else 0
        z = c & -c if a | b == 0 else 0
        grown = True
        while grown:
            # To the left and right, up and down, and over the edges of the words; `& a` keeps what
            # is a pawn. The gap of a lane stops a step to the left or right at the edge.
            #   word:  a = rows 0..3   b = rows 4..7   c = rows 8..11
            p = (x | x << 1 | x >> 1 | x << LANE | x >> LANE | y << TOP_LANE) & a
            q = (y | y << 1 | y >> 1 | y << LANE | y >> LANE | x >> TOP_LANE | z << TOP_LANE) & b
            r = (z | z << 1 | z >> 1 | z << LANE | z >> LANE | y >> TOP_LANE) & c
            grown = p != x or q != y or r != z
            x, y, z = p, q, r
        largest = max(largest, count_bits(x) + count_bits(y) + count_bits(z))
        a ^= x
        b ^= y
        c ^= z
    return largest


@kernel
def longest(states: States, i: int, side: int) -> int:
    """The length that scores: of a run or, by the option `longest`, of a group."""
    if int(states[i]["longest_is_group"]):
        return largest_group(states, i, side)
    return longest_run(states, i, side)


# Parts of the score ----------------------------------------------------------------------------


@kernel
def count_on(states: States, i: int, side: int, squares: Words) -> int:
    """How many own pawns stand on *squares*, given as bits of the grid rows."""
    lines = states[i]["lines"]
    pawns = 0
    for k in range(ROW_WORDS):
        pawns += count_bits(int(lines[side, k]) & int(squares[k]))
    return pawns


@kernel
def full_frames(states: States, i: int, side: int) -> int:
    """How many frames hold six own pawns."""
    lines = states[i]["lines"]
    full = 0
    for frame in range(2):
        missing = 0
        for k in range(ROW_WORDS):
            missing |= int(FRAME_BITS[frame, k]) & ~int(lines[side, k])  # 0 if it has all bits
        full += 1 if missing == 0 else 0
    return full


@kernel
def frame_points(states: States, i: int, side: int) -> int:
    """1 for each own pawn in a frame, and 6 more for a frame of six."""
    return count_on(states, i, side, FRAMES_BITS) + FRAME_SIZE * full_frames(states, i, side)


@kernel
def row_points(states: States, i: int, side: int) -> int:
    """1 for each own pawn on the row squares."""
    return count_on(states, i, side, ROW_BITS)


@kernel
def bonus_points(states: States, i: int, side: int) -> int:
    """2 for each own pawn on the bonus squares."""
    return 2 * count_on(states, i, side, BONUS_BITS)


@kernel
def unplaced(states: States, i: int, side: int) -> int:
    """Own pawns, red pawns and the ToedeLoe that do not stand on the board."""
    state = states[i]
    return int(state["pawns"][side]) + int(state["red"][side]) + int(state["toedeloe"][side])


@kernel
def plus(states: States, i: int, side: int) -> int:
    """What the pawns of *side* score where they stand."""
    points = frame_points(states, i, side) + row_points(states, i, side)
    return points + bonus_points(states, i, side) + longest(states, i, side)


@kernel
def net(states: States, i: int, side: int) -> int:
    """Plus points less minus points [R8.3]."""
    minus = unplaced(states, i, side) + int(states[i]["penalty"][side])
    return plus(states, i, side) - minus


@kernel
def scores(states: States, i: int, out: Floats) -> None:
    """[R8.3] Of each seat, the net score of its side."""
    for seat in range(int(states[i]["players"])):
        out[seat] = net(states, i, seat) if seat < SIDES else out[seat - SIDES]


@kernel
def returns(states: States, i: int, out: Floats) -> None:
    """[R8.5] Who leads wins, or is paid by the lead; zeros before the end."""
    state = states[i]
    for seat in range(int(state["players"])):
        out[seat] = 0.0
    if int(state["mover"]) != OVER:
        return
    lead = 0
    for side in range(SIDES):
        points = net(states, i, side)
        lead += points if side == 0 else -points
    if int(state["reward_is_margin"]):
        reward = min(1.0, max(-1.0, lead / MARGIN))
    else:
        reward = float((lead > 0) - (lead < 0))
    for seat in range(int(state["players"])):
        out[seat] = reward if seat % SIDES == 0 else -reward
