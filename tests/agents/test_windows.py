"""Windows hold what the observation says about the fields around each piece, and nothing else."""

import json

import numpy as np
import pytest
import torch

from spelkast.agents.agent import views_of
from spelkast.agents.checkpoint import load_network
from spelkast.agents.network import NetworkConfig, PolicyNetwork
from spelkast.agents.registry import make_agent
from spelkast.agents.windows import WindowInputs
from spelkast.envs import spec
from spelkast.envs.engine.batch import Batch
from spelkast.envs.engine.errors import CheckpointError, ContractError
from spelkast.envs.engine.segments import Windows
from spelkast.envs.engine.streams import new_streams

TOKKEN = spec("tokken")
SMALL = Windows(ring=1, lanes=2, fields=4, pieces=9, count=1, places=6, first=1, offsets=(-1, 2))
"""Column 0 is something else; 1-8 the ring; 9-14 the piece: yard, four fields, home."""


def windows_of(options):
    """Those of Tokken, which has a ring."""
    assert TOKKEN.windows is not None
    return TOKKEN.windows(options)


def seen(observation, windows=SMALL):
    """The window numbers of one observation."""
    row = torch.tensor(observation, dtype=torch.float32)[None]
    look = WindowInputs(windows)
    around = look(row)
    # What torch computes, as on a GPU, is the same.
    assert torch.equal(look(row.requires_grad_()), around)
    return around[0].tolist()


def test_a_window_is_the_ring_around_the_piece():
    """Lane by lane, offset by offset, past the seam of the ring; counted by hand."""
    ring = [11.0, 12.0, 13.0, 14.0, 21.0, 22.0, 23.0, 24.0]

    assert seen([5.0, *ring, 0, 1, 0, 0, 0, 0]) == [14, 13, 24, 23]
    assert seen([5.0, *ring, 0, 0, 0, 0, 1, 0]) == [13, 12, 23, 22]


@pytest.mark.parametrize("place", [0, 5])
def test_a_piece_that_is_not_on_the_ring_sees_nothing(place):
    """In its yard or at home."""
    piece = [float(k == place) for k in range(6)]

    assert seen([5.0, *range(1, 9), *piece]) == [0, 0, 0, 0]


def test_a_turned_piece_looks_from_the_other_side():
    """With the flag set, field 0 of the piece is half a ring further."""
    turned = Windows(**{**SMALL.__dict__, "turned": 0})
    ring = [11.0, 12.0, 13.0, 14.0, 21.0, 22.0, 23.0, 24.0]

    assert seen([1.0, *ring, 0, 1, 0, 0, 0, 0], turned) == [12, 11, 22, 21]
    assert seen([0.0, *ring, 0, 1, 0, 0, 0, 0], turned) == [14, 13, 24, 23]


LETTERS = "abcdef"


def fields_of(position, color, length):
    """The fields of the pawns of a colour, None off the ring, the most advanced first."""
    start = color * length // len(position["pieces"])
    found: list[tuple[int, int | None]] = []
    for name in position["pieces"][color]:
        if name == "Y":
            found.append((-1, None))
        elif name.startswith("H"):
            found.append((1000 + int(name[1:]), None))
        else:
            field = 16 * LETTERS.index(name[0]) + int(name[1:])
            found.append(((field - start) % length, field))
    return [field for _, field in sorted(found, key=lambda pair: -pair[0])]


def expected_windows(position, seat, color, windows):
    """Who stands around each pawn of *color*, `[4, seats from *seat*, offsets]`."""
    seats = len(position["pieces"])
    length, offsets = windows.fields, windows.offsets
    around = np.zeros((4, seats, len(offsets)), np.float32)
    for slot, field in enumerate(fields_of(position, color, length)):
        for lane in range(seats):
            others = fields_of(position, (seat + lane) % seats, length)
            for k, offset in enumerate(offsets):
                is_seen = field is not None and (field + offset) % length in others
                around[slot, lane, k] = is_seen
    return around


@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_tokkens_windows_are_around_each_pawn(players):
    """Tokken's windows are what stands around each pawn.

    Against the table itself, by absolute fields; partners who help see from the other side.
    """
    options = TOKKEN.parse_options({"players": players, "max_decisions": 0})
    windows = windows_of(options)
    batch = Batch(TOKKEN, 32, options=options, seed=1)
    batch.reset()
    streams, redraws = new_streams(1, 32, "agents"), new_streams(1, 32, "determinize")
    agent, look = make_agent("racer", "tokken", options=options.changed()), WindowInputs(windows)
    helping = TOKKEN.columns_of(options)["I help my partner"].start
    pairs, helped = 0, 0
    for step in range(200 * players):
        if step % 25 == 0:
            wide = look(torch.from_numpy(batch.observations)).numpy()
            same = look(torch.from_numpy(batch.observations).requires_grad_())
            assert np.array_equal(same.detach().numpy(), wide)
            for row, seat in enumerate(batch.seats.tolist()):
                is_helping = batch.observations[row, helping] == 1
                color = (seat + is_helping * players // 2) % players
                position = TOKKEN.position(batch.states, row)
                expected = expected_windows(position, seat, color, windows)
                assert np.array_equal(wide[row].reshape(expected.shape), expected)
                pairs += int(expected.sum())
                helped += int(is_helping and expected.any())
        batch.step(agent.act(views_of(batch, None, redraws), streams))
    assert pairs > 500
    assert helped > 0 or players < 4


def test_windows_are_built_again_from_the_manifest():
    """A network with windows is built again from its manifest.

    Through JSON, with the same numbers; one without windows is written as it always was.
    """
    shape = TOKKEN.shape(TOKKEN.parse_options({}))
    windows = windows_of(TOKKEN.parse_options({}))
    config = NetworkConfig(
        observation=shape.observation, actions=shape.actions, hidden=(8,), windows=windows
    )
    network = PolicyNetwork(config)
    looked_at = np.random.default_rng(0).random((20, shape.observation), np.float32)
    network.fit_scale(looked_at)

    again = NetworkConfig.from_json(json.loads(json.dumps(config.to_json())))
    other = PolicyNetwork(again)
    other.load_state_dict(network.state_dict())

    assert again == config
    assert torch.equal(
        network(torch.from_numpy(looked_at))[0], other(torch.from_numpy(looked_at))[0]
    )
    assert "windows" not in NetworkConfig(observation=3, actions=2).to_json()


def test_inputs_with_windows_are_scaled_on_a_gpu():
    """Inputs with windows are scaled though the network is on a GPU.

    The device "meta" stands for one: what is on it does not mix with what is on the CPU.
    """
    network = PolicyNetwork(NetworkConfig(observation=15, actions=2, hidden=(8,), windows=SMALL))

    network.to("meta").fit_scale(np.eye(15, dtype=np.float32))

    assert network.is_scaled
    assert network.shift.shape == (19,)


@pytest.mark.parametrize("network", [None, [], "none", {"hidden": [8], "windows": 1}])
def test_a_manifest_without_a_network_is_named(tmp_path, network):
    """One line that says where, whatever stands in its place."""
    with pytest.raises(CheckpointError, match="expected the weights of the manifest"):
        load_network(tmp_path, {"network": network})


@pytest.mark.parametrize(
    "wrong", [{"ring": -1}, {"ring": 8}, {"pieces": 10}, {"first": 3}, {"turned": 15}]
)
def test_windows_beyond_the_observation_are_told(wrong):
    """Before a compiled loop reads what lies behind the array."""
    assert SMALL.fits(15)
    windows = Windows(**{**SMALL.__dict__, **wrong})

    with pytest.raises(ContractError, match="expected windows within the 15 numbers"):
        NetworkConfig(observation=15, actions=2, windows=windows)
