"""Streams of random numbers: one small generator per row, in an array of words.

A stream is one 64-bit word of MWC64X (D. B. Thomas, "The MWC64X random number generator"), a
multiply-with-carry generator of period about 2**63 that passes BigCrush. It was chosen because it
never overflows 64 bits, so compiled code and plain Python give the same numbers. Row i of
`new_streams(seed, n, purpose)` is the same for every n.
"""

from hashlib import blake2b
from typing import Any, TypeAlias
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from .dtypes import Streams
from .jit import kernel

Seed: TypeAlias = int | tuple[int, ...]

PURPOSES = {
    "chance": "dice and cards of a game",
    "agents": "choices of agents",
    "learner": "seats and opponents in training",
    "determinize": "re-drawn hidden information",
}
"""Every source of randomness has streams of its own, so a deal does not depend on who plays."""

NO_GAME: Seed = (0, 0, 1)
"""Root of what agents are shown before a match: a deal and streams of no game that is played."""

# A stream as a word: the carry in the high half, the state in the low one.
MULTIPLIER = np.uint64(4294883355)
LOW = np.uint64(0xFFFFFFFF)
HALF = np.uint64(32)
RESTART = np.uint64(1)
"""The word after one that would follow itself, which `new_streams` never makes."""


def new_streams(seed: Seed | None, count: int, purpose: str) -> Streams:
    """`uint64[count]` streams for *purpose* (a key of `PURPOSES`); `None` takes fresh entropy.

    Only those of chance come straight from the seed. The others come from a one-way hash of it: a
    few words of a `SeedSequence` give away where it began, and agents see their own streams.
    """
    if purpose not in PURPOSES:
        raise ValueError(f"expected a purpose of {sorted(PURPOSES)}, got {purpose!r}")
    entropy = np.random.SeedSequence(seed, spawn_key=(crc32(purpose.encode()),))
    if purpose != "chance":
        digest = blake2b(entropy.generate_state(8).tobytes(), digest_size=32).digest()
        entropy = np.random.SeedSequence(int.from_bytes(digest, "little"))
    words = entropy.generate_state(2 * count, np.uint32).astype(np.uint64).reshape(count, 2)
    # A carry below the multiplier and a state that is not zero keep the row on the long cycle.
    return (words[:, 0] % (MULTIPLIER - np.uint64(1)) << HALF) | (words[:, 1] | np.uint64(1))


@kernel
def next_word(streams: Streams, k: int) -> int:
    """32 random bits from stream *k*."""
    word = streams[k]
    low = word & LOW
    carry = word >> HALF
    # The largest value is (2**32 - 1) * MULTIPLIER + 2**32 - 1, which is below 2**64.
    following = low * MULTIPLIER + carry
    # Two words follow themselves, 0 among them; whoever waits for another number would wait for
    # ever. Every other word leads to one of the long cycles.
    streams[k] = RESTART if following == word else following
    return np.int64(low ^ carry)  # type: ignore[return-value]  # int() would stay unsigned


@kernel
def next_below(streams: Streams, k: int, bound: int) -> int:
    """A whole number in 0..bound-1, each equally likely (Lemire's method); bound <= 2**31."""
    # A word times *bound* has the answer in its high half, without a division. Some answers come
    # from one word more than others; a low half below 2**32 % bound gives it away: draw again.
    product = next_word(streams, k) * bound
    low = product & 0xFFFFFFFF
    if low < bound:
        threshold = (0x100000000 - bound) % bound
        while low < threshold:
            product = next_word(streams, k) * bound
            low = product & 0xFFFFFFFF
    return product >> 32


@kernel
def split(streams: Streams, k: int) -> int:
    """A new stream, as a word, drawn from stream *k*."""
    # Like those of `new_streams`: a carry below the multiplier and a state that is not zero.
    carry, state = next_word(streams, k) >> 1, next_word(streams, k) | 1
    return np.uint64(carry) << HALF | np.uint64(state)  # type: ignore[return-value]  # as above


@kernel
def take_one(counts: NDArray[np.signedinteger[Any]], left: int, streams: Streams, k: int) -> int:
    """Take a random one of *left* things, such as cards of a pile; returns its kind.

    `counts[kind]`, `[K]`, says how many there are of each; it is one less afterwards.
    """
    rest, kind = next_below(streams, k, left), 0
    while rest >= int(counts[kind]):
        rest -= int(counts[kind])
        kind += 1
    counts[kind] -= 1
    return kind


@kernel
def next_unit(streams: Streams, k: int) -> float:
    """A number in [0, 1) with 32 random bits."""
    return next_word(streams, k) / 4294967296.0
