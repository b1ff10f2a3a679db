"""A network that has diverged is reported as that, not as a seat without a move."""

import numpy as np
import pytest

from spelkast.agents.sampling import best_legal, complaint, sample_legal
from spelkast.envs.engine.errors import DivergedError, NoLegalActionError
from spelkast.envs.engine.streams import new_streams

ROWS, ACTIONS = 3, 5


def choose(logits, masks):
    """The row without a choice by both kernels, which must agree."""
    actions, log_probs = np.zeros(ROWS, np.int32), np.zeros(ROWS, np.float32)
    drawn = sample_legal(logits, masks, new_streams(0, ROWS, "agents"), actions, log_probs)

    assert best_legal(logits, masks, actions) == drawn
    return drawn


@pytest.mark.parametrize("wrong", [np.nan, np.inf, -np.inf])
def test_infinite_output_was_called_an_empty_mask(wrong):
    """Output that is not finite was reported as an empty mask.

    And the greedy choice took the first legal action without a word.
    """
    logits, masks = np.zeros((ROWS, ACTIONS), np.float32), np.ones((ROWS, ACTIONS), np.int8)
    logits[1, 3] = wrong

    row = choose(logits, masks)

    assert row == 1
    with pytest.raises(DivergedError, match="NaN or infinity in row 1: its training has diverged"):
        raise complaint(row, masks, "x")


def test_output_of_an_illegal_action_may_be_anything():
    logits, masks = np.zeros((ROWS, ACTIONS), np.float32), np.ones((ROWS, ACTIONS), np.int8)
    logits[1, 3], masks[1, 3] = np.nan, 0

    assert choose(logits, masks) == -1


def test_empty_mask_is_told_as_such():
    logits, masks = np.zeros((ROWS, ACTIONS), np.float32), np.ones((ROWS, ACTIONS), np.int8)
    masks[2] = 0

    row = choose(logits, masks)

    assert row == 2
    with pytest.raises(NoLegalActionError, match="all-zero mask in row 2 for x"):
        raise complaint(row, masks, "x")
