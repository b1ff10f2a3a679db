"""Whole games of the plain-Python Oduludo: turns, dice, rounds, scores and rewards."""

from collections.abc import Iterator
from typing import Any

from .oracle import Moves
from .oracle_words import BOARD, PIECES, Position, settings


class Oracle(Moves):
    """One position that can be played on."""

    standings_of_round: list[int] | None = None
    """the standings of a round that the last decision ended"""

    def play(self, move: str, outcomes: list[str]) -> Position:
        """The position after a legal move and its chance outcomes, all of which must be used."""
        draws = iter(outcomes)
        p, self.standings_of_round = self.p, None
        p["decisions"] += 1
        self.decide(move, next(draws)[1:] if move == "oduludo" else "")
        if self.sides_playing() <= 1:
            self.score_round()
            if self.goes_on():
                self.next_round(draws)
            else:
                self.finish()
        elif self.capped():
            self.score_round()
            self.finish()
        elif p["phase"] == "done":
            self.end_of_move(draws)
        assert list(draws) == []
        return p

    # Turns [R4.2]

    def end_of_move(self, draws: Iterator[str]) -> None:
        p, seat = self.p, self.p["to_move"]
        extra = p["die"] == 6 or p["star"]
        p["star"] = False
        if not (extra and self.playing(seat) and self.free(seat) and self.roll(seat, draws)):
            self.next_turn(seat, draws)

    def next_turn(self, seat: int, draws: Iterator[str]) -> None:
        """Pass the turn on, until a seat has a roll that it can use."""
        while True:
            after = [(seat + k) % self.players for k in range(1, self.players + 1)]
            seat = next(s for s in after if self.playing(s) and self.free(s))
            if self.turn(seat, draws):
                return

    def turn(self, seat: int, draws: Iterator[str]) -> bool:
        self.p["fresh"], self.p["sixes"] = [], 0
        return self.roll(seat, draws)

    def roll(self, seat: int, draws: Iterator[str]) -> bool:
        """Whether a roll can be used: then it stands there, for a decision."""
        p, limit = self.p, self.config["six_limit"]
        p["to_move"], p["phase"] = seat, "move"
        for _ in range(1 if self.stacks(seat) else 3):
            p["die"] = int(next(draws)[1:])
            if p["die"] == 6 and limit:
                p["sixes"] += 1
                if p["sixes"] == limit:
                    return False
            if self.legal_moves():
                return True
        return False

    # Rounds [R8]

    def worth(self, seat: int) -> int:
        """Own progress, as truncated rounds are ranked by it [R8.2]."""
        total = 0
        for piece in self.own(seat):
            place = self.place(piece)
            if place == "earth":
                total += self.globe(seat) + 1
            elif place[0] in "rp":
                total += self.progress(seat, place) + 1
        return total

    def standings(self) -> list[int]:
        def rank(seat: int) -> tuple[int, int, int, int]:
            status, side = self.p["status"][seat], self.members(seat)
            if status == "playing":
                return 1, -sum(self.worth(member) for member in side), side[0], seat
            what, order = status.split(":")
            return (
                (0, int(order), side[0], seat) if what == "finished" else (2, -int(order), 0, seat)
            )

        return sorted(self.seats, key=rank)

    def score_round(self) -> None:
        """[R8.4, R8.5]"""
        p, scoring, order = self.p, BOARD["scoring"], self.standings()
        self.standings_of_round = order
        winners = self.members(order[0])
        for i, seat in enumerate(order):
            if p["status"][seat].startswith("out"):
                continue
            place = scoring["team"][i // 2] if self.team else scoring["place"][str(self.players)][i]
            p["points"][seat] += place + scoring["piece_on_earth"] * len(
                self.stack_at(seat, "earth")
            )
            if seat in winners:
                p["points"][seat] += scoring["winner_per_captive"] * self.captives(seat)
        for seat in winners:
            p["wins"][seat] += 1

    def captives(self, seat: int) -> int:
        """How many captives a seat holds, on the board or on Earth."""
        everyone = [piece for other in self.seats for piece in self.own(other)]
        return sum(self.place(piece).startswith(f"held:{seat}:") for piece in everyone)

    def capped(self) -> bool:
        return bool(self.p["decisions"] >= self.config["max_decisions"])

    def goes_on(self) -> bool:
        """Whether a round that was scored is followed by another."""
        return self.config["mode"] == "last_piece" and not self.won() and not self.capped()

    def won(self) -> bool:
        return bool(max(self.p["wins"]) >= self.config["target_wins"])

    def next_round(self, draws: Iterator[str]) -> None:
        """[R1.4, R3.1, R3.2]"""
        assert self.standings_of_round
        p = self.p
        for seat in self.seats:
            removed = BOARD["removal_order"][: p["wins"][seat]]
            p["pieces"][seat] = {x: "off" if x in removed else "ship" for x in PIECES}
        p["status"], p["ufos"] = ["playing"] * self.players, [True] * self.players
        p["star"], p["mover"], p["at"] = False, None, None
        loser = self.standings_of_round[-1]
        if not self.turn(loser, draws):
            self.next_turn(loser, draws)

    def finish(self) -> None:
        """[R9.3]"""
        over = {"phase": "over", "to_move": None, "die": None, "sixes": 0, "star": False}
        self.p.update(over | {"mover": None, "at": None, "fresh": []})

    # The end of the game

    def is_truncated(self) -> bool:
        """[R8.9]"""
        last_piece = self.config["mode"] == "last_piece"
        return self.sides_playing() > 1 or (last_piece and not self.won())

    def ranking(self) -> list[int]:
        """[R8.7]"""
        order = self.standings()
        if self.config["mode"] == "last_piece":
            order.sort(key=lambda seat: (-self.p["points"][seat], -self.p["wins"][seat]))
        return order

    def rewards(self) -> list[float]:
        """[R8.8] Of a game that is over."""
        n, order, points = self.players, self.ranking(), self.p["points"]
        if self.team:
            return [1.0 if seat in order[:2] else -1.0 for seat in self.seats]
        if self.config["reward"] == "rank":
            return [1 - 2 * order.index(seat) / (n - 1) for seat in self.seats]
        scoring = BOARD["scoring"]
        most = scoring["place"][str(n)][0] + 5 * scoring["piece_on_earth"]
        most += 5 * (n - 1) * scoring["winner_per_captive"]
        least = 5 * min(scoring["eliminated_piece_in_ship"], scoring["eliminated_piece_on_board"])
        unit = sum(self.p["wins"]) * (most - least) * (n - 1) / n
        return [(points[seat] - sum(points) / n) / unit for seat in self.seats]


def initial(config: dict[str, Any], outcomes: list[str]) -> Position:
    """The first decision of a game [R3.1, R3.2]."""
    draws = iter(outcomes)
    n: int = settings(config)["players"]
    empty = {
        "game": "oduludo", "config": config, "phase": "move", "to_move": 0, "decisions": 0,
        "die": None, "sixes": 0, "star": False, "mover": None, "at": None, "fresh": [],
        "pieces": [dict.fromkeys(PIECES, "ship") for _ in range(n)],
        "status": ["playing"] * n, "ufos": [True] * n, "wins": [0] * n, "points": [0] * n,
    }  # fmt: skip
    oracle = Oracle(empty)
    seat = int(next(draws).removeprefix("!seat"))
    if not oracle.turn(seat, draws):
        oracle.next_turn(seat, draws)
    assert list(draws) == []
    return oracle.p
