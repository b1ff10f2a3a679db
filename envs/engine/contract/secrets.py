"""Promises about what a seat may not know: it does not show, and it is really re-drawn."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache, lru_cache
from itertools import pairwise

import numpy as np

from ..dtypes import CHANCE, Json, States
from .rows import different_numbers
from .sample import Moment, Sample, expect

Twins = tuple[Moment, Moment, Moment, list[int]]
"""Where two positions part, the two, and the seats that cannot tell them apart."""

REDRAWS = 6
"""How often each position is re-drawn to see what may change."""

OFTEN = 5
"""A number that was hidden in fewer pairs of positions need not turn up among the re-draws."""


def seats_see_no_secrets(sample: Sample) -> None:
    """What a seat sees and may do is the same, byte for byte, when its secrets are re-drawn."""
    streams, seats = sample.streams(), sample.shape.seats
    for number, moment in enumerate(sample.moments(250)):
        for seat in range(seats):
            states = sample.redraw(moment.states, seat, streams)
            # Pictures take longest, so one seat in turn looks at them. Where nothing is hidden
            # they cannot differ, unless they are drawn with chance: a few are enough to see that.
            is_hidden = states.tobytes() != moment.states.tobytes()
            if not is_hidden and number % 11:
                continue
            drawn, redrawn = number % seats == seat, replace(moment, states=states)
            before = _seen(sample, moment, seat, drawn=drawn)
            after = _seen(sample, redrawn, seat, drawn=drawn)
            different = [name for name in before if before[name] != after[name]]
            same = f"the same for player_{seat} whatever it cannot know"
            expect(not different, same, f"other {different} in {redrawn.position}", moment)


def _seen(sample: Sample, moment: Moment, seat: int, *, drawn: bool) -> Json:
    """All that comes to the eyes of a seat, by name; the pictures if *drawn*."""
    spec, verbs, states = sample.spec, sample.spec.verbs, moment.states
    mover = int(verbs.to_move(states, 0))
    return (_drawings(moment, seat) if drawn else {}) | {
        "to_move": mover,
        "observation": sample.observation(states, seat).tobytes(),
        "action_mask": sample.mask(states).tobytes() if mover == seat else None,
        "legal_moves": spec.legal_moves(states, 0) if mover == seat else None,
        "infos": spec.infos(states, 0),
        "rewards": sample.returns(states).tobytes(),
        "truncated": bool(verbs.is_truncated(states, 0)),
    }


def _drawings(moment: Moment, seat: int) -> Json:
    """What is drawn and said of a moment for a seat, by the function of the spec."""
    position, last_move = moment.position, moment.last_move
    names = ("draw_text", "draw_svg") + ("describe_last_move",) * (last_move is not None)
    return {
        name: getattr(moment.spec, name)(position, viewer=seat, last_move=last_move)
        for name in names
    }


def last_moves_tell_no_secrets(sample: Sample) -> None:
    """If a seat cannot tell two moves apart, neither can it by the last move as described."""
    for moment, one, other, blind in _twins(sample):
        if one.last_move is None or one.last_move == other.last_move:
            continue
        for seat in blind:
            after, after_other = _drawings(one, seat), _drawings(other, seat)
            for name in after:
                same = f"the same from {name} for player_{seat} after {one.last_move} and "
                same += f"after {other.last_move}"
                expect(after[name] == after_other[name], same, "different ones", moment)


def secrets_are_redrawn(sample: Sample) -> None:
    """What differs between positions that a seat cannot tell apart is re-drawn now and then.

    What is drawn does not depend on what it was, or a search would choose by it.
    """
    seats, streams = sample.shape.seats, sample.streams()
    hidden = [Counter[str]() for _ in range(seats)]
    redrawn: list[set[str]] = [set() for _ in range(seats)]
    for _, one, other, blind in _twins(sample):
        different = different_numbers(one.states, other.states)
        for seat in blind:
            hidden[seat].update(different)
    for moment in sample.moments(500):
        for seat in range(seats):
            draws = [sample.redraw(moment.states, seat, streams) for _ in range(REDRAWS)]
            again = [
                sample.redraw(states, seat, streams.copy()) for states in (moment.states, draws[0])
            ]
            alike = not different_numbers(*again)
            expect(alike, "a redraw by the stream and what the seat sees alone", "others", moment)
            found = different_numbers(np.concatenate(draws), moment.states)
            redrawn[seat] |= found
            sample.redrawn[seat] += bool(found)
    for seat in range(seats):
        often = {number for number, times in hidden[seat].items() if times >= OFTEN}
        missing = ", ".join(sorted(often - redrawn[seat]))
        hides = f"what player_{seat} cannot know: {', '.join(sorted(often))}"
        expect(not missing, f"determinize to re-draw {hides}", f"never another {missing}")


@lru_cache(maxsize=1)  # two promises look at them
def _twins(sample: Sample) -> list[Twins]:
    """Pairs of positions that differ by one action or outcome that some seat cannot see."""
    spec, found = sample.spec, list[Twins]()
    for moment in sample.decisions(150):
        twins = []
        for action in sample.mask(moment.states).nonzero()[0].tolist():
            move = spec.action_to_move(moment.states, 0, action)
            states = sample.after(moment.states, action)
            twins.append(replace(moment, states=states, last_move=move))
        found += _pairs(sample, moment, twins)
    for moment in sample.chances(150):
        outcomes = sample.weights(moment.states).nonzero()[0].tolist()
        drawn = [sample.drawn(moment.states, outcome) for outcome in outcomes]
        twins = [replace(moment, states=states, last_move=None) for states in drawn]
        found += _pairs(sample, moment, twins)
    return found


def _pairs(sample: Sample, moment: Moment, twins: list[Moment]) -> Iterator[Twins]:
    """Neighbours that some seat cannot tell apart, as nothing public differs between them."""
    settled = [t for t in twins if sample.spec.verbs.to_move(t.states, 0) != CHANCE]

    @cache  # each but the first and the last has two neighbours
    def seen(number: int, seat: int) -> bytes:
        return sample.observation(settled[number].states, seat).tobytes()

    @cache
    def public(number: int, seat: int) -> tuple[int, Json, str]:
        return _public(sample, settled[number].states, seat)

    for k, (one, other) in enumerate(pairwise(settled)):
        if one.states.tobytes() != other.states.tobytes():
            blind = [
                seat
                for seat in range(sample.shape.seats)
                if seen(k, seat) == seen(k + 1, seat) and public(k, seat) == public(k + 1, seat)
            ]
            if blind:
                yield moment, one, other, blind


def _public(sample: Sample, states: States, seat: int) -> tuple[int, Json, str]:
    spec = sample.spec
    picture = spec.draw_text(spec.position(states, 0), viewer=seat, last_move=None)
    return int(spec.verbs.to_move(states, 0)), spec.infos(states, 0), picture


def redraws_are_possible(sample: Sample) -> None:
    """A re-drawn position is one of the game: it round-trips and can be played to the end."""
    spec, streams, choose = sample.spec, sample.streams(), sample.random(-1 % 2**32)
    for moment in sample.decisions(100):
        for seat in range(sample.shape.seats):
            states = sample.redraw(moment.states, seat, streams)
            restored = spec.from_position(spec.position(states, 0))
            expect(restored.tobytes() == states.tobytes(), "a position", "another", moment)
            for _ in range(20):
                legal = sample.mask(states).nonzero()[0]
                if not legal.size:
                    break
                spec.verbs.step(states, 0, int(legal[choose.integers(legal.size)]))
                sample.settle(states, streams)
            spec.from_position(spec.position(states, 0))
