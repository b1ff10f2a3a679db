"""The terminal table: what it accepts, what it says, and what it must not say."""

import re

import numpy as np
import pytest

from spelkast.agents.registry import make_agent
from spelkast.envs import spec
from spelkast.envs.engine.errors import SpelkastError
from spelkast.envs.engine.replay import read_replays, replay_game, verify
from spelkast.envs.homes import Home, all_homes
from spelkast.play.table import Table, natural, numbered

TACOCAT = spec("tacocat")
FIRST = "1\n" * 1000
"""Always the first move of the list."""


def play(*lines, **keywords):
    """What a person who types *lines* reads, and the replay."""
    said, left = [], list(lines)

    def ask(prompt):
        if not left:
            raise EOFError
        said.append(f"{prompt}{left[0]}")
        return left.pop(0)

    table = Table(
        TACOCAT,
        TACOCAT.parse_options(None),
        make_agent(keywords.get("against", "random"), "tacocat"),
        seat=keywords.get("seat", 0),
        seed=keywords.get("seed", 3),
        ask=ask,
        say=said.append,
    )
    return table.play(), "\n".join(said)


class Cheat:
    """Always tries action 149, also where nobody attacks."""

    name, needs_states = "cheat", False

    def act(self, views, streams):
        return np.array([149], np.int32)


def test_illegal_move_does_not_reveal_cards():
    """An illegal move of an agent does not reveal its cards.

    The environment's error lists the moves that would have been legal: the agent's hand.
    """
    table = Table(
        TACOCAT,
        TACOCAT.parse_options(None),
        Cheat(),
        seat=1,
        seed=3,
        ask=lambda prompt: "1",
        say=lambda text: None,
    )

    with pytest.raises(SpelkastError, match=r"^expected a legal move from 'cheat', got another$"):
        table.play()


# What it accepts -------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("against", ["random", "novice"])
def test_a_game_can_be_played_to_its_end(spelkast, seat, against, tmp_path):
    path = tmp_path / "mine.jsonl"
    arguments = f"play tacocat --against {against} --seat {seat} --seed 3 --record"
    ran = spelkast(arguments, path, typed=FIRST)

    assert (ran.code, ran.err) == (0, "")
    assert re.search(r"^You (win|lose), \d : \d\.", ran.out, re.MULTILINE)
    assert all(len(line) <= 80 for line in ran.out.splitlines() if "kast" not in line)
    replay = next(read_replays(path))
    assert replay.agents[seat] == "human"
    assert verify(TACOCAT, replay) > 10
    won = replay.result.rewards[seat] == 1
    assert ("You win" in ran.out) == won


def test_moves_are_typed_in_notation_or_by_number():
    _, by_notation = play("x1", "xx")
    _, by_number = play("1", "5")

    boards = [text.split("Your move> ") for text in (by_notation, by_number)]
    assert boards[0][2].partition("\n")[2] == boards[1][2].partition("\n")[2]
    assert "[1]" in boards[0][1]


def test_a_question_mark_lists_the_moves():
    _, text = play("?")

    assert "  1 x1      2 x2      3 x7      4 x8      5 x10     6 xx" in text


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("hello", "got 'hello'"),
        ("x12", "x12 is not allowed here"),
        ("0", "Expected a number from 1 to 6, got 0"),
        ("99", "Expected a number from 1 to 6, got 99"),
        ("!3", "got '!3'"),
        ("-1", "got '-1'"),
        ("²", "got '²'"),
        ("٣", "Expected a number from 1 to 6, got ٣"),
        pytest.param("9" * 5000, "got 5,000 characters", id="digits"),
        pytest.param("x" * 5000, "got 5,000 characters", id="letters"),
    ],
)
def test_wrong_input_gets_a_line_and_another_try(typed, answer):
    _, text = play(typed, "xx")

    refusal = text.split(f"Your move> {typed}\n")[1].splitlines()
    assert answer in refusal[0]
    assert refusal[1] == "Your move> xx"


def test_an_empty_line_asks_again():
    _, text = play("", "  ", "q")

    assert text.count("Your move> ") == 3


@pytest.mark.parametrize("typed", ["q\n", "quit\n", "", "Q\n"])
def test_one_can_leave(spelkast, typed, tmp_path):
    path = tmp_path / "none.jsonl"
    ran = spelkast(
        *["play", "tacocat", "--seed", "3", "--against", "random", "--record"], path, typed=typed
    )

    assert (ran.code, ran.err) == (0, "")
    assert ran.out.endswith("You have left the table. The same deal again: --seed 3\n")
    assert path.read_text() == ""


def test_what_is_typed_is_repeated_without_codes(spelkast):
    """A piped line is shown again, and an escape in it must not reach the terminal."""
    ran = spelkast("play", "tacocat", "--against", "random", typed="\x1b[31mred\n")

    assert "\\x1b[31mred" in ran.out
    assert "\x1b" not in ran.out + ran.err


def test_strongest_baseline_plays_by_default(spelkast):
    """The strongest baseline plays if nobody is named."""
    ran = spelkast("play", "tacocat", typed="q\n")

    assert ran.out.startswith(f"{TACOCAT.title}: you in seat 0, tuned in seat 1.")


def test_without_a_seed_every_game_is_another(spelkast):
    found = [
        re.search(r"--seed (\d+)", spelkast("play", "tacocat", typed="q\n").out) for _ in range(4)
    ]
    seeds = {match and match[1] for match in found}

    assert len(seeds) > 1


def test_the_same_seed_is_the_same_game():
    assert play(*["1"] * 20, seed=5)[1] == play(*["1"] * 20, seed=5)[1]
    assert play(*["1"] * 20, seed=5)[1] != play(*["1"] * 20, seed=6)[1]


# What it shows ---------------------------------------------------------------------------------


def test_what_the_opponent_did_is_described():
    _, text = play(*["1"] * 400)

    assert re.search(r"random \(seat 1\): a\d+ \(attacked with", text)
    assert re.search(r"\* last cards: \d+ and \d+, round winner: (you|nobody|random)", text)
    assert "GAME OVER" in text


def test_hidden_cards_are_never_named():
    """Of the opponent's cards set aside and laid for the duel, nothing is said."""
    for seed in range(6):
        _, text = play(*["1"] * 1000, seed=seed, seat=1)

        assert not re.search(r"random \(seat 0\): (x\d+|d\d+)", text)
        assert "random (seat 0): d? (laid a duel card)" in text
        before_the_end = text.partition("GAME OVER")[0]
        assert re.search(r"^Opponent.*\n  hand: (\[░\])+ ", before_the_end, re.MULTILINE)
        assert not re.search(r"^Opponent.*\n  hand: \[\d", before_the_end, re.MULTILINE)


def test_secret_moves_are_not_mentioned():
    """[R11.9] Whether the first seat sets cards aside in round 1 is hidden, like their number."""
    for seed in range(6):
        replay, text = play(*["1"] * 1000, seed=seed, seat=1)
        first = text.partition("Your move> ")[0]
        aside = [moment for moment in replay_game(TACOCAT, replay) if moment.seat == 0]
        assert str(aside[0].move).startswith("x")
        assert re.findall(r"random \(seat 0\): .*", first) == [
            "random (seat 0): xx (done replacing)"
        ]


def test_open_card_is_not_said_to_be_secret():
    """A card that ended a round was, if the other seat replaced first in the next one."""
    found = 0
    for seed in range(6):
        replay, text = play(*["1"] * 1000, seed=seed, seat=1)
        said = iter(re.findall(r"random \(seat 0\): (\S+)", text))
        for moment in replay_game(TACOCAT, replay):
            if moment.seat == 0 and str(moment.move)[:1] in "abs":
                found += 1
                assert str(moment.move) in said
    assert found > 100


# The list of moves -----------------------------------------------------------------------------


def test_moves_are_listed_by_the_size_of_their_numbers():
    assert sorted(["x10", "x2", "xx", "a5x3", "a5", "a11"], key=natural) == [
        "a5", "a5x3", "a11", "x2", "x10", "xx",
    ]  # fmt: skip


def test_long_lists_fit_a_terminal():
    lines = numbered([f"a{number}-{number + 3}" for number in range(60)]).splitlines()

    assert max(map(len, lines)) <= 80
    assert lines[0].startswith("  1 a0-3")
    assert len(lines) < 12


@pytest.mark.compiled
def test_shared_first_place_is_no_win(spelkast, monkeypatch):
    """The table said "You win" to who shared the first place with somebody else."""
    monkeypatch.setitem(all_homes(), "slag", Home.of_package("slag", "games.slag"))

    ran = spelkast("play slag --seed 1", typed=FIRST)

    assert "GAME OVER · You and Seat 1 win" in ran.out
    assert "You share the first place, 2 : 2 : 1." in ran.out
