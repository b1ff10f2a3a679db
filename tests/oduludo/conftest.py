"""Positions of Oduludo by what differs from an empty board."""

from collections.abc import Callable
from typing import Any

import pytest

from spelkast.envs import make
from spelkast.envs.engine.aec import GameEnv

PIECES = ("K", "Q", "S1", "S2", "S3")


def position_of(*seats: dict[str, str], **fields: Any) -> dict[str, Any]:
    """A position in phase move: pieces by seat (the others in the ship), and what differs."""
    num_seats = len(seats)
    return {
        "game": "oduludo",
        "config": {},
        "phase": "move",
        "to_move": 0,
        "decisions": 20,
        "die": 3,
        "sixes": 0,
        "star": False,
        "mover": None,
        "at": None,
        "fresh": [],
        "pieces": [{piece: seat.get(piece, "ship") for piece in PIECES} for seat in seats],
        "status": ["playing"] * num_seats,
        "ufos": [True] * num_seats,
        "wins": [0] * num_seats,
        "points": [0] * num_seats,
        **fields,
    }


@pytest.fixture
def play() -> Callable[..., GameEnv]:
    """Set a position up and play moves, `!` outcomes first: `play(position, "!3", "mK")`."""

    def run(position: dict[str, Any], *texts: str) -> GameEnv:
        env = make("oduludo", **position["config"])
        chance = [text for text in texts if text.startswith("!")]
        env.reset(seed=0, options={"position": position, "chance": chance})
        for text in texts:
            if not text.startswith("!"):
                assert text in env.legal_moves()
                env.step(env.move_to_action(text))
        return env

    return run


@pytest.fixture
def position() -> Callable[..., dict[str, Any]]:
    """Make a position by what differs from an empty board."""
    return position_of
