"""The baselines of Tacocat in plain Python, sentence by sentence as in [R12].

Each takes a position in which *seat* is to move and reads only what that seat may know: its own
cards, the face-up cards, and how many cards the opponent holds.
"""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from math import comb
from random import Random

from .oracle import Position, attack_cards, attacks, floor, legal_moves, unseen

SAMPLES = 24
MOST_SEARCHED = 6  # with more cards in hand `strong` plays like `solid` [R12.5]


def candidates(position: Position, seat: int) -> list[int]:
    """U of [R12.1]: the unseen cards that the opponent may hold."""
    return [card for card in unseen(position, seat) if card >= floor(position, 1 - seat)]


def opponent_size(position: Position, seat: int) -> int:
    """m of [R12.1]: how many cards the opponent has in hand."""
    return len(position["hands"][1 - seat])


# ------------------------------------------------------------------ novice [R12.3]


def novice(position: Position, seat: int) -> str:
    """Replace the middle, show the highest, attack with the highest, defend with the lowest."""
    moves, hand, phase = legal_moves(position), position["hands"][seat], position["phase"]
    if phase == "replace":
        return _first_legal([f"x{rank}" for rank in (4, 5, 6, 7)], moves) or "xx"
    if phase == "duel":
        return f"d{max(hand)}"
    if phase == "attack":
        return f"a{max(hand)}"
    return _first_legal([f"b{rank}" for rank in sorted(hand)], moves) or "s"


def _first_legal(wanted: Sequence[str], moves: Sequence[str]) -> str | None:
    return next((move for move in wanted if move in moves), None)


# ------------------------------------------------------------------ solid [R12.4]


def solid(position: Position, seat: int) -> str:
    """Odds for the attack, thrift for the defence."""
    hand = sorted(position["hands"][seat])
    phase = position["phase"]
    if phase == "replace":
        return _solid_replace(position, seat, hand)
    if phase == "duel":
        return f"d{hand[len(hand) // 2]}"
    if phase == "attack":
        pool, size = candidates(position, seat), opponent_size(position, seat)
        return max(legal_moves(position), key=lambda move: _attack_key(move, hand, pool, size))
    return _solid_defend(position, hand)


def _solid_replace(position: Position, seat: int, hand: list[int]) -> str:
    wanted = [3, 4, 5, 6, 7]
    if min(hand + position["aside"][seat]) == 3 and hand.count(3) == 1:
        wanted.remove(3)
    return _first_legal([f"x{rank}" for rank in wanted], legal_moves(position)) or "xx"


def _attack_key(
    move: str, hand: list[int], pool: list[int], size: int
) -> tuple[bool, float, int, int, str]:
    cards = attack_cards(move)
    left = Counter(hand) - Counter(cards)
    odds = max(
        _fewer_than(number, sum(held >= card for held in pool), len(pool), size)
        for number, card in enumerate(cards, start=1)
    )
    return left[min(hand)] > 0, round(float(odds), 6), len(cards), -sum(cards), move


def _fewer_than(number: int, good: int, total: int, size: int) -> Fraction:
    """P(X < number), X the good cards among *size* drawn from *total* of which *good* are."""
    ways = sum(
        comb(good, hits) * comb(total - good, size - hits) for hits in range(number) if hits <= size
    )
    return Fraction(ways, comb(total, size))


def _solid_defend(position: Position, hand: list[int]) -> str:
    attack = position["attack"]
    answers = sorted({card for card in hand if card >= attack[0]})
    if not answers:
        return "s"
    highest = sorted(hand, reverse=True)
    can_answer_all = all(mine >= theirs for mine, theirs in zip(highest, attack, strict=False))
    if not position["trick_lost"] and not can_answer_all:
        return f"b{answers[0]}" if answers[0] > hand[0] else "s"
    if len(attack) == 1 and answers[0] == hand[0] and len(answers) > 1:
        return f"b{answers[1]}"
    return f"b{answers[0]}"


# ------------------------------------------------------------------ strong [R12.5]


def sample_hands(position: Position, seat: int, rng: Random) -> list[list[int]]:
    """The 24 hands the opponent may hold that `strong` looks at."""
    pool, size = candidates(position, seat), opponent_size(position, seat)
    return [sorted(rng.sample(pool, size)) for _ in range(SAMPLES)]


def is_searched(position: Position, seat: int) -> bool:
    """Whether `strong` searches here; elsewhere it plays as `solid` does."""
    return (
        position["phase"] in ("attack", "defend")
        and len(position["hands"][seat]) <= MOST_SEARCHED
        and len(legal_moves(position)) > 1
    )


def strong(position: Position, seat: int, samples: Sequence[Sequence[int]]) -> str:
    """Look at *samples* of the opponent's hand, play each to the end with open cards."""
    if not is_searched(position, seat):
        return solid(position, seat)
    totals = action_totals(position, seat, samples)
    best = max(totals.values())
    choice = solid(position, seat)
    return choice if totals[choice] == best else min(m for m in totals if totals[m] == best)


def action_totals(
    position: Position, seat: int, samples: Sequence[Sequence[int]]
) -> dict[str, int]:
    """For each legal action the sum over *samples* of what the round is worth to *seat*."""
    solver, mine = OpenHands(), tuple(sorted(position["hands"][seat]))
    totals = dict.fromkeys(legal_moves(position), 0)
    for sample in samples:
        theirs = tuple(sorted(sample))
        for move in totals:
            if position["phase"] == "attack":
                totals[move] += solver.after_attack(mine, theirs, move)
            else:
                attack, is_lost = tuple(position["attack"]), position["trick_lost"]
                totals[move] -= solver.after_answer(theirs, mine, attack, move, is_lost=is_lost)
    return totals


Hand = tuple[int, ...]


class OpenHands:
    """The rest of a round solved with both hands open.

    Values are the attacker's: +1 with the lower last card, 0 equal, -1 the higher. The
    defender holds as many cards as the attacker and the attack together.
    """

    def __init__(self) -> None:
        self.memo: dict[tuple[Hand, Hand, Hand, bool], int] = {}

    def value(self, attacker: Hand, defender: Hand, attack: Hand, *, is_lost: bool) -> int:
        """Worth to the attacker under perfect play; *attack* () means that they are to attack."""
        key = (attacker, defender, attack, is_lost)
        if key not in self.memo:
            self.memo[key] = self._solve(*key[:3], is_lost=is_lost)
        return self.memo[key]

    def _solve(self, attacker: Hand, defender: Hand, attack: Hand, *, is_lost: bool) -> int:
        if not attack:
            if len(attacker) == 1:
                return (attacker[0] < defender[0]) - (attacker[0] > defender[0])
            moves = attacks(list(attacker))
            return max(self.after_attack(attacker, defender, move) for move in moves)
        answers = ["s"] + [f"b{rank}" for rank in set(defender) if rank >= attack[0]]
        return min(
            self.after_answer(attacker, defender, attack, answer, is_lost=is_lost)
            for answer in answers
        )

    def after_attack(self, attacker: Hand, defender: Hand, move: str) -> int:
        """Worth to the attacker after laying *move*."""
        cards = attack_cards(move)
        return self.value(_without(attacker, cards), defender, tuple(cards), is_lost=False)

    def after_answer(
        self, attacker: Hand, defender: Hand, attack: Hand, answer: str, *, is_lost: bool
    ) -> int:
        """Worth to the attacker once *answer* has met the first card of *attack*."""
        card = defender[0] if answer == "s" else int(answer[1:])
        left, is_lost = _without(defender, [card]), is_lost or answer == "s"
        if len(attack) > 1:
            return self.value(attacker, left, attack[1:], is_lost=is_lost)
        if is_lost or len(left) == 1:
            return self.value(attacker, left, (), is_lost=False)
        return -self.value(left, attacker, (), is_lost=False)


def _without(hand: Hand, cards: Sequence[int]) -> Hand:
    left = list(hand)
    for card in cards:
        left.remove(card)
    return tuple(left)
