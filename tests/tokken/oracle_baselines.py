"""The baselines of Tokken once more, in plain Python on positions [R12]; slow and independent."""

from collections.abc import Iterator
from typing import Any

from .oracle import RANKS, STEPS, Barred, Oracle

COST = {"X": 10, "K": 6, "A": 5, "J": 4, "7": 4, "4": 3}
APPROACH = {
    **dict.fromkeys((1, 2, 3, 6), 8),
    **dict.fromkeys((8, 9, 10, 12), 6),
    **dict.fromkeys((4, 5, 7, 13), 4),
    18: 2,
}
REACH = {
    **dict.fromkeys((1, 2, 3, 6), 0.10),
    **dict.fromkeys((4, 5), 0.05),
    **dict.fromkeys((7, 8, 9, 10, 12, 13), 0.08),
    18: 0.04,
}
ALIKE = 1e-9


# Tables -----------------------------------------------------------------------------------------


def after(o: Oracle, seat: int, move: str) -> Oracle:
    """The table after a play or a part of a seven; the turn does not pass."""
    trial = Oracle(o.p)
    if move.startswith("7"):
        place, steps = move[2:].split("+")
        color = trial.color(seat)
        trial.part((color, trial.p["pieces"][color].index(place)), int(steps))
    else:
        trial.apply(seat, move)
    return trial


def by_side(o: Oracle, side: int, worth: list[float]) -> float:
    """Own seats less the mean of the other sides."""
    own = sum(w for s, w in enumerate(worth) if o.side(s) == side)
    others: dict[int, float] = {}
    for s, w in enumerate(worth):
        if o.side(s) != side:
            others[o.side(s)] = others.get(o.side(s), 0.0) + w
    return own - sum(others.values()) / len(others)


def race_value(o: Oracle, side: int) -> float:
    length = len(o.ring)
    worth = []
    for seat in range(o.players):
        total = 0.0
        for place in o.p["pieces"][seat]:
            if place[0] == "H":
                total += 24 + length + 2 * int(place[1])
            elif place != "Y":
                way = 16 + o.progress(seat, place)
                total += way / 2 if o.is_hologram(place) else way
        worth.append(total)
    return by_side(o, side, worth)


def home_slots(o: Oracle, seat: int) -> list[int]:
    return sorted(int(place[1]) for place in o.p["pieces"][seat] if place[0] == "H")


def steps_home(o: Oracle, seat: int, place: str) -> int | None:
    shallowest = min(home_slots(o, seat), default=5)
    if shallowest == 1:
        return None
    return len(o.ring) - 2 - o.progress(seat, place) + shallowest - 1


def opposing(o: Oracle, seat: int) -> Iterator[tuple[int, str]]:
    """The ring pawns of other sides: (seat, place)."""
    for other in range(o.players):
        if o.side(other) != o.side(seat):
            yield from ((other, p) for p in o.p["pieces"][other] if o.is_ring(p))


def pawn_value(  # noqa: C901  as the rules tell it
    o: Oracle, seat: int, place: str
) -> float:
    if place == "Y":
        return 0.0
    if place[0] == "H":
        return 85 + 2 * int(place[1])
    length = len(o.ring)
    rel = o.progress(seat, place)
    if o.is_hologram(place):
        return 0.4 * (20 + 25 * min(rel, length - 2) / (length - 2))
    base = 20 + 25 * rel / (length - 2) + APPROACH.get(steps_home(o, seat, place) or 0, 0)
    base += 8 if rel <= 3 else 0
    here = o.ring.index(place)
    if rel == 0:
        near = [p for _, p in opposing(o, seat) if 1 <= (here - o.ring.index(p)) % length <= 13]
        return base + 3 + 2 * len(near)
    danger = 0.0
    for other, there in opposing(o, seat):
        if o.is_hologram(there):
            continue
        d = (here - o.ring.index(there)) % length
        if o.progress(other, there) + d <= length - 2:
            danger += REACH.get(d, 0) + (0.03 if d < 13 else 0)
        if (o.ring.index(there) - here) % length == 4:
            danger += 0.08
    for other in range(o.players):
        waits = "Y" in o.p["pieces"][other]
        if o.side(other) != o.side(seat) and place == o.start(other) and waits:
            danger += 0.35
    return base * (1 - min(0.6, danger))


def table_value(o: Oracle, side: int) -> float:
    worth = []
    for seat in range(o.players):
        total = sum(pawn_value(o, seat, place) for place in o.p["pieces"][seat])
        slots = home_slots(o, seat)
        if len(slots) == 4:
            total += 20
        elif slots:
            total -= 4 * sum(slot not in slots for slot in range(slots[0], 5))
        worth.append(total)
    return by_side(o, side, worth)


# Choices ----------------------------------------------------------------------------------------


def held(o: Oracle, seat: int) -> str:
    return str(o.p["hands"][seat] + o.p["extras"][seat])


def plays_of(o: Oracle, seat: int, rank: str) -> list[str]:
    """The legal plays of a card other than a seven."""
    found = []
    for move in o.card_plays(seat, rank):
        try:
            Oracle(o.p).apply(seat, move)
        except Barred:
            continue
        found.append(move)
    return found


def cost(o: Oracle, seat: int, rank: str) -> float:
    full = COST.get(rank, 0)
    no_yard = "Y" not in o.p["pieces"][o.color(seat)]
    return full / 2 if rank in "KAX" and no_yard else full


def best_of(values: dict[str, float], index: Any) -> str:
    """The highest value; of those that are alike the lowest action."""
    top = max(values.values())
    return str(min((m for m in values if values[m] > top - ALIKE), key=index))


def sequences(o: Oracle, seat: int) -> Iterator[tuple[list[str], Oracle]]:
    """All ways to complete a seven, the lowest slot and the fewest steps first."""
    color = o.color(seat)
    places = o.p["pieces"][color]
    order = sorted(range(4), key=lambda k: (-o.progress(color, places[k]), k))
    left = 7 if o.p["split"] is None else o.p["split"]["left"]
    for number in order:
        for steps in range(1, left + 1):
            trial = Oracle(o.p)
            name = places[number]
            try:
                trial.part((color, number), steps)
            except Barred:
                continue
            move = f"7 {name}+{steps}"
            if trial.p["split"]["left"] == 0 or trial.won(trial.side(seat)):
                yield [move], trial
            else:
                yield from (([move, *rest], end) for rest, end in sequences(trial, seat))


def best_sequence(o: Oracle, seat: int) -> tuple[str, Oracle] | None:
    best, top = None, 0.0
    for moves, end in sequences(o, seat):
        value = table_value(end, o.side(seat))
        if best is None or value > top + ALIKE:
            best, top = (moves[0], end), value
    return best


def follow_up(o: Oracle, seat: int, cards: str) -> float:
    side = o.side(seat)
    before = table_value(o, side)
    gains = [
        table_value(after(o, seat, move), side) - before - cost(o, seat, rank)
        for rank in sorted(set(cards) - {"7"})
        for move in plays_of(o, seat, rank)
    ]
    return 0.4 * max([0.0, *gains])


def worth_of(o: Oracle, end: Oracle, seat: int, rank: str) -> float:
    """The value of a play that leads to the table *end*."""
    side = o.side(seat)
    gain = table_value(end, side) - table_value(o, side) - cost(o, seat, rank)
    if end.won(side):
        return gain + 1000
    end.p["split"] = None
    return gain + follow_up(end, seat, held(o, seat).replace(rank, "", 1))


def kees_values(o: Oracle, seat: int, ranks: str) -> dict[str, float]:
    """The values of all plays of the cards *ranks*."""
    values = {}
    for rank in sorted(set(ranks)):
        if rank == "7":
            found = best_sequence(o, seat)
            if found is not None:
                values[found[0]] = worth_of(o, found[1], seat, rank)
        for move in plays_of(o, seat, rank):
            values[move] = worth_of(o, after(o, seat, move), seat, rank)
    return values


def needs(o: Oracle, seat: int) -> bool:
    places = o.p["pieces"][seat]
    return "Y" in places and not any(o.is_ring(place) for place in places)


def kees_gift(o: Oracle, seat: int) -> str:
    cards = held(o, seat)
    entries = [card for card in cards if card in "KAX"]
    if entries and needs(o, o.partner(seat)) and (len(entries) > 1 or not needs(o, seat)):
        return "give " + next(rank for rank in "KAX" if rank in entries)
    partners = o.color(o.partner(seat))
    wanted = {
        steps_home(o, partners, place)
        for place in o.p["pieces"][partners]
        if o.is_ring(place) and not o.is_hologram(place)
    }
    worth = {}
    for rank in sorted(set(cards), key=RANKS.index):
        values = kees_values(o, seat, rank)
        worth[rank] = max(values.values(), default=-COST.get(rank, 0)) + 2 * COST.get(rank, 0)
        worth[rank] += 50 if rank in "KAX" and needs(o, seat) else 0
        worth[rank] -= 15 if STEPS.get(rank) in wanted else 0
    low = min(worth.values())
    return "give " + next(rank for rank in worth if worth[rank] < low + ALIKE)


def kees(position: dict[str, Any], index: Any) -> str:
    """[R12.3 - R12.5]; *index* gives the action of a move."""
    o = Oracle(position)
    seat = position["to_move"]
    if position["phase"] == "exchange":
        return kees_gift(o, seat)
    if position["phase"] == "split":
        found = best_sequence(o, seat)
        assert found
        return found[0]
    values = kees_values(o, seat, held(o, seat))
    may_keep = not position["hands"][seat] and position["deal"] < 3
    if may_keep and max(values.values(), default=0.0) < 3:
        return "keep"
    return best_of(values, index) if values else "fold"


def racer(position: dict[str, Any], index: Any) -> str:
    """[R12.2]; *index* gives the action of a move."""
    o = Oracle(position)
    seat = position["to_move"]
    if position["phase"] == "exchange":
        cards = held(o, seat)
        entries = [card for card in cards if card in "KAX"]
        others = [card for card in cards if card not in "KAX"]
        if len(entries) > 1 or not others:
            return "give " + next(rank for rank in "KAX" if rank in entries)
        return "give " + max(others, key=lambda card: (STEPS.get(card, 0), RANKS.index(card)))
    moves = [move for move in o.legal_moves() if move not in ("keep", "fold")]
    if not moves:
        return o.legal_moves()[0]
    return best_of({m: race_value(after(o, seat, m), o.side(seat)) for m in moves}, index)
