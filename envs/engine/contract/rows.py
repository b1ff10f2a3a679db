"""Promises of a game's verbs, notation and positions, checked on records."""

import json
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from ..dtypes import OVER, Json, States
from ..errors import ContractError, NotationError, PositionError
from .sample import GARBAGE, Moment, Sample, expect, expect_raised

NOT_A_WORD = "?!"
"""No move and no outcome of any game."""

NOT_WORDS: tuple[Any, ...] = (NOT_A_WORD, "", None, 0)

RUBBISH: tuple[Any, ...] = (None, "?", -1, [], {}, True, 1.5, [[]], 10**9)
"""What the keys of a position are set to, one by one."""


def records_have_no_padding(sample: Sample) -> None:
    """The fields fill the record: NumPy does not copy what lies between them."""
    record = sample.spec.record
    filled = sum(record[name].itemsize for name in record.names or ())
    expect(filled == record.itemsize, f"fields of {record.itemsize} bytes in all", filled)


def games_come_to_an_end(sample: Sample) -> None:
    """Random play ends, every decision has a legal action, every chance event an outcome."""
    for game in sample.games:
        expect(game.plies, "at least one decision in a game", "none", game.end)


def verbs_depend_on_the_record_alone(sample: Sample) -> None:
    """The same action or outcome on the same record gives the same record: no verb draws."""
    verbs = sample.spec.verbs
    for moment in sample.decisions(400):
        results = set()
        for _ in range(3):
            states = moment.states.copy()
            results.add((int(verbs.step(states, 0, moment.action)), states.tobytes()))
        expect(len(results) == 1, "one result of one action", "different ones", moment)
    for moment in sample.chances(200):
        outcome = int(sample.weights(moment.states).argmax())
        records = {sample.drawn(moment.states, outcome).tobytes() for _ in range(3)}
        expect(len(records) == 1, "one result of one chance outcome", "different ones", moment)


def verbs_keep_to_their_row(sample: Sample) -> None:
    """A verb changes no other row; those that only look change nothing."""
    for moment in sample.moments(100):
        _changes(sample, moment, "reset")
        if moment.mover != OVER:
            _changes(sample, moment, "step", moment.action)
        for seat in range(sample.shape.seats):
            _changes(sample, moment, "determinize", seat, sample.streams(), 0)
        for name, arguments in _looks(sample):
            changed = _changes(sample, moment, name, *arguments)
            expect(not changed, f"{name} to change nothing", "a changed record", moment)
    for moment in sample.chances(50):
        outcome = int(sample.weights(moment.states).argmax())
        _changes(sample, moment, "step_chance", outcome)


def _looks(sample: Sample) -> list[tuple[str, tuple[Any, ...]]]:
    """The verbs that only look, with their arguments after the row."""
    shape = sample.shape
    seen = np.zeros(shape.observation, np.float32)
    return [
        ("to_move", ()),
        ("is_truncated", ()),
        ("legal_mask", (np.zeros(shape.actions, np.int8),)),
        ("returns", (np.zeros(shape.seats, np.float32),)),
        ("full_state", (np.zeros(shape.state, np.float32),)),
        *(("observe", (seat, seen)) for seat in range(shape.seats)),
    ]


def _changes(sample: Sample, moment: Moment, verb: str, *arguments: Any) -> bool:
    """Whether *verb* changes its row, the middle one of three; the others must stay."""
    other = sample.games[0].end.states
    rows = np.concatenate([other, moment.states, other])
    getattr(sample.spec.verbs, verb)(rows, 1, *arguments)
    around = rows[0].tobytes() + rows[2].tobytes()
    expect(around == 2 * other.tobytes(), f"{verb} to keep to its row", "another changed", moment)
    return bool(rows[1].tobytes() != moment.states.tobytes())


def masks_name_the_legal_moves(sample: Sample) -> None:
    """Every entry is written, 0 or 1; none is set at the end or while chance is due."""
    spec = sample.spec
    for moment in sample.moments(1000):
        mask = sample.mask(moment.states)
        expect(set(mask.tolist()) <= {0, 1}, "masks of 0 and 1", sorted(set(mask.tolist())), moment)
        wanted = "legal actions at decisions and only there"
        expect(mask.any() == (moment.mover != OVER), wanted, f"{mask.sum()} of them", moment)
        names = sorted(spec.action_to_move(moment.states, 0, int(a)) for a in mask.nonzero()[0])
        moves = spec.legal_moves(moment.states, 0)
        expect(moves == names, f"the legal moves {names}", moves, moment)
        expect(len(set(moves)) == len(moves), "different names of the legal moves", moves, moment)
    for moment in sample.chances(100):
        mask = sample.mask(moment.states)
        expect(not mask.any(), "no legal action while chance is due", mask.nonzero()[0], moment)


def notation_round_trips(sample: Sample) -> None:
    """Every action and every outcome has a name that leads back to it; other text is refused."""
    spec, shape = sample.spec, sample.shape
    for moment in sample.moments(20):
        states = moment.states
        for number in range(shape.actions):
            text = spec.action_to_move(states, 0, number)
            back = spec.move_to_action(states, 0, text)
            expect(back == number, f"{text!r} to be action {number}", back, moment)
        for number in range(shape.outcomes):
            text = spec.outcome_to_text(states, 0, number)
            back = spec.text_to_outcome(states, 0, text)
            expect(back == number, f"{text!r} to be outcome {number}", back, moment)
            expect(text.startswith("!"), "names of outcomes that begin with !", repr(text), moment)
        for read in (spec.move_to_action, spec.text_to_outcome):
            for wrong in NOT_WORDS:
                _refuses(NotationError, read, states, 0, wrong, where=moment)


def positions_round_trip(sample: Sample) -> None:
    """A position is plain JSON, and the record read from it is the same, byte for byte."""
    spec = sample.spec
    for moment in sample.moments(300):
        position = moment.position
        again = json.loads(json.dumps(position, allow_nan=False))
        expect(again == position, "a position of plain JSON", again, moment)
        expect(position.get("game") == spec.name, f"game {spec.name!r}", position, moment)
        _comes_back(sample, position, moment.states, moment)


def _comes_back(sample: Sample, position: Json, states: States, where: Moment) -> None:
    spec = sample.spec
    restored = spec.from_position(position)
    expect(restored.shape == (1,), "from_position to give one record", restored.shape, where)
    different = different_numbers(restored, states)
    expect(not different, "the same record from its position", f"other {sorted(different)}", where)
    options = spec.read_options(restored, 0)
    expect(options == sample.options, f"the options {sample.options!r}", repr(options), where)


def different_numbers(ones: States, other: States) -> set[str]:
    """The numbers in which one of some records differs from another, by field and index."""
    found = set()
    for name in other.dtype.names or ():
        for index in np.argwhere((ones[name] != other[name]).any(axis=0)).tolist():
            found.add(f"{name}{index or ''}")
    return found


def legal_moves_lead_to_positions(sample: Sample) -> None:
    """Every legal action, not only the one played, leads to a position that the rules allow."""
    spec, streams = sample.spec, sample.streams()
    for moment in sample.decisions(100):
        for action in sample.mask(moment.states).nonzero()[0]:
            states = sample.after(moment.states, int(action))
            sample.settle(states, streams)
            move = spec.action_to_move(moment.states, 0, int(action))
            position = spec.position(states, 0)
            try:
                _comes_back(sample, position, states, moment)
            except (PositionError, ContractError) as error:
                raise ContractError(
                    f"expected {move} to lead to a position of the game, got: {error}{moment}"
                ) from None


def broken_positions_are_refused(sample: Sample) -> None:
    """What is not a position raises `PositionError`; what is accepted is read as it is written."""
    spec = sample.spec
    for moment in sample.moments(8):
        position = moment.position
        for rubbish in RUBBISH:
            for key in position:
                _refused_or_kept(sample, {**position, key: rubbish}, moment)
        fewer = [{k: value for k, value in position.items() if k != key} for key in position]
        other = [{**position, **wrong} for wrong in ({"?": 1}, {"game": "?"}, {"config": {"?": 1}})]
        for wrong in (*RUBBISH, *fewer, *other):
            _refuses(PositionError, spec.from_position, wrong, where=moment)


def _refused_or_kept(sample: Sample, position: Json, where: Moment) -> None:
    try:
        states = sample.spec.from_position(position)
    except PositionError:
        return
    again = sample.spec.position(states, 0)
    expect(again == position, "a PositionError or the same position", again, where)


def _refuses(error: type[Exception], call: Callable[..., Any], *args: Any, where: Moment) -> None:
    expect_raised(error, partial(call, *args), f" for {args[-1]!r}{where}")


def chance_has_weights(sample: Sample) -> None:
    """The weights of what is due are whole numbers from 0, and each possible outcome can happen."""
    spec = sample.spec
    for moment in sample.chances(200):
        weights = sample.weights(moment.states)
        expect((weights >= 0).all(), "weights of at least 0", weights.tolist(), moment)
        for outcome in weights.nonzero()[0]:
            states = sample.drawn(moment.states, int(outcome))
            mover = spec.verbs.to_move(states, 0)
            expect(mover >= OVER, "a seat, CHANCE or OVER after chance", mover, moment)
            (name,) = sample.script(states, [int(outcome)])
            is_other = states.tobytes() != moment.states.tobytes()
            expect(is_other, f"outcome {name} to change the record", "no change", moment)


def rewards_wait_for_the_end(sample: Sample) -> None:
    """`returns` is all 0 before the end, also while chance is due; `is_truncated` is false."""
    for moment in [*sample.decisions(1000), *sample.chances(200)]:
        rewards = sample.returns(moment.states)
        expect(not rewards.any(), "rewards of 0 before the end", rewards.tolist(), moment)
        truncated = sample.spec.verbs.is_truncated(moment.states, 0)
        expect(not truncated, "a running game not to be truncated", truncated, moment)


def final_rewards_balance(sample: Sample) -> None:
    """Final rewards lie in -1..1, partners get the same, and they sum to 0 if the spec says so.

    Scores are those of `infos`.
    """
    spec = sample.spec
    teams = list(spec.teams(sample.options))
    expect(len(teams) == sample.shape.seats, "a team for every seat", teams)
    for game in sample.games:
        rewards = sample.returns(game.end.states)
        expect((np.abs(rewards) <= 1).all(), "rewards in -1..1", rewards.tolist(), game.end)
        pairs = set(zip(teams, rewards.tolist(), strict=True))
        alike = len(pairs) == len(set(teams))
        expect(alike, "equal rewards of partners", rewards.tolist(), game.end)
        balanced = not spec.zero_sum or abs(float(rewards.sum())) < 1e-5
        expect(balanced, "rewards that sum to 0", rewards.tolist(), game.end)
        scores = spec.infos(game.end.states, 0).get("scores")
        complete = isinstance(scores, list) and len(scores) == len(teams)
        expect(complete, "a score per seat in infos", scores, game.end)
        if spec.verbs.scores is not spec.verbs.returns:  # which is what a game gets without them
            written = np.full(len(teams), GARBAGE, np.float32)
            spec.verbs.scores(game.end.states, 0, written)
            expect(written.tolist() == scores, f"the scores {scores} of infos", written, game.end)


def observations_fit_their_space(sample: Sample) -> None:
    """Segments cover the observation, every number is written and lies in its segment's range."""
    verbs, shape = sample.spec.verbs, sample.shape
    segments = sample.spec.segments_of(sample.options)
    sizes = [segment.size for segment in segments]
    expect(sum(sizes) == shape.observation, f"segments of {shape.observation}", sum(sizes))
    names = [segment.name for segment in segments]
    expect(len(set(names)) == len(names), "different names of the segments", names)
    low = np.repeat([segment.low for segment in segments], sizes)
    high = np.repeat([segment.high for segment in segments], sizes)
    for moment in sample.moments(1000):
        for seat in range(shape.seats):
            seen = sample.observation(moment.states, seat)
            # GARBAGE lies outside most ranges, so this finds what was not written, too.
            outside = np.flatnonzero(~((seen >= low) & (seen <= high)))
            few = dict(zip(outside[:5].tolist(), seen[outside[:5]].tolist(), strict=True))
            expect(not few, "every number of the observation in its range", few, moment)
            blank = np.full(shape.observation, -GARBAGE, np.float32)
            verbs.observe(moment.states, 0, seat, blank)
            expect((blank == seen).all(), "every number written", "some left alone", moment)
        state = np.full(shape.state, GARBAGE, np.float32)
        verbs.full_state(moment.states, 0, state)
        expect((np.abs(state) <= 1).all(), "a state vector within -1..1", state.tolist(), moment)
