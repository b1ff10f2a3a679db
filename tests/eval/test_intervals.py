"""Intervals against values worked out elsewhere, and against many simulated matches."""

import numpy as np
import pytest

from spelkast.eval.intervals import paired, t_quantile, wilson


@pytest.mark.parametrize(
    ("wins", "games", "low", "high"),
    [
        # Newcombe, "Two-sided confidence intervals for the single proportion" (1998), table I,
        # method 3: the score interval without continuity correction.
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_agrees_with_the_published_table(wins, games, low, high):
    assert wilson(wins / games, games) == pytest.approx((low, high), abs=5e-5)


def test_wilson_is_the_same_from_either_side():
    low, high = wilson(0.3, 50)

    assert wilson(0.7, 50) == pytest.approx((1 - high, 1 - low))


def test_wilson_reaches_the_ends_exactly():
    assert wilson(0.0, 7)[0] == 0.0
    assert wilson(1.0, 7)[1] == 1.0


def test_wilson_knows_nothing_without_games():
    assert wilson(0.0, 0) == (0.0, 1.0)


@pytest.mark.parametrize(
    ("freedom", "expected", "error"),
    [(4, 2.7764, 0.002), (5, 2.5706, 0.001), (10, 2.2281, 1e-4), (30, 2.0423, 1e-4)],
)
def test_t_quantile_agrees_with_the_tables(freedom, expected, error):
    assert t_quantile(0.975, freedom) == pytest.approx(expected, abs=error)


def test_t_quantile_is_symmetric():
    assert t_quantile(0.025, 12) == pytest.approx(-t_quantile(0.975, 12))


def test_paired_is_the_t_interval_of_the_deals():
    """Paired is the t interval of the deals and four more."""
    # By hand: 1 1/2 1 0 and the added 0 0 1 1 have mean 9/16, standard deviation 0.49552;
    # t(7) = 2.3646, so the half width is 2.3646 * 0.49552 / sqrt(8) = 0.41427.
    low, high = paired(np.array([1.0, 0.5, 1.0, 0.0]))

    assert low == pytest.approx(0.5625 - 0.41427, abs=1e-4)
    assert high == pytest.approx(0.5625 + 0.41427, abs=1e-4)


@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("deals", [1, 2, 10, 1000, 20_000])
def test_equal_deals_do_not_pretend_to_be_certain(share, deals):
    low, high = paired(np.full(deals, share))

    assert low <= share <= high
    assert high - low > 0.5 / deals


@pytest.mark.parametrize("luck", [0.0, 0.4])
def test_paired_covers_the_truth_where_deals_correlate(luck):
    """With luck of the deal both games of a pair tend to split, and Wilson is too wide."""
    random = np.random.default_rng(1)
    strength, deals, hits, wilsons = 0.6, 60, 0, 0
    for _ in range(2000):
        shift = random.uniform(-luck, luck, deals)  # good for one seat, bad for the other
        first = random.random(deals) < strength + shift
        second = random.random(deals) < strength - shift
        means = (first.astype(float) + second) / 2
        low, high = paired(means)
        hits += low <= strength <= high
        low, high = wilson(means.mean(), 2 * deals)
        wilsons += low <= strength <= high

    assert 0.935 <= hits / 2000 <= 0.975
    assert wilsons / 2000 >= 0.935
