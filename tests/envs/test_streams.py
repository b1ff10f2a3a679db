"""Streams: the same numbers everywhere and for ever, even, and one row not knowing the others."""

from math import sqrt
from zlib import crc32

import numpy as np
import pytest

from spelkast.envs.engine.streams import (
    PURPOSES,
    new_streams,
    next_below,
    next_unit,
    next_word,
    take_one,
)

PROBE = """
from spelkast.envs.engine.streams import new_streams, next_below, next_unit, next_word
import numpy as np
streams = new_streams((7, 3), 3, "agents")
print([int(next_word(streams, k)) for k in range(3)], next_unit(streams, 2), streams.tolist())
print([int(next_below(streams, 1, bound)) for bound in range(1, 60)])
"""


def python_mwc64x(word: int) -> tuple[int, int]:
    """One step of MWC64X as its author wrote it: (output, next word)."""
    state, carry = word & 0xFFFFFFFF, word >> 32
    return state ^ carry, state * 4294883355 + carry


def test_known_values():
    """A seed in a paper or a replay means these numbers, in every version and on every machine."""
    streams = new_streams(0, 2, "chance")

    assert streams.tolist() == [10002979259171647181, 1687695563254473975]
    assert [next_below(streams, 0, 6) for _ in range(12)] == [4, 4, 5, 5, 3, 1, 0, 2, 5, 4, 5, 4]


def test_words_are_those_of_mwc64x():
    streams = new_streams(5, 1, "chance")
    word = int(streams[0])

    for _ in range(1000):
        output, word = python_mwc64x(word)

        assert next_word(streams, 0) == output
        assert int(streams[0]) == word


@pytest.mark.parametrize("purpose", PURPOSES)
@pytest.mark.parametrize("seed", [0, 2**63, (3, 1, 4)])
def test_row_does_not_depend_on_the_number_of_rows(seed, purpose):
    many = new_streams(seed, 100, purpose)

    for count in (1, 2, 37):
        assert (new_streams(seed, count, purpose) == many[:count]).all()
    assert len(set(many.tolist())) == 100


def test_purposes_and_seeds_have_streams_of_their_own():
    words = [
        int(word)
        for purpose in PURPOSES
        for seed in (0, 1, (0, 1), (1, 1))
        for word in new_streams(seed, 50, purpose)
    ]

    assert len(set(words)) == len(words)


@pytest.mark.parametrize("purpose", [p for p in PURPOSES if p != "chance"])
def test_only_chance_comes_straight_from_the_seed(purpose):
    """A few words of a `SeedSequence` lead back to its seed, so agents get none of them."""
    straight = np.random.SeedSequence(7, spawn_key=(crc32(purpose.encode()),))
    words = new_streams(7, 2, purpose)

    assert not set((words & 0xFFFFFFFF | 1).tolist()) & set(
        (straight.generate_state(64) | 1).tolist()
    )


def test_fresh_entropy_without_a_seed():
    assert (new_streams(None, 4, "chance") != new_streams(None, 4, "chance")).all()


def test_unknown_purpose_lists_the_known_ones():
    with pytest.raises(ValueError, match=r"expected a purpose of \['agents', 'chance'"):
        new_streams(0, 1, "luck")


@pytest.mark.parametrize("bound", [1, 2, 3, 6, 38, 100])
def test_below_is_even(bound: int):
    """Chi-square within six standard deviations of its mean."""
    streams = new_streams(11, 1, "chance")
    count = 200 * bound + 2000

    drawn = np.bincount([next_below(streams, 0, bound) for _ in range(count)], minlength=bound)

    assert drawn.size == bound
    expected = count / bound
    chi_square = float(((drawn - expected) ** 2 / expected).sum())
    assert abs(chi_square - (bound - 1)) <= 6 * sqrt(2 * (bound - 1))


def test_below_is_even_for_awkward_bounds():
    """Below is even for a bound that words do not divide into.

    Without rejection a bound of 3 * 2**30 would give every third number twice as often.
    """
    streams, bound = new_streams(2, 1, "chance"), 3 * 2**29
    drawn = np.array([next_below(streams, 0, bound) for _ in range(6000)])

    assert drawn.min() >= 0
    assert drawn.max() < bound
    for rest in range(3):
        assert abs((drawn % 3 == rest).mean() - 1 / 3) < 0.04


def test_neighbouring_rows_are_independent():
    """The first words of neighbouring rows are independent.

    A row's first numbers say nothing of the next row's: dice of two rows agree 1 time in 6.
    """
    streams = new_streams(0, 6000, "chance")
    rolls = np.array([[next_below(streams, k, 6) for _ in range(2)] for k in range(6000)])

    assert abs((rolls[1:, 0] == rolls[:-1, 0]).mean() - 1 / 6) < 0.03
    assert abs((rolls[:, 0] == rolls[:, 1]).mean() - 1 / 6) < 0.03


def test_unit_lies_in_the_half_open_interval():
    streams = new_streams(0, 1, "agents")
    drawn = np.array([next_unit(streams, 0) for _ in range(4000)])

    assert drawn.min() >= 0.0
    assert drawn.max() < 1.0
    assert abs(drawn.mean() - 0.5) < 0.03


def test_plain_python_draws_the_same(run_python):
    compiled = run_python(PROBE)
    plain = run_python(PROBE, NUMBA_DISABLE_JIT="1")

    assert compiled.returncode == 0, compiled.stderr
    assert plain.stdout == compiled.stdout
    assert plain.stderr == ""


def test_take_one_takes_what_is_there():
    counts = np.array([2, 0, 3, 1], np.int16)
    streams = new_streams(4, 1, "determinize")

    taken = [take_one(counts, left, streams, 0) for left in range(6, 0, -1)]

    assert sorted(taken) == [0, 0, 2, 2, 2, 3]
    assert not counts.any()
