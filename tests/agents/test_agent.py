"""What holds for every agent: legal, deterministic, blind to the other rows and to hidden cards."""

import numpy as np
import pytest
from positions import batch_of

from spelkast.agents.agent import (
    FromRecords,
    KernelAgent,
    Views,
    check_masks,
    choose,
    views_of,
)
from spelkast.agents.registry import baselines, make_agent
from spelkast.envs import spec
from spelkast.envs.engine.batch import Batch
from spelkast.envs.engine.errors import NoLegalActionError
from spelkast.envs.engine.streams import new_streams
from spelkast.eval.match import play_match

NAMES = ["random", *baselines("tacocat")]


@pytest.fixture(params=NAMES)
def agent(request):
    return make_agent(request.param, "tacocat")


@pytest.fixture(scope="module")
def batch(played):
    """512 of the positions."""
    return batch_of(played[::8])


@pytest.mark.compiled
def test_only_legal_actions_in_thousands_of_positions(agent, played):
    batch = batch_of(played)

    actions = agent.act(views_of(batch), new_streams(2, batch.size, "agents"))

    assert actions.dtype == np.int32
    batch.check(actions)


def test_a_row_does_not_depend_on_the_other_rows(agent, batch):
    """One by one, in small batches or all at once: same choices, same streams left behind."""
    rows = np.arange(0, batch.size, 5, dtype=np.int32)
    whole = new_streams(3, batch.size, "agents")
    expected = agent.act(views_of(batch), whole)[rows]

    for width in (1, 40):
        streams = new_streams(3, batch.size, "agents")
        found = []
        for start in range(0, len(rows), width):
            some = rows[start : start + width]
            own = streams[some]
            found.append(agent.act(views_of(batch, some), own))
            streams[some] = own

        assert np.array_equal(np.concatenate(found), expected)
        assert np.array_equal(streams[rows], whole[rows])


def test_the_stream_alone_decides_what_is_random(agent, batch):
    choices = [
        agent.act(views_of(batch), new_streams(seed, batch.size, "agents")) for seed in (4, 4, 5)
    ]

    assert np.array_equal(choices[0], choices[1])
    is_random = agent.name in ("random", "strong", "tuned")
    assert np.array_equal(choices[0], choices[2]) != is_random


def test_hidden_cards_make_no_difference(agent, batch):
    """After the opponent's hand has been dealt again every choice is the same."""
    redraws = new_streams(6, batch.size, "determinize")
    redrawn = batch_of(views_of(batch, streams=redraws).states)
    seats = np.arange(batch.size), 1 - batch.seats
    assert (redrawn.states["cards"][seats] != batch.states["cards"][seats]).any(axis=1).mean() > 0.9

    choices = [
        agent.act(views_of(some), new_streams(7, batch.size, "agents")) for some in (batch, redrawn)
    ]

    assert np.array_equal(*choices)


def test_an_empty_mask_is_an_error_that_names_the_row(agent, batch):
    views = views_of(batch, np.arange(5, dtype=np.int32))
    views.masks[3] = 0

    with pytest.raises(NoLegalActionError, match=r"row 3 of 5.*" + agent.name):
        agent.act(views, new_streams(0, 5, "agents"))


def test_as_many_streams_as_rows_are_asked_for(agent, batch):
    with pytest.raises(ValueError, match="one stream for each of 512 rows, got 511"):
        agent.act(views_of(batch), new_streams(0, batch.size - 1, "agents"))


def test_no_rows_are_no_trouble(agent, batch):
    views = views_of(batch, np.zeros(0, np.int32))

    assert agent.act(views, new_streams(0, 0, "agents")).shape == (0,)


def test_memory_layout_does_not_matter(agent, batch):
    views = views_of(batch)
    turned = Views(
        np.asfortranarray(views.observations), np.asfortranarray(views.masks), views.seats
    )

    choices = [agent.act(some, new_streams(8, batch.size, "agents")) for some in (views, turned)]

    assert np.array_equal(*choices)


def test_random_is_uniform_over_the_legal_actions():
    masks = np.zeros((20_000, 150), np.int8)
    masks[:, [0, 12, 13, 77, 149]] = 1
    views = Views(np.zeros((20_000, 180), np.float32), masks, np.zeros(20_000, np.int32))

    actions = make_agent("random", "tacocat").act(views, new_streams(9, 20_000, "agents"))

    numbers, counts = np.unique(actions, return_counts=True)
    assert numbers.tolist() == [0, 12, 13, 77, 149]
    assert np.abs(counts - 4000).max() < 5 * np.sqrt(20_000 * 0.2 * 0.8)


def test_the_check_of_masks_finds_the_first_empty_row():
    masks = np.zeros((4, 3), np.int8)
    masks[[0, 2], [2, 0]] = 1

    with pytest.raises(NoLegalActionError, match="row 1 of 4: 'me' has no move"):
        check_masks(masks, "me")
    check_masks(masks[::2], "me")


def test_views_are_copies_of_the_asked_rows(batch):
    rows = np.array([9, 2, 4], np.int32)

    views = views_of(batch, rows)

    assert len(views) == 3
    assert views.states is None
    assert np.array_equal(views.observations, batch.observations[rows])
    assert np.array_equal(views.seats, batch.seats[rows])
    assert not np.shares_memory(views.masks, batch.masks)


def test_records_are_redrawn_before_an_agent_sees_them(batch):
    """Own cards stay; each row's stream alone is advanced, and the batch is left as it is."""
    rows = np.arange(100, 200, dtype=np.int32)
    before, redraws = batch.states.copy(), new_streams(1, batch.size, "determinize")
    kept = redraws.copy()

    views = views_of(batch, rows, redraws)

    assert views.states is not None
    own = np.arange(100), batch.seats[rows]
    assert np.array_equal(views.states["cards"][own], before["cards"][rows][own])
    assert (views.states["cards"] != before["cards"][rows]).any()
    assert np.array_equal(batch.states, before)
    assert np.flatnonzero(redraws != kept).tolist() == rows.tolist()


def test_an_agent_tells_its_name():
    assert repr(make_agent("solid", "tacocat")) == "KernelAgent('solid')"
    assert isinstance(make_agent("random", "tacocat"), KernelAgent)


# Agents that look at records -------------------------------------------------------------------


def spying(seen):
    """A choice that keeps the records it gets, spoils them, and plays the first legal action."""

    def choice(states, masks, seats, streams, out):
        seen.append((states.copy(), seats.copy()))
        states["round"] = 99
        out[:] = masks.argmax(axis=1)

    return choice


def test_records_of_an_agent_are_redrawn_copies(batch):
    """Records that an agent gets are redrawn, and its own.

    Hidden cards are others than those on the table, and trying moves out changes nothing.
    """
    seen: list[tuple[np.ndarray, np.ndarray]] = []
    agent = KernelAgent("spy", FromRecords(spying(seen)))
    before = batch.states.copy()
    views = views_of(batch, streams=new_streams(1, batch.size, "determinize"))

    actions = agent.act(views, new_streams(2, batch.size, "agents"))

    batch.check(actions)
    states, seats = seen[0]
    rows = np.arange(batch.size)
    assert np.array_equal(seats, batch.seats)
    assert np.array_equal(states["cards"][rows, seats], before["cards"][rows, seats])
    assert (states["cards"] != before["cards"]).any()
    assert np.array_equal(batch.states, before)
    assert views.states is not None
    assert not (views.states["round"] == 99).any()


def test_agent_without_its_records_says_so(batch):
    """An agent that needs records says so when it gets none."""
    agent = KernelAgent("spy", FromRecords(spying([])))

    assert agent.needs_states
    with pytest.raises(ValueError, match="expected views with records for 'spy', got none"):
        agent.act(views_of(batch), new_streams(2, batch.size, "agents"))


def test_baseline_that_is_marked_gets_records(monkeypatch):
    marked = {"spy": FromRecords(spying([]))}
    monkeypatch.setattr("spelkast.agents.heuristics.tacocat.BASELINES", marked)

    assert make_agent("spy", "tacocat").needs_states


@pytest.mark.parametrize("beyond", [2**32, -(2**32), 2**63])
def test_a_number_beyond_32_bits_was_taken_for_a_legal_action(beyond):
    """`2**32 + a` is no action, whatever *a* is."""

    class Wide:
        name, needs_states = "wide", False

        def act(self, views, streams):
            legal = views.masks.argmax(axis=1).astype(np.uint64 if beyond > 0 else np.int64)
            return legal + legal.dtype.type(beyond)

    game = spec("tacocat")
    batch = Batch(game, 3, seed=0)
    batch.reset()
    streams = new_streams(0, 3, "agents")
    chosen = choose(Wide(), batch, batch.all_rows, choices=streams, redraws=streams)
    assert chosen.tolist() == [-1] * 3
    match = play_match(game, None, Wide(), make_agent("random", "tacocat"), games=4, seed=0)
    assert match.illegal == 4
