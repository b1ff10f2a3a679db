"""Broken positions of Oduludo: each is refused by a `PositionError` that says what is wrong."""

from collections.abc import Callable
from typing import Any

import pytest

from spelkast.envs import spec
from spelkast.envs.engine.errors import PositionError

ODULUDO = spec("oduludo")
HOME = dict.fromkeys(("K", "Q", "S1", "S2", "S3"), "earth")

BROKEN: list[tuple[dict[str, Any], str]] = [
    ({"game": "ludo"}, "expected game 'oduludo', got 'ludo'"),
    ({"config": {"players": 5}}, r"option 'players' of oduludo: .*, got 5, in config"),
    ({"config": {"mode": "team"}}, "expected pieces as a list of 4"),
    ({"phase": "sleep"}, "expected phase as one of move, capture"),
    ({"to_move": 2}, "expected to_move as a whole number 0..1, got 2"),
    ({"die": None}, "expected die as a whole number 1..6, got None"),
    ({"decisions": 3000}, "expected fewer than 3000 decisions before the end, got 3000"),
    ({"sixes": 1}, "expected sixes 0 or below the limit 0, got 1"),
    ({"star": True}, "expected no star in phase 'move'"),
    ({"mover": "S1"}, "expected no mover in phase 'move'"),
    ({"mover": "S4"}, "expected mover as null or one of K, Q"),
    ({"at": "r19"}, "expected `at` in phase 'sun' only, got 19"),
    ({"at": 19}, "expected at as null or one of r0, r1, r2, ..., r51, got 19"),
    ({"fresh": ["S1"]}, "expected the fresh S1 on the Moon of an enemy who plays"),
    ({"fresh": ["S1", "K"]}, "expected fresh as a list in the order K, Q"),
    ({"status": ["playing", "finished:1"]}, "expected more than one side playing"),
    ({"status": ["playing", "lost"]}, r"expected status\[1\] as one of playing, finished:1"),
    ({"ufos": [True, 1]}, r"expected ufos\[1\] as true or false, got 1"),
    ({"wins": [1, 0]}, "expected 0 to 0 rounds won before this one"),
    ({"phase": "capture", "mover": "S1"}, "expected enemies on the mover's square"),
    ({"phase": "capture"}, "expected a mover that leads a stack on the board in phase 'capture'"),
    ({"phase": "oduludo", "mover": "S1"}, "expected the mover on a circle"),
    ({"phase": "sun", "mover": "S1", "at": "r12"}, "expected a stack that may go backward"),
    ({"phase": "over", "to_move": None, "die": None}, "expected 3000 decisions in a game cut off"),
]


@pytest.mark.parametrize(("changes", "message"), BROKEN, ids=[str(case[0]) for case in BROKEN])
def test_broken_position_is_refused(position, changes: dict[str, Any], message: str):
    good = position({"S1": "r8"}, {"K": "r40"})

    ODULUDO.from_position(good)

    with pytest.raises(PositionError, match=message):
        ODULUDO.from_position({**good, **changes})


PIECES: list[tuple[dict[str, str], dict[str, str], str]] = [
    ({"S1": "r52"}, {}, r"expected pieces\[0\].S1 as ship, r0..r51 on its route, .*got 'r52'"),
    ({"S1": "p6"}, {}, "p1..p5, .*got 'p6'"),
    ({"S1": "held:2:K"}, {}, "got 'held:2:K'"),
    ({"S1": "r8"}, {"K": "r8"}, "expected pieces of one side on square 8, got enemies"),
    ({"S1": "r8", "Q": "held:0:S1"}, {}, "expected an enemy to hold Q, got 0"),
    ({"S1": "r8"}, {"K": "held:0:S2"}, "a stack of seat 0 on the board led by S2 as captor"),
    ({"S1": "r8", "K": "r8"}, {"K": "held:0:S1"}, "on the board led by S1 as captor"),
    ({"S1": "r8", "K": "earth"}, {}, "King of seat 0 on Earth only once it has finished"),
    ({"S1": "r8"}, HOME, "expected free pieces of seat 1 just while it is playing, got none"),
    ({}, {"K": "r40"}, "expected a legal move of seat 0 with this roll, got none"),
]


@pytest.mark.parametrize(("green", "blue", "message"), PIECES, ids=[case[2] for case in PIECES])
def test_impossible_pieces_are_refused(
    position, green: dict[str, str], blue: dict[str, str], message: str
):
    with pytest.raises(PositionError, match=message):
        ODULUDO.from_position(position(green, blue))


def test_removed_pieces_are_off(position: Callable[..., dict[str, Any]]):
    """[R1.4, R9.4] Who has won a round of the match plays without S3."""
    config = {"mode": "last_piece"}
    kwargs = {"wins": [1, 0], "config": config}

    ODULUDO.from_position(position({"S1": "r8", "S3": "off"}, {}, **kwargs))

    with pytest.raises(PositionError, match="the pieces S3 of seat 0 off"):
        ODULUDO.from_position(position({"S1": "r8"}, {}, **kwargs))
