"""The baselines of Oduludo in plain Python [R12.2 - R12.5]."""

from collections.abc import Callable

from .oracle_games import Oracle
from .oracle_words import BOARD, Piece, Position

Index = Callable[[str], int]
"""from a move to the index of its action"""


def tried(oracle: Oracle, move: str, face: str = "") -> Oracle:
    """A decision carried out up to the next decision or die, a round that ends scored."""
    after = Oracle(oracle.p)
    after.p["decisions"] += 1
    after.decide(move, face)
    if after.capped() or after.sides_playing() <= 1:
        after.score_round()
        after.p["phase"] = "over"
    return after


# racer ----------------------------------------------------------------------------------------


def racer(position: Position) -> str:
    """[R12.2]"""
    oracle = Oracle(position)
    moves = oracle.legal_moves()
    fixed = {"capture": "send", "oduludo": "decline", "sun": "sun+"}
    if position["phase"] in fixed:
        return fixed[position["phase"]]
    return max(moves, key=lambda move: hurry(oracle, move))


def hurry(oracle: Oracle, move: str) -> float:
    seat, after = oracle.p["to_move"], tried(oracle, move)
    # To the letter: where another round is set up, the next die finds all pieces in their ships.
    is_set_up_anew = after.p["phase"] == "over" and after.goes_on()
    total: float = (0 if is_set_up_anew else after.worth(seat)) - oracle.worth(seat)
    capture = after.p["phase"] == "capture"
    if capture:
        victims = after.enemies(seat, after.place((seat, after.p["mover"])))
        total += 100 + 20 * len(victims) + 500 * any(name == "K" for _, name in victims)
    if move[0] == "d":
        total += 7 if move == "dK" else 12
    return total - 10 * (move == "mQ-" and not capture)


# tactician ------------------------------------------------------------------------------------


def tactician(position: Position, index: Index) -> str:
    """[R12.3]"""
    oracle = Oracle(position)
    best, most = "", float("-inf")
    for move in sorted(oracle.legal_moves(), key=index):
        worth = value(oracle, oracle, move)
        if worth > most + 1e-9:
            best, most = move, worth
    return best


def value(start: Oracle, oracle: Oracle, move: str) -> float:
    if move == "oduludo":
        faces = BOARD["oduludo_die"]
        return sum(complete(start, tried(oracle, move, face)) for face in faces) / len(faces)
    return complete(start, tried(oracle, move))


def complete(start: Oracle, after: Oracle) -> float:
    """The value of the best way to go on to the end of the move."""
    if after.p["phase"] in ("done", "over"):
        return standing(start, after)
    return max(value(start, after, move) for move in after.legal_moves())


def standing(start: Oracle, after: Oracle) -> float:
    """V [R12.5]."""
    seat = start.p["to_move"]
    mine = start.members(seat)
    theirs = [other for other in start.seats if other not in mine]
    if after.p["phase"] == "over":
        gains = [b - a for a, b in zip(start.p["points"], after.p["points"], strict=True)]
        gained = [sum(gains[s] for s in side) / len(side) for side in (mine, theirs)]
        return float(20 * (gained[0] - gained[1]))
    total = sum(done(after, a) for a in mine)
    for b in theirs:
        out = after.p["status"][b].startswith("out")
        total += 2000 / len(theirs) if out else -done(after, b)
    needs = [sum(need(after, s) for s in side if after.playing(s)) for side in (mine, theirs)]
    total += len(mine) / len(theirs) * needs[1] - needs[0]
    total += sum(danger(after, a, b) for a in mine for b in theirs if after.playing(b))
    extra = after.p["star"] and after.p["die"] != 6 and after.playing(seat) and after.free(seat)
    return total + (3.5 if extra else 0)


def done(oracle: Oracle, seat: int) -> float:
    what, _, order = oracle.p["status"][seat].partition(":")
    return {"playing": 0, "out": -2000, "finished": 2000 / int(order or 1)}[what]


def walk(oracle: Oracle, stack: list[Piece]) -> float:
    seat = stack[0][0]
    left = oracle.globe(seat) + 1 - oracle.progress(seat, oracle.place(stack[0]))
    return left + 3 * (len(stack) - 1)


def need(oracle: Oracle, seat: int) -> float:
    ship = len(oracle.stack_at(seat, "ship"))
    return sum(walk(oracle, stack) for stack in oracle.stacks(seat)) + 70 * ship


def danger(oracle: Oracle, a: int, b: int) -> float:
    total = 0.0
    for stack in oracle.stacks(a):
        king = 180 if (a, "K") in stack else 0
        loss = 70 * len(stack) - walk(oracle, stack)
        total -= reached(oracle, b, oracle.place(stack[0])) / 6 * (loss + king)
    for stack in oracle.stacks(b):
        king = 40 if (b, "K") in stack else 0
        loss = 70 * len(stack) - walk(oracle, stack)
        total += reached(oracle, a, oracle.place(stack[0])) / 6 * (0.35 * loss + king)
    return total


def reached(oracle: Oracle, hunter: int, place: str) -> int:
    """With how many die values a seat can come to rest on a ring square."""
    return sum(place[0] == "r" and reaches(oracle, hunter, die, place) for die in range(1, 7))


def reaches(oracle: Oracle, hunter: int, die: int, place: str) -> bool:
    thrown = Oracle(oracle.p)
    thrown.p["die"] = die
    return any(
        place in thrown.landing(stack, thrown.target(stack, move)).values()
        for stack in thrown.stacks(hunter)
        for move in thrown.walks(stack)
    )
