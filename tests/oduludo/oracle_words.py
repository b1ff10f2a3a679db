"""Oduludo once more, in plain Python on JSON positions, a piece at a time; slow and independent.

It shares nothing with the package but the board's file. `[R4.9]` is paragraph 9 of section 4 of
the rules. A place is its name in the position ("r12", "p3", "ship"); a piece is (seat, name).
"""

import json
from pathlib import Path
from typing import Any

CHECKOUT = Path(__file__).parents[2]
BOARD: dict[str, Any] = json.loads((CHECKOUT / "envs/oduludo/board.json").read_text("utf-8"))

PIECES = ["K", "Q", "S1", "S2", "S3"]
RING: int = BOARD["ring_size"]
CAPS = {"standard": 3000, "team": 4000, "last_piece": 20000}

Position = dict[str, Any]
Piece = tuple[int, str]


def settings(config: dict[str, Any]) -> dict[str, Any]:
    """All options of a game [R1.3]."""
    mode = config.get("mode", "standard")
    players = config.get("players", 4 if mode == "team" else 2)
    return {
        "mode": mode, "players": players, "colors": BOARD["default_colors"][str(players)],
        "queen_carries_stack": True, "stack_protection": "none", "six_limit": 0,
        "target_wins": 5, "reward": "rank", "max_decisions": CAPS[mode], **config,
    }  # fmt: skip


class Words:
    """A position and what its words mean: places, stacks, sides."""

    def __init__(self, position: Position) -> None:
        self.p: Position = copied(position)
        self.config = settings(position["config"])
        self.players: int = self.config["players"]
        self.seats = range(self.players)
        self.colors: str = self.config["colors"]
        self.team: bool = self.config["mode"] == "team"

    # The board [R2.1 - R2.3]

    def moon(self, seat: int) -> int:
        return int(BOARD["moon"][self.colors[seat]])

    def route(self, seat: int) -> int:
        """L: how many ring squares there are on the way."""
        return (int(BOARD["entry"][self.colors[seat]]) - self.moon(seat)) % RING + 1

    def globe(self, seat: int) -> int:
        """The progress of the last globe."""
        return self.route(seat) + int(BOARD["path_length"]) + int(BOARD["globes"]) - 1

    def name(self, seat: int, progress: int) -> str:
        if progress < self.route(seat):
            return f"r{(self.moon(seat) + progress) % RING}"
        step = progress - self.route(seat) + 1
        return f"p{step}" if step <= BOARD["path_length"] else "earth"

    def progress(self, seat: int, place: str) -> int:
        if place[0] == "r":
            return (int(place[1:]) - self.moon(seat)) % RING
        return self.route(seat) + int(place[1:]) - 1

    def along(self, seat: int, squares: list[int]) -> list[int]:
        """Ring squares by their progress for a seat."""
        return sorted(self.progress(seat, f"r{square}") for square in squares)

    # Sides

    def side(self, seat: int) -> int:
        return seat % 2 if self.team else seat

    def members(self, seat: int) -> list[int]:
        return [other for other in self.seats if self.side(other) == self.side(seat)]

    def playing(self, seat: int) -> bool:
        return bool(self.p["status"][seat] == "playing")

    # Pieces

    def place(self, piece: Piece) -> str:
        return str(self.p["pieces"][piece[0]][piece[1]])

    def put(self, piece: Piece, place: str) -> None:
        self.p["pieces"][piece[0]][piece[1]] = place

    def own(self, seat: int) -> list[Piece]:
        return [(seat, name) for name in PIECES]

    def free(self, seat: int) -> list[Piece]:
        """[R2.4]"""
        return [x for x in self.own(seat) if self.place(x) == "ship" or on_board(self.place(x))]

    def stack_at(self, seat: int, place: str) -> list[Piece]:
        return [piece for piece in self.own(seat) if self.place(piece) == place]

    def stacks(self, seat: int) -> list[list[Piece]]:
        places = {self.place(piece) for piece in self.own(seat) if on_board(self.place(piece))}
        return sorted((self.stack_at(seat, place) for place in places), key=first)

    def stack_of(self, piece: Piece) -> list[Piece]:
        return self.stack_at(piece[0], self.place(piece))

    def cargo(self, stack: list[Piece]) -> list[Piece]:
        """The captives of a stack on the board."""
        if not stack or not on_board(self.place(stack[0])):
            return []
        held = held_by(stack)
        return [x for seat in self.seats for x in self.own(seat) if self.place(x) == held]

    def enemies(self, seat: int, place: str) -> list[Piece]:
        """Enemy free pieces on a ring square."""
        others = [other for other in self.seats if self.side(other) != self.side(seat)]
        return [x for b in others for x in self.stack_at(b, place) if place[0] == "r"]

    def bars(self, seat: int, square: str) -> bool:
        """Whether a square is the Moon of an enemy who is playing [R4.11]."""
        return any(
            self.side(other) != self.side(seat)
            and self.playing(other)
            and square == f"r{self.moon(other)}"
            for other in self.seats
        )

    def early(self, stack: list[Piece]) -> bool:
        """Whether a stack holds a King that may not reach Earth yet [R4.12]."""
        seat = stack[0][0]
        return (seat, "K") in stack and any(piece not in stack for piece in self.free(seat))

    def backward(self, stack: list[Piece]) -> bool:
        """Whether a stack may go backward [R4.8]."""
        queen = (stack[0][0], "Q") in stack
        return queen and (self.config["queen_carries_stack"] or len(stack) == 1)


def on_board(place: str) -> bool:
    return place[0] in "rp"


def held_by(stack: list[Piece]) -> str:
    return f"held:{stack[0][0]}:{stack[0][1]}"


def first(stack: list[Piece]) -> Piece:
    return stack[0]


def copied(value: Any) -> Any:
    """A copy of plain JSON; `copy.deepcopy` takes several times as long."""
    if isinstance(value, dict):
        return {key: copied(item) for key, item in value.items()}
    return [copied(item) for item in value] if isinstance(value, list) else value
