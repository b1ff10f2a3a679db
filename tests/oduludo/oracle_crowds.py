"""Positions of Oduludo in which everybody stands close together and some are captive."""

from random import Random

from .oracle_games import Oracle
from .oracle_words import BOARD, PIECES, RING, Piece, Position


def crowded(rng: Random, start: Position) -> Position:
    """A valid position of phase `move` under the options of *start*."""
    while True:
        oracle = Oracle(start)
        fill(rng, oracle)
        if oracle.legal_moves():
            return oracle.p


def fill(rng: Random, oracle: Oracle) -> None:
    p = oracle.p
    squares = rng.sample(range(RING), rng.randint(3, 8))
    sides: dict[int, int] = {}
    everyone = [piece for seat in oracle.seats for piece in oracle.own(seat)]
    gone = leave(rng, oracle)
    captives = [x for x in everyone if rng.random() < 0.2 and x[0] not in gone]
    for piece in everyone:
        if piece[0] not in gone:
            oracle.put(piece, somewhere(rng, oracle, piece, squares, sides))
    for piece in captives:
        if len(oracle.free(piece[0])) > 1:
            oracle.put(piece, "captive")
    captives = [piece for piece in everyone if oracle.place(piece) == "captive"]
    for piece in captives:
        oracle.put(piece, holder(rng, oracle, piece))
    p["to_move"] = rng.choice([seat for seat in oracle.seats if oracle.playing(seat)])
    p["die"], p["decisions"] = rng.randint(1, 6), rng.randint(0, 40)
    p["ufos"] = [rng.random() < 0.7 for _ in oracle.seats]
    p["fresh"] = [
        name
        for stack in oracle.stacks(p["to_move"])
        if oracle.bars(p["to_move"], oracle.place(stack[0])) and rng.random() < 0.5
        for _, name in stack
    ]
    p["fresh"].sort(key=PIECES.index)


def leave(rng: Random, oracle: Oracle) -> list[int]:
    """Sometimes the first of many seats has brought all home already, or is out."""
    if oracle.players < 3 or oracle.team or rng.random() < 0.5:
        return []
    if rng.random() < 0.5:
        oracle.p["status"][0] = "finished:1"
        oracle.p["pieces"][0] = dict.fromkeys(PIECES, "earth")
    else:
        oracle.p["status"][0] = "out:1"
        oracle.p["pieces"][0] = dict.fromkeys(PIECES, "off")
    oracle.p["pieces"][0][rng.choice(PIECES[1:])] = "captive"
    return [0]


def somewhere(
    rng: Random, oracle: Oracle, piece: Piece, squares: list[int], sides: dict[int, int]
) -> str:
    side = oracle.side(piece[0])
    square = rng.choice(squares)
    if rng.random() < 0.7 and sides.setdefault(square, side) == side:
        return f"r{square}"
    path = f"p{rng.randint(1, BOARD['path_length'])}"
    return rng.choice(["ship", path] if piece[1] == "K" else ["ship", path, "earth"])


def holder(rng: Random, oracle: Oracle, piece: Piece) -> str:
    """The stack that carries a captive, or where the captive is if there is none."""
    seat = piece[0]
    enemies = [b for b in oracle.seats if oracle.side(b) != oracle.side(seat)]
    stacks = [stack for b in enemies for stack in oracle.stacks(b)]
    if stacks:
        other, lead = rng.choice(stacks)[0]
        return f"held:{other}:{lead}"
    return "ship" if oracle.playing(seat) else "off"
