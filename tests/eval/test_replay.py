"""Replays: what is written can be played again, and every change is found out, with its place."""

import json
from io import FileIO
from itertools import islice, pairwise

import pytest

from spelkast.agents.registry import make_agent
from spelkast.envs import make, spec
from spelkast.envs.engine import replay as replays
from spelkast.envs.engine.errors import ReplayError
from spelkast.envs.engine.replay import (
    DIGITS,
    Recorder,
    Replay,
    append_replays,
    read_replays,
    replay_game,
    transcribe,
    verify,
)
from spelkast.envs.engine.streams import new_streams
from spelkast.eval import match
from spelkast.eval.match import play_match, replays_of

TACOCAT = spec("tacocat")


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    """A file of four games."""
    path = tmp_path_factory.mktemp("replays") / "games.jsonl"
    agents = [make_agent(name, "tacocat") for name in ("random", "novice")]
    play_match(TACOCAT, None, *agents, games=4, seed=0, record=path)
    return path


@pytest.fixture
def replay(recorded):
    return next(read_replays(recorded))


def changed(replay, **changes):
    return Replay.model_validate(replay.model_dump() | changes)


# Playing again ---------------------------------------------------------------------------------


def test_every_position_is_that_of_the_environment(replay):
    """The environment, with the recorded outcomes scripted, meets the same positions."""
    moments = list(replay_game(TACOCAT, replay))
    env = make("tacocat")
    script = [text for text in replay.moves if text.startswith("!")]
    env.reset(options={"chance": script})
    for moment in moments[1:]:
        assert moment.move is not None
        env.step(env.move_to_action(moment.move))

        assert env.position() == moment.position
        assert env.chance_log() == moment.chance
    assert env.legal_moves() == []
    assert list(env.rewards.values()) == replay.result.rewards


def test_moments_count_the_moves_and_name_their_seats(replay):
    moments = list(replay_game(TACOCAT, replay))

    assert [moment.number for moment in moments] == list(range(len(moments)))
    assert (moments[0].seat, moments[0].move) == (None, None)
    assert len(moments[0].chance) == 14
    for before, after in pairwise(moments):
        assert after.seat == before.to_move


def test_a_game_can_begin_with_a_position():
    env = make("tacocat")
    env.reset(seed=1)
    env.step(env.move_to_action("xx"))
    start = env.position()
    states = TACOCAT.from_position(start)
    recorder = Recorder(TACOCAT, states, [])
    while env.legal_moves():
        move = env.legal_moves()[0]
        env.step(env.move_to_action(move))
        recorder.add(move, env.chance_log(), env.position())
    final = TACOCAT.from_position(env.position())
    replay = recorder.finish(final, seed=None, agents=["a", "b"], start=start)

    assert verify(TACOCAT, replay) == env.position()["decisions"] - 1


def test_options_are_part_of_the_replay():
    changes = {"max_decisions": 3, "hand_sizes": [2] * 7}
    options = TACOCAT.parse_options(changes)
    stream = int(new_streams(0, 1, "chance")[0])
    env = make("tacocat", **options.model_dump())
    env.reset(seed=0)  # deals from the same stream
    actions = []
    while moves := env.legal_moves():
        actions.append(env.move_to_action(moves[-1]))
        env.step(actions[-1])
    replay = transcribe(TACOCAT, options, actions, stream=stream, seed=0, agents=["a", "b"])

    assert replay.config == changes
    assert replay.result.truncated
    assert verify(TACOCAT, replay) == 3


# Changes that must be found out ----------------------------------------------------------------


def test_another_move_is_found_where_it_stands(replay):
    moves = list(replay.moves)
    index = moves.index("xx")
    moves[index] = "s"

    with pytest.raises(
        ReplayError, match=rf"expected one of the legal moves .*, got 's' as entry {index + 1} of"
    ):
        verify(TACOCAT, changed(replay, moves=moves))


def test_other_legal_outcome_is_found_by_the_position(replay):
    """Two cards of the deal change places between the hands: all of it legal, yet another game."""
    moves = list(replay.moves)
    a = next(i for i in range(7) if moves[i] not in moves[7:14])
    moves[a], moves[7] = moves[7], moves[a]

    with pytest.raises(ReplayError, match=r"expected position \w{4}, got \w{4} at the start"):
        verify(TACOCAT, changed(replay, moves=moves))


def test_a_changed_position_is_found_at_its_move(replay):
    at = 10 * DIGITS
    digit = "0" if replay.checks[at] != "0" else "1"
    checks = replay.checks[:at] + digit + replay.checks[at + 1 :]

    with pytest.raises(ReplayError, match=r"after move 10 \("):
        verify(TACOCAT, changed(replay, checks=checks))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda r: {"game": "nim"}, "expected a game of tacocat version 0, got nim version 0"),
        (lambda r: {"version": 1}, "got tacocat version 1"),
        (lambda r: {"config": {"tie_rule": "coin"}}, "option 'tie_rule'"),
        (lambda r: {"config": {"foo": 1}}, "got 'foo'"),
        (lambda r: {"agents": ["one"]}, "expected 2 agents, got 1"),
        (lambda r: {"moves": r.moves[:-1]}, "got the end of the game"),
        (lambda r: {"moves": r.moves[:3]}, "expected a chance outcome, got the end of the game"),
        (lambda r: {"moves": [*r.moves, "xx"]}, "the game is over by then"),
        (lambda r: {"moves": ["hello", *r.moves[1:]]}, "got 'hello'"),
        (lambda r: {"moves": ["!12", "!12", "!12", *r.moves[3:]]}, "an outcome that can happen"),
        (lambda r: {"moves": [*r.moves[:14], "nonsense", *r.moves[15:]]}, "got 'nonsense'"),
        (lambda r: {"checks": r.checks + "0000"}, r"positions in `checks`"),
        (lambda r: {"checks": ""}, "expected position none"),
        (lambda r: {"start": {"game": "tacocat"}}, "expected the keys"),
        (lambda r: {"result": r.result.model_dump() | {"rewards": [0, 0]}}, "expected rewards"),
        (lambda r: {"result": r.result.model_dump() | {"scores": [9, 9]}}, "expected scores"),
        (lambda r: {"result": r.result.model_dump() | {"truncated": True}}, "expected truncated"),
        (lambda r: {"result": r.result.model_dump() | {"forfeit": 7}}, "seat 0..1, got 7"),
        (lambda r: {"result": r.result.model_dump() | {"forfeit": -1}}, "seat 0..1, got -1"),
        (lambda r: {"result": r.result.model_dump() | {"forfeit": 1}}, "to move, nobody, got 1"),
    ],
)
def test_whatever_does_not_fit_is_told_in_one_line(replay, change, message):
    with pytest.raises(ReplayError, match=message) as caught:
        verify(TACOCAT, changed(replay, **change(replay)))

    assert "\n" not in str(caught.value)


# Files -----------------------------------------------------------------------------------------


def test_files_are_added_to(tmp_path, replay):
    path = tmp_path / "more.jsonl"

    assert append_replays(path, [replay]) == 1
    assert append_replays(path, [replay, replay]) == 2
    assert list(read_replays(path)) == [replay] * 3
    assert all(json.loads(line) for line in path.read_text().splitlines())


def test_a_torn_last_line_costs_only_itself(tmp_path, replay):
    """A killed process leaves half a line: the next game begins on a line of its own."""
    path = tmp_path / "torn.jsonl"
    append_replays(path, [replay])
    with path.open("a") as file:
        file.write('{"game": "taco')
    append_replays(path, [replay])

    lines = path.read_text().splitlines()
    assert [len(lines), json.loads(lines[2])["game"]] == [3, "tacocat"]
    with pytest.raises(ReplayError, match=r"got broken JSON in .*torn\.jsonl, line 2"):
        list(read_replays(path))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("\n\n{}\n", r"expected key 'game' of the recorded game in .*, line 3, got none"),
        ("[1, 2]\n", r"line 1"),
        ('{"game": 7}\n', r"key 'game' of the recorded game in .*, line 1: .* string, got 7"),
        ("hello\n", r"broken JSON in .*, line 1"),
    ],
)
def test_wrong_lines_are_told_by_number(tmp_path, text, message):
    path = tmp_path / "wrong.jsonl"
    path.write_text(text)

    with pytest.raises(ReplayError, match=message) as caught:
        list(read_replays(path))
    assert "\n" not in str(caught.value)


def test_files_that_cannot_be_read_are_told(tmp_path):
    with pytest.raises(ReplayError, match="No such file"):
        list(read_replays(tmp_path / "missing.jsonl"))
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ReplayError, match="got a binary file"):
        list(read_replays(tmp_path / "binary"))


def test_half_a_game_was_kept_on_a_full_disk(tmp_path, monkeypatch, replay):
    """A disk that is nearly full takes a part of a line and says so only by a number."""
    path = tmp_path / "games.jsonl"
    append_replays(path, [replay])
    room = path.stat().st_size * 5 // 2

    class Small(FileIO):
        def write(self, data):
            left = room - self.tell()
            if left == 0:
                raise OSError(28, "No space left on device")
            return super().write(bytes(data)[:left])

    monkeypatch.setattr(replays, "FileIO", Small)
    with pytest.raises(OSError, match=r"one more game, those before it are kept: .*games.jsonl"):
        append_replays(path, [replay, replay])

    assert list(read_replays(path)) == [replay, replay]


def test_a_match_that_is_interrupted_lost_its_record(tmp_path):
    """Games are written as they end, in their order: whoever stops the match keeps those."""
    agents = [make_agent("random", "tacocat"), make_agent("novice", "tacocat")]
    whole, cut = tmp_path / "whole.jsonl", tmp_path / "cut.jsonl"
    play_match(TACOCAT, None, *agents, games=60, seed=0, batch=8, record=whole)

    def stop(count):
        if cut.stat().st_size > 0:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt) as stopped:
        play_match(TACOCAT, None, *agents, games=60, seed=0, batch=8, record=cut, progress=stop)

    kept = cut.read_text().splitlines()
    assert stopped.value.__notes__ == [f"{len(kept)} of 60 games are kept in {cut}"]
    assert 1 <= len(kept) < 60
    assert kept == whole.read_text().splitlines()[: len(kept)]


def test_games_of_a_block_that_was_cut_short_were_not_counted(tmp_path, monkeypatch):
    """Ctrl-C comes while games are written, too."""
    agents, record = [make_agent("random", "tacocat")] * 2, tmp_path / "cut.jsonl"

    def cut_short(*given):
        yield from islice(replays_of(*given), 5)
        raise KeyboardInterrupt

    monkeypatch.setattr(match, "replays_of", cut_short)
    with pytest.raises(KeyboardInterrupt) as stopped:
        play_match(TACOCAT, None, *agents, games=20, seed=0, record=record)

    assert stopped.value.__notes__ == [f"5 of 20 games are kept in {record}"]
    assert len(list(read_replays(record))) == 5
