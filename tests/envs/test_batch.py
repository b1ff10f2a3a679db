"""The batch: rows on their own, games that follow one another, mistakes that are named."""

from typing import Any

import numpy as np
import pytest

from games.pig.board import HOLD, ROLL
from games.pig.game import SPEC as PIG
from spelkast.envs import games, spec
from spelkast.envs.engine.batch import Batch
from spelkast.envs.engine.dtypes import OVER
from spelkast.envs.engine.errors import IllegalActionError, NotResetError, OptionsError

TACOCAT = spec("tacocat")


def batch_of(game, size, **kwargs):
    batch = Batch(game, size, **kwargs)
    batch.reset()
    return batch


def random_actions(batch, choose):
    return np.array([choose.choice(np.flatnonzero(mask)) for mask in batch.masks], np.int32)


@pytest.mark.parametrize("size", [1, 3, 64])
def test_row_plays_the_same_in_a_batch_of_any_size(size):
    """A row plays the same games in a batch of any size.

    The first row of N, for 300 decisions over several games.
    """
    alone, many = batch_of(PIG, 1, seed=9), batch_of(PIG, size, seed=9)
    mine, choose = np.random.default_rng(1), np.random.default_rng(2)
    games = 0
    for _ in range(300):
        action = random_actions(alone, mine)
        others = random_actions(many, choose)
        others[0] = action[0]
        alone.step(action)
        many.step(others)
        games += bool(alone.ended[0])

        for name in ("states", "finals", "rewards", "ended", "observations", "masks", "seats"):
            assert getattr(alone, name)[0].tobytes() == getattr(many, name)[0].tobytes(), name
    assert games >= 3


def test_a_game_that_ends_starts_anew_in_the_same_step():
    batch = batch_of(PIG, 2, options={"goal": 5}, seed=0)
    batch.states["turn"][0], batch.states["mover"][0] = 5, 1
    batch.refresh()

    batch.step(np.array([HOLD, ROLL], np.int32))

    assert batch.rewards.tolist() == [[-1, 1], [0, 0]]
    assert batch.ended.tolist() == [1, 0]
    assert batch.finals["points"][0].tolist() == [0, 5]
    assert batch.finals["mover"][0] == OVER
    assert batch.states["points"][0].tolist() == [0, 0]
    assert batch.masks[0].tolist() == [1, 0]
    assert batch.seats[0] == 0

    batch.step(np.array([ROLL, ROLL], np.int32))

    assert batch.ended[0] == 0
    assert not batch.rewards[0].any()


def test_a_game_that_is_cut_off_is_truncated():
    batch = batch_of(PIG, 1, options={"max_decisions": 1}, seed=0)

    batch.step(np.array([ROLL], np.int32))

    assert batch.ended.tolist() == [2]
    assert batch.rewards.tolist() == [[0, 0]]


def test_only_the_rows_named_are_moved():
    batch = batch_of(TACOCAT, 4, seed=0)
    before = {
        name: getattr(batch, name).copy()
        for name in ("states", "streams", "observations", "masks", "seats")
    }
    actions = np.array([np.flatnonzero(batch.masks[row])[0] for row in (3, 1)], np.int32)

    batch.step(actions, np.array([3, 1], np.int32))

    for name, array in before.items():
        assert getattr(batch, name)[[0, 2]].tobytes() == array[[0, 2]].tobytes(), name
    assert batch.states["decisions"].tolist() == [0, 1, 0, 1]


def test_reset_of_some_rows_leaves_the_others():
    batch = batch_of(PIG, 3, seed=0)
    batch.step(np.array([ROLL] * 3, np.int32))
    batch.reset(np.array([1], np.int32))

    assert batch.states["decisions"].tolist() == [1, 0, 1]


def test_rows_differ_and_seeds_repeat():
    one, again, other = (batch_of(TACOCAT, 8, seed=seed) for seed in (5, 5, 6))

    assert one.states.tobytes() == again.states.tobytes()
    assert one.states.tobytes() != other.states.tobytes()
    assert len({row.tobytes() for row in one.states}) == 8


def test_without_a_seed_batches_differ():
    assert batch_of(TACOCAT, 2).states.tobytes() != batch_of(TACOCAT, 2).states.tobytes()


def test_learner_sees_the_seat_that_is_to_move():
    """`seats` is the seat whose observation and mask stand in the row."""
    batch, choose = batch_of(TACOCAT, 16, seed=2), np.random.default_rng(0)
    for _ in range(50):
        batch.step(random_actions(batch, choose))
        for row in range(16):
            seen = np.zeros(180, np.float32)
            TACOCAT.verbs.observe(batch.states, row, batch.seats[row], seen)
            assert (seen == batch.observations[row]).all()
            assert batch.observations[row, 4] == 1  # I am to move


WILD = (-1, -(2**31), 10**6, 2**31 - 1, 2**32, 2**63 - 1, -(2**63))


@pytest.mark.parametrize("name", games())
def test_illegal_action_ended_in_a_segmentation_fault(name):
    """Wild numbers and those of moves that are not legal are refused, and no row has moved."""
    batch, choose = batch_of(spec(name), 8, seed=3), np.random.default_rng(4)
    refused = 0
    for _ in range(100):
        legal = random_actions(batch, choose)
        for number in (*WILD, *choose.integers(batch.shape.actions, size=3).tolist()):
            actions = legal.astype(np.int64)
            actions[7] = number
            before = batch.states.tobytes(), batch.streams.tobytes()
            if 0 <= number < batch.shape.actions and batch.masks[7, number]:
                continue
            with pytest.raises(IllegalActionError, match=f"got action {number} in row 7"):
                batch.step(actions)
            assert before == (batch.states.tobytes(), batch.streams.tobytes())
            refused += 1
        batch.step(legal)
    assert refused > 700


def test_step_refuses_numbers_beyond_every_width():
    batch = batch_of(PIG, 2, seed=0)
    for actions in (np.array([ROLL, 2**64 - 1], np.uint64), np.array([ROLL, 2**63], np.uint64)):
        with pytest.raises(IllegalActionError, match=f"got action {actions[1]} in row 1"):
            batch.step(actions)


def test_a_row_twice_was_moved_by_an_action_that_nobody_checked():
    batch = batch_of(PIG, 3, seed=0)
    before = batch.states.tobytes()
    with pytest.raises(ValueError, match="expected each row at most once, got row 2 twice"):
        batch.step(np.array([ROLL] * 3), np.array([2, 0, 2]))
    assert batch.states.tobytes() == before
    batch.step(np.array([ROLL] * 3), np.array([2, 0, 1]))


def test_a_step_before_reset_names_the_row():
    batch = Batch(PIG, 2, seed=0)
    batch.reset(np.array([0]))
    with pytest.raises(NotResetError, match=r"reset\(\) before a step in row 1"):
        batch.step(np.array([ROLL, ROLL]))


@pytest.mark.parametrize("name", games())
@pytest.mark.parametrize("word", [0, 4294883355 * 2**32 - 1, 2**64 - 1])
def test_a_stream_of_zeros_hung_for_ever(name, word):
    """Zeros, the other word that follows itself, and one that no stream begins with."""
    batch, choose = batch_of(spec(name), 4, seed=3), np.random.default_rng(4)
    for _ in range(50):
        batch.streams[:] = word
        batch.step(random_actions(batch, choose))
        batch.spec.loops.redraw_rows(batch.states.copy(), batch.seats, batch.streams)


def test_check_names_row_and_moves():
    batch = batch_of(PIG, 3, seed=0)

    batch.check(np.array([ROLL] * 3))
    with pytest.raises(IllegalActionError, match=r"legal moves roll, got action 1 in row 2"):
        batch.check(np.array([ROLL, ROLL, HOLD]))
    for action in (-1, 2, 200):
        with pytest.raises(IllegalActionError, match=f"got action {action} in row 1"):
            batch.check(np.array([action]), np.array([1], np.int32))


def test_wrong_sizes_are_named():
    with pytest.raises(ValueError, match="at least 1 row, got 0"):
        Batch(PIG, 0)
    with pytest.raises(ValueError, match="expected 2 actions"):
        batch_of(PIG, 2).step(np.array([0]))
    with pytest.raises(OptionsError, match="goal"):
        Batch(PIG, 2, options={"gaol": 1})


@pytest.mark.parametrize(
    "rows",
    [[4], [-1], [0, 77], [True, False, False, False], [0.0], 2, [[0]]],
    ids=str,
)
def test_rows_outside_the_batch_were_written(rows):
    """Rows outside the batch were written past the end of its arrays.

    Nor is a mask of rows a list of rows 1, 0, 0, 0.
    """
    batch = batch_of(PIG, 4, seed=0)
    before = batch.states.tobytes()
    actions = np.full(np.shape(rows), ROLL)

    for act in (batch.reset, batch.refresh, lambda rows: batch.step(actions, rows)):
        with pytest.raises(ValueError, match=r"expected a list of rows 0\.\.3, got"):
            act(np.array(rows))
    assert batch.states.tobytes() == before


def test_actions_that_are_no_integers_were_rounded():
    batch = batch_of(PIG, 2, seed=0)

    for act in (batch.step, batch.check):
        with pytest.raises(ValueError, match="expected actions as whole numbers, got float64"):
            act(np.array([0.7, 0.0]))
        with pytest.raises(ValueError, match="expected actions as whole numbers, got bool"):
            act(np.array([True, False]))


def test_no_rows_are_no_rows():
    batch = batch_of(PIG, 2, seed=0)
    before = batch.states.tobytes()

    batch.step(np.array([]), np.array([]))

    assert batch.states.tobytes() == before


def test_actions_of_any_integer_type_are_taken():
    """Action ids above 127 do not fit into the type of a mask."""
    position: dict[str, Any] = {
        "game": "tacocat", "config": {}, "phase": "defend", "to_move": 1, "decisions": 20,
        "round": 1, "tacocat": 4, "covered": [],
        "hands": [[4, 5, 6, 8], [2, 5, 9, 9, 10]],
        "draw_pile": [1, 1, 2, 2, 3, 3, 3, 3, 4, 4, 4, 5, 5, 6, 6, 6, 7, 7, 7, 8, 10, 11, 12, 3],
        "aside": [[], []],
        "discard": {"replaced": [[], []], "played": [[6, 8, 7], [4, 5]], "sacrificed": [[], []]},
        "attack": [8], "trick_lost": False,
    }  # fmt: skip
    position["draw_pile"].sort()
    position["discard"]["played"][0].sort()
    states = TACOCAT.from_position(position)
    for dtype in (np.int16, np.int32, np.int64):
        batch = batch_of(TACOCAT, 1, seed=0)
        batch.states[:] = states
        batch.refresh()
        action = TACOCAT.move_to_action(states, 0, "s")
        assert action == 149
        assert batch.masks[0, action] == 1

        batch.step(np.array([action], dtype))

        assert TACOCAT.position(batch.states, 0)["discard"]["sacrificed"] == [[], [2]]
