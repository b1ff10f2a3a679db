"""What a seat of Oduludo sees, as the plain-Python rules say, segment by segment [R7.1]."""

from .oracle_words import BOARD, PIECES, RING, Piece, Position, Words, on_board

PHASES = ["move", "capture", "oduludo", "sun"]
PATH: int = BOARD["path_length"]
SUNS = len(BOARD["suns"])


class View(Words):
    """A position as one seat sees it."""

    def __init__(self, position: Position, viewer: int) -> None:
        super().__init__(position)
        self.viewer = viewer
        every: str = BOARD["colors"]
        here = every.index(self.colors[viewer])
        colors = [every[(here + k) % 4] for k in range(4)]
        self.sides = [self.colors.index(c) if c in self.colors else None for c in colors]
        self.mover = self.p["to_move"]

    def one_hot(self, size: int, *hot: int | None) -> list[float]:
        return [float(i in hot) for i in range(size)]

    def where(self, piece: Piece) -> str:
        """Where a piece stands, or the stack that carries it; "" for neither."""
        place = self.place(piece)
        if place.startswith("held:"):
            _, holder, lead = place.split(":")
            place = "" if lead == "earth" else self.place((int(holder), lead))
            return place if place[:1] == "r" else ""
        return place if on_board(place) else ""

    def own_piece(self, piece: Piece) -> list[float]:
        place, where = self.place(piece), self.where(piece)
        at = self.progress(self.viewer, where) if where else None
        states = [place == "ship", place == "earth", place.startswith("held:")]
        return self.one_hot(RING + PATH, at) + [float(state) for state in states]

    def named(self, names: list[str]) -> list[float]:
        return [float(name in names) for name in PIECES]

    def carries(self, piece: Piece) -> float:
        leads = on_board(self.place(piece)) and self.stack_of(piece)[0] == piece
        return min(1, len(self.cargo(self.stack_of(piece))) / 5) if leads else 0

    def sun(self) -> list[float]:
        if self.p["at"] is None:
            return [0] * SUNS
        order = self.along(self.viewer, BOARD["suns"])
        return self.one_hot(SUNS, order.index(self.progress(self.viewer, self.p["at"])))

    def counts(self, k: int) -> list[float]:
        seen = [0.0] * (RING + PATH)
        seat = self.sides[k]
        if seat is not None:
            for piece in self.own(seat):
                place = self.place(piece)
                if place[0] == "r":
                    seen[self.progress(self.viewer, place)] += 1 / 5
                elif place[0] == "p":
                    seen[RING + int(place[1:]) - 1] += 1 / 5
        return seen

    def royal(self, name: str) -> list[float]:
        places = [self.place((seat, name)) for seat in self.seats if seat != self.viewer]
        return self.one_hot(RING, *(self.progress(self.viewer, x) for x in places if x[0] == "r"))

    def other_piece(self, seat: int | None, name: str) -> list[float]:
        if seat is None:
            return [0, 0, 0]
        place, where = self.place((seat, name)), self.where((seat, name))
        route = (self.progress(seat, where) + 1) / (self.globe(seat) + 1) if where else 0
        return [(place == "earth") - (place == "ship"), place.startswith("held:"), route]

    def taken(self, h: int, o: int) -> float:
        holder, owner = self.sides[h], self.sides[o]
        if holder is None or owner is None:
            return 0
        return sum(self.place(x).startswith(f"held:{holder}:") for x in self.own(owner)) / 5

    def seat(self, k: int) -> list[float]:
        seat, p = self.sides[k], self.p
        if seat is None:
            return [0] * 5
        what, _, order = p["status"][seat].partition(":")
        place = {"playing": 0, "finished": 1, "out": -1}[what] * (1 - (int(order or 1) - 1) / 4)
        points = p["points"][seat]
        return [
            float(what == "playing"),
            float(p["ufos"][seat]),
            p["wins"][seat] / self.config["target_wins"],
            points / (abs(points) + 500),
            place,
        ]

    def segments(self) -> list[list[float]]:
        p, config, over = self.p, self.config, self.p["phase"] == "over"
        limit = config["six_limit"]
        side = None if over else self.sides.index(self.mover)
        pairs = [(h, o) for h in range(4) for o in range(4) if h != o]
        return [
            self.one_hot(4, None if over else PHASES.index(p["phase"])),
            self.one_hot(4, side),
            self.one_hot(6, None if over else p["die"] - 1),
            [float(p["star"])],
            [(p["sixes"] + 1) / limit if limit and not over else 0],
            *(self.own_piece(piece) for piece in self.own(self.viewer)),
            [self.carries(piece) for piece in self.own(self.viewer)],
            self.named([p["mover"]]),
            self.named(p["fresh"]),
            self.sun(),
            *(self.counts(k) for k in (1, 2, 3)),
            self.royal("K"),
            self.royal("Q"),
            *(self.other_piece(self.sides[k], name) for k in (1, 2, 3) for name in PIECES),
            [self.taken(h, o) for h, o in pairs],
            *(self.seat(k) for k in range(4)),
            [config["mode"] == "last_piece", self.team],
            [config["queen_carries_stack"], config["stack_protection"] == "size"],
            [min(1, p["decisions"] / config["max_decisions"])],
        ]


def observation(position: Position, viewer: int) -> list[float]:
    return [float(x) for segment in View(position, viewer).segments() for x in segment]
