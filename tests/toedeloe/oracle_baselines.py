"""What `scorer` and `hoarder` play in ToedeLoe, from the rules text [R12.3, R12.4]."""

from collections.abc import Callable, Iterator

from .oracle import (
    FRAMED,
    OWN,
    WAYS,
    Position,
    apply,
    copied,
    is_special,
    legal_moves,
    parts,
    put,
    standing,
    walk,
)


def worth(position: Position, side: int, player: str, h: float) -> float:
    score = parts(position, side)
    own = standing(position, OWN[side])
    frame: float = score["frame"]
    if player == "hoarder":
        frame += 2 * sum(square in FRAMED for square in own)
    placed = len(own) * h
    waiting: int = position["red"][side] + position["toedeloe"][side]
    return frame + score["rows"] + score["bonus"] + score["longest"] + placed - waiting


def endings(position: Position, side: int, move: str) -> Iterator[Position]:
    """The boards at the moment the card action is complete, by every continuation of a move."""
    stop = "stop"

    def never(_: list[str]) -> str:
        raise RuntimeError(stop)

    after = copied(position)
    after["queue"] = []  # the first action of a special only
    try:
        after = apply(after, move, never)
        after["queue"] = []
        is_done = after["phase"] not in ("target", "step")
    except RuntimeError:
        is_done = True
    if is_done:
        # The turn went on: the board of the moment before, with the same move made by hand.
        yield ending_of(position, side, move)
        return
    for later in legal_moves(after):
        yield from endings(after, side, later)


def ending_of(position: Position, side: int, move: str) -> Position:
    board = copied(position)
    if move[0] == "@":
        put(board, move[1:], OWN[side])
        board["pawns"][side] -= 1
    elif move in WAYS:
        walk(board, side, move)
    return board


def baseline(position: Position, player: str, action_of: Callable[[str], int]) -> str:
    """The move of `scorer` or `hoarder`; *action_of* gives the index for the last tie-break."""
    side, phase = position["to_move"] % 2, position["phase"]
    h = 1.0
    if player == "hoarder":
        left = 216 - position["turn_no"]
        h = 1.0 if position["pawns"][side] > 0.4 * left else -0.7

    def lead(board: Position) -> float:
        return worth(board, side, player, h) - worth(board, 1 - side, player, h)

    def key(move: str) -> tuple[float, int, int]:
        if move == "pass":
            return round(lead(position), 6), 1, 0
        cards = move.split("+")
        value = max(lead(board) for board in endings(position, side, move))
        first = 0
        if phase == "play":
            first = len(cards)
            if is_special(cards):
                value += len(cards) - 1
        return round(value, 6), first, -action_of(move)

    return max(legal_moves(position), key=key)
