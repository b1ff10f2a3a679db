"""ToedeLoe in plain Python on JSON positions, from the rules text: slow, simple, independent.

It knows nothing of the kernels: it reads `board.json` by itself, works with names of squares and
cards, and lists moves by trying. `draw` is a function from the possible outcomes to one of them.
"""

import json
from collections.abc import Callable, Iterator
from itertools import combinations, product
from pathlib import Path
from typing import Any

Position = dict[str, Any]
Draw = Callable[[list[str]], str]

CHECKOUT = Path(__file__).parents[2]
BOARD = json.loads((CHECKOUT / "envs" / "toedeloe" / "board.json").read_text("utf-8"))

DEFAULTS = {
    "players": 2, "pawns": 30, "forced": "first", "king_moves_red": False, "longest": "straight",
    "max_turns": 300, "reward": "win",
}  # fmt: skip
RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
CARDS = [suit + rank for suit in "CDHS" for rank in RANKS] + ["X1", "X2"]

AT = {  # name -> (row, column)
    name: (row, first + k)
    for row, (line, first) in enumerate(zip(BOARD["grid"], BOARD["first_column"], strict=True))
    for k, name in enumerate(line.split())
}
NAME = {place: name for name, place in AT.items()}
SQUARES = list(AT)
FRAMES = [line.split() for line in BOARD["frames"]]
FRAMED = {name for frame in FRAMES for name in frame}
ROWS = {name for line in BOARD["rows"].values() for name in line.split()}
BONUS = set(BOARD["bonus"].split())
WAYS = {"N": (-1, 0), "E": (0, 1), "S": (1, 0), "W": (0, -1)}
OWN = "wg"


def option(position: Position, name: str) -> Any:
    return {**DEFAULTS, **position["config"]}[name]


def copied(position: Position) -> Position:
    """A copy to play on; `copy.deepcopy` would take most of the time of the tests."""
    copy = {key: list(value) if type(value) is list else value for key, value in position.items()}
    return {**copy, "draw_pile": [list(pile) for pile in position["draw_pile"]]}


def piece(position: Position, square: str) -> str:
    row, column = AT[square]
    board: list[str] = position["board"]
    return board[row][column]


def put(position: Position, square: str, what: str) -> None:
    row, column = AT[square]
    line = position["board"][row]
    position["board"][row] = line[:column] + what + line[column + 1 :]


def standing(position: Position, what: str) -> list[str]:
    letters = "".join(position["board"]).replace(" ", "")
    return [square for square, letter in zip(SQUARES, letters, strict=True) if letter == what]


def go(square: str, way: str) -> str | None:
    (row, column), (down, right) = AT[square], WAYS[way]
    return NAME.get((row + down, column + right))


# Set-up and turns [R3, R4.1 - R4.3] ------------------------------------------------------------


def initial(config: dict[str, Any], draw: Draw) -> Position:
    position: Position = {
        "game": "toedeloe", "config": config, "phase": "play", "to_move": None, "decisions": 0,
        "turn": 0, "turn_no": 0,
        "board": ["".join("." if (r, c) in NAME else " " for c in range(12)) for r in range(12)],
        "pawns": [], "red": [4, 4], "toedeloe": [1, 1], "penalty": [0, 0],
        "draw_pile": [list(CARDS), list(CARDS)], "table": [], "used": [], "action": [],
        "queue": [], "square": None, "placed": False,
    }  # fmt: skip
    position["pawns"] = [option(position, "pawns")] * 2
    seats = [f"!seat{seat}" for seat in range(option(position, "players"))]
    position["turn"] = seats.index(draw(seats))
    begin_turn(position, draw)
    return position


def begin_turn(position: Position, draw: Draw) -> None:
    while True:
        side = position["turn"] % 2
        position["to_move"] = position["turn"]
        position["table"], position["used"] = [], []
        if position["turn_no"] >= option(position, "max_turns"):
            position.update(phase="over", to_move=None)
            return
        pile = position["draw_pile"][side] or list(CARDS)
        hand = []
        for _ in range(3):
            card = draw([f"!{card}" for card in pile])[1:]
            pile = [other for other in pile if other != card]
            hand.append(card)
        position["draw_pile"][side] = pile
        position["table"] = sorted(hand, key=CARDS.index)
        position["phase"] = "play"
        if legal_moves(position):
            return
        position["penalty"][side] += 1
        if position["penalty"][side] == 9:
            position.update(phase="over", to_move=None)
            return
        if offer(position):
            return
        next_turn(position)


def next_turn(position: Position) -> None:
    position["turn"] = (position["turn"] + 1) % option(position, "players")
    position["turn_no"] += 1


def offer(position: Position) -> bool:
    """Whether the responder can play any of the cards that are left."""
    position["to_move"] = (position["turn"] + 1) % option(position, "players")
    position["phase"] = "offer"
    side = position["to_move"] % 2
    left = [card for card in position["table"] if card not in position["used"]]
    return any(targets(position, side, [card]) for card in left)


# What cards can do [R4.4 - R4.16] --------------------------------------------------------------


def sums(cards: list[str]) -> set[int]:
    """[R4.12]"""
    rank = RANKS.index(cards[0][1:]) + 1 if cards[0][0] != "X" else 0
    if len(cards) == 1:
        return {rank} if 2 <= rank <= 12 else set()
    if len({card[0] for card in cards}) > 1 or cards[0][0] == "X":
        return set()
    choices = []
    for card in cards:
        number = RANKS.index(card[1:]) + 1
        choices.append([13] if number == 13 else [-1, 0, 1] if number == 1 else [-number, number])
    return {sum(numbers) for numbers in product(*choices)} & set(range(1, 13))


def targets(position: Position, side: int, cards: list[str]) -> list[str]:
    """The targets of an action in notation: `cards` are one card or a combination."""
    found = set()
    if position["pawns"][side] > 0:
        suit = cards[0][0]
        for n in sums(cards):
            named = [f"{zone}{suit}{n}" for zone in "wg"]
            if suit in "DH" and n % 2 == 0:
                named += [f"wE{n}", f"gE{n}"]
            if suit in "CS" and n % 2 == 1:
                named += [f"wO{n}", f"gO{n}"]
            found |= {f"@{name}" for name in named if piece(position, name) == "."}
    if len(cards) == 1:
        found |= set(special_targets(position, side, cards[0]))
    return sorted(found)


def special_targets(position: Position, side: int, card: str) -> Iterator[str]:
    red, stock = position["red"][side], position["toedeloe"][side]
    if card[1:] == "3":
        mine = OWN[side] if card[0] in "CS" else OWN[1 - side]
        for square in standing(position, mine):
            if square not in FRAMED and steps(position, side, square):
                yield f"^{square}"
    elif card[1:] == "K" or card[0] == "X":
        if red > 0 or (card[0] == "X" and stock == 1):
            yield from (f"@{square}" for square in standing(position, "."))
        if red == 0:
            kinds = ""
            if card[0] == "X" or option(position, "king_moves_red"):
                kinds += "r"
            if card[0] == "X" and stock == 0:
                kinds += "t"
            yield from movable(position, side, kinds)
    elif card[1:] == "A" and red == 0 and stock == 0:
        yield from movable(position, side, "t")


def movable(position: Position, side: int, kinds: str) -> Iterator[str]:
    for kind in kinds:
        for square in standing(position, kind):
            if steps(position, side, square):
                yield f"^{square}"


def enterable(position: Position, side: int, mover: str, square: str | None) -> bool:
    """[R4.13]"""
    if square is None:
        return False
    there = piece(position, square)
    if there == ".":
        return True
    if square in FRAMED or there == "t":
        return False
    if there == "r":
        return mover == "t" and position["red"][1 - side] < 4
    return True


def path(square: str, way: str, length: int) -> list[str | None]:
    found: list[str | None] = []
    here: str | None = square
    for _ in range(length):
        here = go(here, way) if here else None
        found.append(here)
    return found


def steps(position: Position, side: int, square: str) -> list[str]:
    """The ways that the piece on a square may go [R4.15, R4.16]."""
    mover = piece(position, square)
    length = 3 if mover in OWN else 1
    return [
        way
        for way in WAYS
        if all(enterable(position, side, mover, there) for there in path(square, way, length))
    ]


def declarations(position: Position) -> list[list[str]]:
    side, hand = position["turn"] % 2, position["table"]
    found = []
    for size in (1, 2, 3):
        for cards in map(list, combinations(hand, size)):
            if is_special(cards):
                many = len(cards) == 3 and not option(position, "king_moves_red")
                if many and position["red"][side] < 3:
                    continue
                if targets(position, side, cards[:1]):
                    found.append(cards)
            elif targets(position, side, cards):
                found.append(cards)
    forced = option(position, "forced")
    bound = forced == "every" or (
        forced == "first" and position["turn_no"] < option(position, "players")
    )
    royal = [cards for cards in found if any(c[1:] == "K" or c[0] == "X" for c in cards)]
    return royal if bound and royal else found


def is_special(cards: list[str]) -> bool:
    return cards == ["X1", "X2"] or (len(cards) == 3 and all(c[1:] == "K" for c in cards))


def legal_moves(position: Position) -> list[str]:
    phase = position["phase"]
    if phase == "over":
        return []
    if phase == "play":
        return sorted("+".join(cards) for cards in declarations(position))
    side = position["to_move"] % 2
    if phase == "target":
        return targets(position, side, position["action"])
    if phase == "step":
        stay = ["stay"] if position["placed"] else []
        return sorted(steps(position, side, position["square"]) + stay)
    left = [card for card in position["table"] if card not in position["used"]]
    return sorted([card for card in left if targets(position, side, [card])] + ["pass"])


# Moves ----------------------------------------------------------------------------------------


def apply(before: Position, move: str, draw: Draw) -> Position:
    """The position after a legal move."""
    position = copied(before)
    position["decisions"] += 1
    side = position["to_move"] % 2
    if move == "pass":
        end_turn(position, draw)
    elif position["phase"] in ("play", "offer"):
        cards = move.split("+")
        if position["phase"] == "play":
            position["used"] = cards
        position["action"], position["queue"] = cards, []
        if is_special(cards):
            position["action"], position["queue"] = cards[:1], cards[1:]
        position["phase"] = "target"
    elif (
        move[0] == "@"
        and position["action"][0][0] != "X"
        and (len(position["action"]) > 1 or position["action"][0][1:] != "K")
    ):
        put(position, move[1:], OWN[side])
        position["pawns"][side] -= 1
        end_action(position, draw)
    elif move[0] == "@":
        kind = "red" if position["red"][side] > 0 else "toedeloe"
        position[kind][side] -= 1
        put(position, move[1:], kind[0])
        position.update(phase="step", square=move[1:], placed=True)
    elif move[0] == "^":
        position.update(phase="step", square=move[1:], placed=False)
    else:
        if move != "stay":
            walk(position, side, move)
        end_action(position, draw)
    return position


def walk(position: Position, side: int, way: str) -> None:
    square = position["square"]
    mover = piece(position, square)
    put(position, square, ".")
    for there in path(square, way, 3 if mover in OWN else 1):
        assert there is not None
        thrown = piece(position, there)
        if thrown == "r":
            position["red"][1 - side] += 1
        elif thrown in OWN:
            position["pawns"][OWN.index(thrown)] += 1
        put(position, there, ".")
        square = there
    put(position, square, mover)


def end_action(position: Position, draw: Draw) -> None:
    position.update(action=[], square=None, placed=False)
    side = position["to_move"] % 2
    while position["queue"]:
        card, *position["queue"] = position["queue"]
        if targets(position, side, [card]):
            position.update(action=[card], phase="target")
            return
    if position["to_move"] != position["turn"] or not offer(position):
        end_turn(position, draw)


def end_turn(position: Position, draw: Draw) -> None:
    next_turn(position)
    begin_turn(position, draw)


# The count [R8.3 - R8.5] -----------------------------------------------------------------------


def parts(position: Position, side: int) -> dict[str, int]:
    own = set(standing(position, OWN[side]))
    inside = [sum(name in own for name in frame) for frame in FRAMES]
    score = {
        "frame": sum(12 if count == 6 else count for count in inside),
        "rows": len(own & ROWS),
        "bonus": 2 * len(own & BONUS),
        "longest": longest(position, own),
    }
    plus = sum(score.values())
    unplaced = position["pawns"][side] + position["red"][side] + position["toedeloe"][side]
    minus = unplaced + position["penalty"][side]
    return {
        **score, "plus": plus, "unplaced": unplaced, "penalty": position["penalty"][side],
        "minus": minus, "net": plus - minus,
    }  # fmt: skip


def longest(position: Position, own: set[str]) -> int:
    if option(position, "longest") == "group":
        left, best = set(own), 0
        while left:
            group, edge = set(), {left.pop()}
            while edge:
                group |= edge
                near = {go(square, way) for square in edge for way in WAYS}
                edge = {square for square in near if square in left}
                left -= edge
            best = max(best, len(group))
        return best
    best = 0
    for square in own:
        for way in "ES":
            length, here = 1, go(square, way)
            while here in own:
                length, here = length + 1, go(here, way)
            best = max(best, length)
    return best


def rewards(position: Position) -> list[float]:
    seats = range(option(position, "players"))
    if position["phase"] != "over":
        return [0.0 for _ in seats]
    lead = parts(position, 0)["net"] - parts(position, 1)["net"]
    reward = max(-1.0, min(1.0, lead / 30))
    if option(position, "reward") == "win":
        reward = float((lead > 0) - (lead < 0))
    return [reward if seat % 2 == 0 else -reward for seat in seats]
