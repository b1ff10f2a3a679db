"""Tokken once more, in plain Python on JSON positions, a field at a time; slow and independent.

It shares nothing with the package. `[R4.9]` is paragraph 9 of section 4 of the rules. A pawn is
(seat, number); a place is its name.
"""

from collections.abc import Iterator
from typing import Any

RANKS = "A23456789TJQKX"
STEPS = {
    "A": 1, "2": 2, "3": 3, "6": 6, "8": 8, "9": 9, "T": 10, "Q": 12, "K": 13, "X": 18,
}  # fmt: skip
DEFAULTS = {
    "players": 4,
    "teams": None,
    "first_dealer": None,
    "max_decisions": None,
    "black_dots": [8],
    "dot_blocked": "stay",
    "dot_on_swap": False,
    "home_entry": "connect",
    "five_on_start": False,
}

RINGS = {
    segments: [f"{letter}{o}" for letter in "abcdef"[:segments] for o in range(16)]
    for segments in (3, 4, 6)
}

Pawn = tuple[int, int]


class Barred(Exception):  # noqa: N818  it is no error
    """A pawn cannot go this way."""


class Oracle:
    """One position."""

    def __init__(self, position: dict[str, Any]) -> None:
        self.p: dict[str, Any] = copied(position)
        config = {**DEFAULTS, **position["config"]}
        self.config = config
        self.players: int = config["players"]
        segments = {2: 4, 3: 3, 4: 4, 6: 6}[self.players]
        self.ring = RINGS[segments]
        teams = config["teams"]
        self.teams: bool = self.players in (4, 6) if teams is None else teams
        cap = config["max_decisions"]
        self.cap = 150 * self.players if cap is None else cap

    # Seats and places

    def side(self, seat: int) -> int:
        return seat % (self.players // 2) if self.teams else seat

    def partner(self, seat: int) -> int:
        return (seat + self.players // 2) % self.players

    def start(self, seat: int) -> str:
        return self.ring[seat * len(self.ring) // self.players]

    def door(self, seat: int) -> str:
        return self.ring[seat * len(self.ring) // self.players - 2]

    def ahead(self, place: str, steps: int) -> str:
        return self.ring[(self.ring.index(place) + steps) % len(self.ring)]

    def is_ring(self, place: str) -> bool:
        return place[0] not in "YH"

    def is_hologram(self, place: str) -> bool:
        return self.is_ring(place) and place[1:] == "15"

    def is_dot(self, place: str) -> bool:
        return self.is_ring(place) and int(place[1:]) in self.config["black_dots"]

    def progress(self, seat: int, place: str) -> int:
        if place == "Y":
            return -1
        if place[0] == "H":
            return len(self.ring) + int(place[1])
        return (self.ring.index(place) - self.ring.index(self.start(seat))) % len(self.ring)

    # Pawns

    def at(self, place: str) -> Pawn | None:
        for seat in range(self.players):
            if place in self.p["pieces"][seat]:
                return seat, self.p["pieces"][seat].index(place)
        return None

    def place(self, pawn: Pawn) -> str:
        pieces: list[list[str]] = self.p["pieces"]
        return pieces[pawn[0]][pawn[1]]

    def put(self, pawn: Pawn, place: str) -> None:
        self.p["pieces"][pawn[0]][pawn[1]] = place

    def all_home(self, seat: int) -> bool:
        return all(place[0] == "H" for place in self.p["pieces"][seat])

    def color(self, seat: int) -> int:
        return self.partner(seat) if self.teams and self.all_home(seat) else seat

    def won(self, side: int) -> bool:
        return all(self.all_home(s) for s in range(self.players) if self.side(s) == side)

    def protected(self, place: str) -> bool:
        pawn = self.at(place)
        return pawn is not None and self.start(pawn[0]) == place

    def hit(self, place: str) -> None:
        pawn = self.at(place)
        if pawn is not None:
            self.put(pawn, "Y")

    # Ways

    def way_forward(  # noqa: C901  one rule a line
        self, pawn: Pawn, steps: int
    ) -> list[str]:
        """The places of a walk [R4.12]."""
        seat, place, way = pawn[0], self.place(pawn), []
        if place == "Y" or self.is_hologram(place):
            raise Barred
        for _ in range(steps):
            if place[0] == "H":
                place = f"H{int(place[1]) + 1}"
            elif place == self.door(seat):
                place = "H1"
            else:
                place = self.ahead(place, 1)
            if place == "H5":
                raise Barred
            if place[0] == "H":
                if place in self.p["pieces"][seat]:
                    raise Barred
            elif self.protected(place):
                raise Barred
            way.append(place)
        end = way[-1]
        if end[0] == "H" and self.config["home_entry"] == "connect":
            behind = f"H{int(end[1]) + 1}"
            if end != "H4" and behind not in self.p["pieces"][seat]:
                raise Barred
        return way

    def ring_way(self, pawn: Pawn, steps: int) -> list[str]:
        """The fields of a 4 backward or a 5 [R4.14, R4.15]."""
        sign = 1 if steps > 0 else -1
        place = self.place(pawn)
        way = [self.ahead(place, sign * k) for k in range(1, abs(steps) + 1)]
        if any(self.protected(field) for field in way):
            raise Barred
        return way

    def land(self, pawn: Pawn, place: str, *, five: bool = False) -> None:
        """[R4.17 - R4.19]"""
        self.put(pawn, "Y")
        if self.is_ring(place):
            self.hit(place)
        self.put(pawn, place)
        if self.is_dot(place):
            self.jump(pawn, place, five=five)

    def jump(self, pawn: Pawn, place: str, *, five: bool = False) -> None:
        way = [self.ahead(place, 1)]
        while not self.is_dot(way[-1]):
            way.append(self.ahead(way[-1], 1))
        if self.start(pawn[0]) in way and not five:
            return
        if any(self.protected(field) for field in way):
            if self.config["dot_blocked"] == "illegal":
                raise Barred
            if self.config["dot_blocked"] == "stay":
                return
        self.put(pawn, "Y")
        self.hit(way[-1])
        self.put(pawn, way[-1])

    # Plays

    def walk(self, pawn: Pawn, steps: int, *, king: bool = False) -> None:
        way = self.way_forward(pawn, steps)
        if king:
            for place in way:
                if self.is_ring(place):
                    self.hit(place)
        self.land(pawn, way[-1])

    def swap(self, own: Pawn, other: Pawn) -> None:
        mine, theirs = self.place(own), self.place(other)
        self.put(own, theirs)
        self.put(other, mine)
        if self.config["dot_on_swap"]:
            if self.is_dot(theirs):
                self.jump(own, theirs)
            if self.place(other) == mine and self.is_dot(mine):
                self.jump(other, mine)

    def part(self, pawn: Pawn, steps: int) -> None:
        if self.p["split"] is None:
            self.p["split"] = {"left": 7, "moved": []}
        split = self.p["split"]
        if list(pawn) in split["moved"] or len(split["moved"]) == 4 or steps > split["left"]:
            raise Barred
        self.walk(pawn, steps)
        split["left"] -= steps
        split["moved"] = sorted([*split["moved"], list(pawn)])

    def can_complete(self, seat: int) -> bool:
        """[R4.25]"""
        if self.p["split"]["left"] == 0 or self.won(self.side(seat)):
            return True
        return any(True for _ in self.parts(seat))

    def parts(self, seat: int) -> Iterator[str]:
        """The legal parts of a seven."""
        color = self.color(seat)
        left = 7 if self.p["split"] is None else self.p["split"]["left"]
        for number in range(4):
            for steps in range(1, left + 1):
                name = self.place((color, number))
                trial = Oracle(self.p)
                try:
                    trial.part((color, number), steps)
                except Barred:
                    continue
                if trial.can_complete(seat):
                    yield f"7 {name}+{steps}"

    def card_plays(  # noqa: C901  one card a line
        self, seat: int, rank: str
    ) -> Iterator[str]:
        """All that a card might do; `apply` refuses what it cannot."""
        color = self.color(seat)
        ring = [place for place in self.p["pieces"][color] if self.is_ring(place)]
        if rank in "AKX":
            yield f"{rank}+"
        if rank in STEPS:
            yield from (f"{rank} {place}" for place in self.p["pieces"][color] if place != "Y")
        if rank == "4":
            yield from (f"4 {place}" for place in ring)
        if rank == "5":
            for other in range(self.players):
                if self.side(other) != self.side(seat):
                    yield from (f"5 {p}" for p in self.p["pieces"][other] if self.is_ring(p))
        if rank == "J":
            for other in range(self.players):
                if other not in (color, seat):
                    for place in self.p["pieces"][other]:
                        if self.is_ring(place):
                            yield from (f"J {own}~{place}" for own in ring)

    def apply(self, seat: int, move: str) -> None:
        """What a play but a seven does on the table."""
        color = self.color(seat)
        if move.endswith("+"):
            if "Y" not in self.p["pieces"][color] or self.protected(self.start(color)):
                raise Barred
            self.hit(self.start(color))
            self.put((color, self.p["pieces"][color].index("Y")), self.start(color))
            return
        rank, place = move.split(" ")
        if rank == "J":
            mine, theirs = place.split("~")
            own, other = self.at(mine), self.at(theirs)
            assert own
            assert other
            if theirs == self.start(other[0]):
                raise Barred
            self.swap(own, other)
            return
        if rank == "5":
            other = self.at(place)
            assert other
            on_start = place == self.start(other[0]) and not self.config["five_on_start"]
            if self.is_hologram(place) or on_start:
                raise Barred
            self.land(other, self.ring_way(other, 5)[-1], five=True)
            return
        pawn = (color, self.p["pieces"][color].index(place))
        if rank == "4":
            self.land(pawn, self.ring_way(pawn, -4)[-1])
        else:
            self.walk(pawn, STEPS[rank], king=rank == "K")

    # Legal moves

    def legal_moves(self) -> list[str]:
        seat = self.p["to_move"]
        if seat is None:
            return []
        hand, extra = self.p["hands"][seat], self.p["extras"][seat]
        ranks = sorted(set(hand + extra))
        if self.p["phase"] == "exchange":
            return sorted(f"give {rank}" for rank in ranks)
        if self.p["phase"] == "split":
            return sorted(self.parts(seat))
        plays: list[str] = []
        for rank in ranks:
            if rank == "7":
                plays += self.parts(seat)
            for move in self.card_plays(seat, rank):
                try:
                    Oracle(self.p).apply(seat, move)
                except Barred:
                    continue
                plays.append(move)
        if not hand and self.p["deal"] < 3:
            plays.append("keep")
        return sorted(plays) or ["fold"]

    # Playing on

    def play(  # noqa: C901  one kind of move a line
        self, move: str, outcomes: list[str]
    ) -> dict[str, Any]:
        """The position after a legal move and its chance outcomes, all of which must be used."""
        draws = iter(outcomes)
        p, seat = self.p, self.p["to_move"]
        p["decisions"] += 1
        if move.startswith("give"):
            self.spend(seat, move[-1], to_discard=False)
            p["given"][seat] = move[-1]
            if seat == p["dealer"]:
                for giver in range(self.players):
                    self.add("hands", self.partner(giver), p["given"][giver])
                p["phase"] = "play"
        elif move in ("fold", "keep"):
            if move == "fold":
                self.discard(p["hands"][seat] + p["extras"][seat])
                p["hands"][seat] = p["extras"][seat] = ""
            p["out"][seat] = True
        elif move.startswith("7"):
            if p["split"] is None:
                self.spend(seat, "7")
            place, steps = move[2:].split("+")
            color = self.color(seat)
            self.part((color, p["pieces"][color].index(place)), int(steps))
            if p["split"]["left"] and not self.won(self.side(seat)):
                p["phase"] = "split"
                assert list(draws) == []
                return p
            p["split"], p["phase"] = None, "play"
        else:
            self.spend(seat, move[0])
            self.apply(seat, move)
            if move[0] == "X" and not self.won(self.side(seat)):
                card = next(draws)[1]
                self.take_from_pile(card)
                self.add("extras", seat, card)
                p["drawn"][seat] += 1
        if self.won(self.side(seat)) or 0 < self.cap <= p["decisions"]:
            p["phase"], p["to_move"] = "over", None
        else:
            self.pass_turn(seat, draws)
        assert list(draws) == []
        return p

    def pass_turn(self, seat: int, draws: Iterator[str]) -> None:
        p = self.p
        for k in range(1, self.players + 1):
            other = (seat + k) % self.players
            if not p["out"][other] and p["hands"][other] + p["extras"][other]:
                p["to_move"] = other
                return
        p["dealer"] = (p["dealer"] + 1) % self.players
        p["deal"] = p["deal"] % 3 + 1
        if p["deal"] == 1:
            jokers = (self.players + 1) // 2
            p["draw_pile"] = "".join(r * self.players for r in RANKS[:-1]) + "X" * jokers
            p["discard"] = ""
            p["extras"] = [""] * self.players
            p["drawn"] = [0] * self.players
        p["given"] = [""] * self.players
        p["out"] = [False] * self.players
        for i in range((5 if p["deal"] == 1 else 4) * self.players):
            card = next(draws)[1]
            self.take_from_pile(card)
            self.add("hands", (p["dealer"] + 1 + i) % self.players, card)
        p["phase"] = "exchange" if self.teams else "play"
        p["to_move"] = (p["dealer"] + 1) % self.players

    # Cards

    def add(self, where: str, seat: int, card: str) -> None:
        self.p[where][seat] = ordered(self.p[where][seat] + card)

    def discard(self, cards: str) -> None:
        self.p["discard"] = ordered(self.p["discard"] + cards)

    def take_from_pile(self, card: str) -> None:
        assert card in self.p["draw_pile"]
        self.p["draw_pile"] = self.p["draw_pile"].replace(card, "", 1)

    def spend(self, seat: int, card: str, *, to_discard: bool = True) -> None:
        where = "hands" if card in self.p["hands"][seat] else "extras"
        self.p[where][seat] = self.p[where][seat].replace(card, "", 1)
        if to_discard:
            self.discard(card)


def copied(value: Any) -> Any:
    """A copy of plain JSON; `copy.deepcopy` takes several times as long."""
    if isinstance(value, dict):
        return {key: copied(item) for key, item in value.items()}
    return [copied(item) for item in value] if isinstance(value, list) else value


def ordered(cards: str) -> str:
    """Cards in the order of their ranks."""
    return "".join(sorted(cards, key=RANKS.index))
