"""What may be done in a position of Oduludo and what it does, in plain Python [R4].

`decide` stops when the move is complete, before the next die; `oduludo_games` plays on from there.
"""

from .oracle_words import BOARD, PIECES, Piece, Words, held_by


class Landings(Words):
    """Where a stack may go."""

    def rest_ok(self, stack: list[Piece], place: str) -> bool:
        """[R4.13]"""
        enemies = self.enemies(stack[0][0], place)
        if not enemies:
            return True
        if int(place[1:]) in BOARD["safe"]:
            return False
        return self.config["stack_protection"] == "none" or len(stack) >= len(enemies)

    def landing(self, stack: list[Piece], t: int, *, queen: bool = True) -> dict[str, str]:
        """What may come of a landing at progress t: where to, by the words of phase `sun`.

        A place is where the stack comes to rest; "fly" is to Earth by UFO. Empty: impossible.
        """
        seat = stack[0][0]
        last = self.globe(seat)
        t = 2 * last - t if t > last else t
        here = self.name(seat, t)
        ways: dict[str, str | None] = {"sun+": self.forward(stack, t, here)}
        if here[0] == "r" and int(here[1:]) in BOARD["suns"] and queen and self.backward(stack):
            before = [s for s in self.along(seat, BOARD["suns"]) if s < t]
            ways["sun-"] = self.first_ok(stack, *(self.name(seat, s) for s in before[-1:]))
        return {word: place for word, place in ways.items() if place is not None}

    def first_ok(self, stack: list[Piece], *places: str) -> str | None:
        return next((place for place in places if self.rest_ok(stack, place)), None)

    def forward(self, stack: list[Piece], t: int, here: str) -> str | None:
        """[R4.15 - R4.17, R4.19 - R4.21]"""
        seat, early = stack[0][0], self.early(stack)
        if here[0] != "r":
            return None if here == "earth" and early else here
        square = int(here[1:])
        if square in BOARD["suns"]:
            top = self.route(seat) - 1
            after = next((s for s in self.along(seat, BOARD["suns"]) if s > t), top)
            if after == top and not early:
                return "earth"
            return self.first_ok(stack, self.name(seat, after), here)
        if square in BOARD["lightnings"]:
            return self.first_ok(stack, self.lightning_before(seat, t), here)
        if square in self.parked() and not early:
            return "fly"
        return self.first_ok(stack, here)

    def lightning_before(self, seat: int, t: int) -> str:
        """The previous Lightning of the route, or the own Moon [R4.19]."""
        before = [s for s in self.along(seat, BOARD["lightnings"]) if s < t]
        return self.name(seat, before[-1] if before else 0)

    def parked(self) -> list[int]:
        """The squares with a UFO."""
        return [BOARD["ufo"][self.colors[s]] for s in self.seats if self.p["ufos"][s]]

    def target(self, stack: list[Piece], move: str) -> int:
        """The progress a walk comes to, before any effect; -1 behind the own Moon."""
        at = self.progress(stack[0][0], self.place(stack[0]))
        die = int(self.p["die"])
        return max(-1, at - die) if move == "mQ-" else at + die

    # Legal moves

    def walks(self, stack: list[Piece]) -> list[str]:
        """The moves of a stack that are possible, duty aside [R4.7, R4.8]."""
        moves = ["m" + stack[0][1]] + (["mQ-"] if self.backward(stack) else [])
        at = {move: self.target(stack, move) for move in moves}
        return [move for move in moves if at[move] >= 0 and self.landing(stack, at[move])]

    def entries(self, seat: int) -> list[str]:
        """[R4.9]"""
        if self.p["die"] not in (1, 6) or self.enemies(seat, f"r{self.moon(seat)}"):
            return []
        return sorted({"d" + name[0] for _, name in self.stack_at(seat, "ship")})

    def legal_moves(self) -> list[str]:
        p, seat = self.p, self.p["to_move"]
        words = {"over": "", "capture": "send abduct", "oduludo": "oduludo decline"}
        words["sun"] = "sun+ sun-"
        if p["phase"] != "move":
            return sorted(words[p["phase"]].split())
        bound = [
            move
            for stack in self.stacks(seat)
            if self.bars(seat, self.place(stack[0])) and not self.is_fresh(stack)
            for move in self.walks(stack)
        ]
        walks = [move for stack in self.stacks(seat) for move in self.walks(stack)]
        return sorted(bound or walks + self.entries(seat))

    def is_fresh(self, stack: list[Piece]) -> bool:
        return any(name in self.p["fresh"] for _, name in stack)


class Moves(Landings):
    """What a decision does on the board. Phase "done": the move is complete."""

    def decide(self, move: str, face: str = "") -> None:
        """Carry out a legal move, with the face of the ODULUDO die where it is rolled."""
        p, seat = self.p, self.p["to_move"]
        if move in ("send", "abduct"):
            self.capture(self.stack_of((seat, p["mover"])), move)
        elif move == "decline":
            p["phase"] = "done"
        elif move == "oduludo":
            self.roll_oduludo(self.stack_of((seat, p["mover"])), face)
        elif move[0] == "d":
            piece = next(x for x in self.stack_at(seat, "ship") if x[1][0] == move[1])
            self.rest([piece], f"r{self.moon(seat)}")
        elif move in ("sun+", "sun-"):
            stack = self.stack_of((seat, p["mover"]))
            ways = self.landing(stack, self.progress(seat, p["at"]))
            self.arrive(stack, p["at"], ways[move])
        else:
            stack = self.stack_of((seat, move[1:].rstrip("-")))
            self.land(stack, self.target(stack, move))
        if p["phase"] in ("done", "over"):
            p["mover"] = None
        if p["phase"] != "sun":
            p["at"] = None
        self.statuses()

    def land(self, stack: list[Piece], t: int, *, queen: bool = True) -> None:
        """Land at progress t; a stack that cannot stays where it is."""
        p, seat = self.p, stack[0][0]
        ways = self.landing(stack, t, queen=queen)
        if len(ways) == 2:
            p["phase"], p["mover"], p["at"] = "sun", stack[0][1], self.name(seat, t)
        elif ways:
            self.arrive(stack, self.name(seat, t), next(iter(ways.values())))
        else:
            p["phase"] = "done"

    def arrive(self, stack: list[Piece], at: str, place: str) -> None:
        seat = stack[0][0]
        if place == "fly":
            owner = next(s for s in self.seats if at == f"r{BOARD['ufo'][self.colors[s]]}")
            self.p["ufos"][owner] = False
        if place in ("earth", "fly"):
            for captive in self.cargo(stack):
                self.put(captive, f"held:{seat}:earth")
            for piece in stack:
                self.put(piece, "earth")
            self.p["phase"] = "done"
        else:
            self.rest(stack, place)

    def rest(self, stack: list[Piece], place: str) -> None:
        """[R4.23]"""
        p, seat = self.p, stack[0][0]
        cargo = self.cargo(stack) + self.cargo(self.stack_at(seat, place))
        for piece in stack:
            self.put(piece, place)
        merged = self.stack_at(seat, place)
        for captive in cargo:
            self.put(captive, held_by(merged))
        p["mover"] = merged[0][1]
        moved = [name for _, name in stack]
        fresh = [name for name in p["fresh"] if name not in moved]
        if self.bars(seat, place):
            fresh += [name for _, name in merged]
        p["fresh"] = [name for name in PIECES if name in fresh]
        if place[0] == "r" and int(place[1:]) in BOARD["stars"]:
            p["star"] = True
        p["phase"] = "capture" if self.enemies(seat, place) else self.after_capture(place)

    def after_capture(self, place: str) -> str:
        return "oduludo" if place[0] == "r" and int(place[1:]) in BOARD["circles"] else "done"

    def roll_oduludo(self, stack: list[Piece], face: str) -> None:
        """[R4.25]"""
        seat = stack[0][0]
        s = self.progress(seat, self.place(stack[0]))
        self.p["phase"] = "done"
        if face == "earth" and not self.early(stack):
            self.arrive(stack, "", "earth")
        elif face in ("sunA", "sunB"):
            sun = next(t for t in self.along(seat, BOARD["suns"]) if t > s)
            self.land(stack, sun, queen=False)
        elif face == "plus3":
            self.land(stack, s + 3)
        elif face in ("lightning", "moon"):
            place = self.lightning_before(seat, s) if face == "lightning" else self.name(seat, 0)
            if self.rest_ok(stack, place):
                self.rest(stack, place)

    def capture(self, stack: list[Piece], choice: str) -> None:
        """[R4.26 - R4.30]"""
        seat, place = stack[0][0], self.place(stack[0])
        victims, cargo = self.enemies(seat, place), self.cargo(stack)
        freed = [c for b in self.seats if b != seat for c in self.cargo(self.victim(seat, b))]
        others = [piece for piece in freed if self.side(piece[0]) != self.side(seat)]
        for piece in freed:
            if piece not in others:
                self.put(piece, place)
        stack = self.stack_at(seat, place)
        self.p["mover"] = stack[0][1]
        if choice == "abduct":
            cargo += victims + others
        for captive in cargo:
            self.put(captive, held_by(stack))
        self.p["phase"] = self.after_capture(place)
        if choice == "send":
            for piece in victims:
                self.put(piece, "ship")
            self.release(others)
            kings = [owner for owner, name in victims if name == "K"]
            if kings:
                self.eliminate(kings[0])

    def victim(self, seat: int, other: int) -> list[Piece]:
        """The stack of one enemy where the mover stands."""
        place = self.place((seat, self.p["mover"]))
        return [piece for piece in self.enemies(seat, place) if piece[0] == other]

    def release(self, captives: list[Piece]) -> None:
        """[R4.28]"""
        for piece in captives:
            self.put(piece, "ship" if self.playing(piece[0]) else "off")

    def eliminate(self, owner: int) -> None:
        """[R4.30, R4.31]"""
        scoring = BOARD["scoring"]
        order = self.order("out")
        for seat in self.members(owner):
            ship = self.stack_at(seat, "ship")
            board = [piece for piece in self.free(seat) if piece not in ship]
            self.p["points"][seat] += len(ship) * scoring["eliminated_piece_in_ship"]
            self.p["points"][seat] += len(board) * scoring["eliminated_piece_on_board"]
            for stack in self.stacks(seat):
                self.release(self.cargo(stack))
            for piece in self.free(seat):
                self.put(piece, "off")
            self.p["status"][seat] = f"out:{order}"

    def order(self, what: str) -> int:
        """The number of the next side to finish or to go out."""
        gone = {self.side(s) for s in self.seats if self.p["status"][s].startswith(what)}
        return 1 + len(gone)

    def statuses(self) -> None:
        """[R4.32]"""
        for seat in self.seats:
            side = self.members(seat)
            if self.playing(seat) and not any(self.free(member) for member in side):
                home = any(self.stack_at(member, "earth") for member in side)
                what = "finished" if home else "out"
                status = f"{what}:{self.order(what)}"
                for member in side:
                    self.p["status"][member] = status
        seat = self.p["to_move"]
        kept = [n for n in self.p["fresh"] if self.bars(seat, self.place((seat, n)))]
        self.p["fresh"] = kept

    def sides_playing(self) -> int:
        return len({self.side(seat) for seat in self.seats if self.playing(seat)})
