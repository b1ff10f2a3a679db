"""A user's mistake: one line on stderr, nothing on stdout, exit code 2, never a traceback."""

import json
import os
import signal
import time

import pytest
import typer

from spelkast.cli import app
from spelkast.cli.app import explain
from spelkast.envs import make

FILES = {
    "broken.json": '{"game": ',
    "list.json": "[1, 2]",
    "partial.json": '{"game": "tacocat"}',
    "binary.json": "\udcff\udcfe\udcff",
    "utf16.jsonl": "\udcff\udcfe",
    "deep.json": "[" * 200_000,
    "long.json": f'{{"round": {"1" * 5000}}}',
    "broken.jsonl": "\n{]\n",
    "foreign.jsonl": '{"hello": 1}\n',
    "empty.jsonl": "",
    "broken.toml": "steps = \n",
    "unknown.toml": "stepps = 3\n",
}

MISTAKES = {
    "unknown verb": ("frobnicate", "expected one of games, train, tune"),
    "misspelt verb": ("evla", "did you mean eval?"),
    "unknown option of the command": ("--bogus", "No such option"),
    "unknown option": ("eval tacocat solid random --bogus", "spelkast eval --help"),
    "missing argument": ("eval tacocat solid", "Missing argument 'B'"),
    "one argument too many": ("bench tacocat solid", "solid"),
    "games: unknown game": ("games chess", "got 'chess'"),
    "eval: unknown game": ("eval chess solid random", "expected a game of"),
    "play: unknown game": ("play chess", "expected a game of"),
    "bench: unknown game": ("bench chess", "expected a game of"),
    "check: unknown game": ("check chess", "expected a game of"),
    "train: unknown game": ("train chess", "expected a game of"),
    "unknown agent": ("eval tacocat solid nobody", "got 'nobody'"),
    "misspelt agent": ("eval tacocat soild random", "did you mean 'solid'?"),
    "unknown run": ("eval tacocat runs/none solid", "there is no folder 'runs/none'"),
    "folder that is no run": ("eval tacocat . solid", "got ."),
    "play: unknown agent": ("play tacocat --against nobody", "got 'nobody'"),
    "unknown partner": ("eval tokken kees racer --partner nobody", "got 'nobody'"),
    "partner without teams": (
        "eval tacocat solid novice --partner random",
        "expected a game with teams for the partner 'random', got a table at which all 2 seats",
    ),
    "other partner where options leave no teams": (
        "eval tokken kees racer --other-partner random --set teams=false",
        "expected a game with teams for the partner 'random'",
    ),
    "replay: JSON and pictures": ("replay foreign.jsonl --json --svg out", "--json alone"),
    "tune: unknown baseline": ("tune toedeloe hoarderr", "did you mean 'hoarder'?"),
    "tune: no baseline": ("tune toedeloe random", "expected a baseline of toedeloe"),
    "tune: no parameters": ("tune tacocat novice", "tacocat with parameters, got 'novice'"),
    "tune: no minutes": ("tune toedeloe hoarder --minutes 0", "got '0'"),
    "tune: minutes that are none": ("tune toedeloe hoarder --minutes nan", "got 'nan'"),
    "tune: unknown opponent": ("tune toedeloe hoarder --against nobody", "got 'nobody'"),
    "tune: somebody else's file": ("tune toedeloe hoarder --out list.json", "a new file"),
    "agent file that is broken": ("eval toedeloe broken.toml hoarder", "expected TOML in broken"),
    "agent file of something else": ("eval toedeloe unknown.toml hoarder", "got 'stepps', in unk"),
    "agent file that is not there": ("eval toedeloe none.toml hoarder", "there is no such file"),
    "agent file as a policy": (
        "eval toedeloe search:rollout,policy=unknown.toml,budget=9 hoarder",
        "got 'stepps', in unknown.toml",
    ),
    "pairs without teams": ("eval tacocat solid novice --cross random", "a game with teams"),
    "pairs and a partner": (
        "eval tokken kees racer --cross random --partner racer",
        "expected --cross or partners, got both",
    ),
    "pairs of an agent twice": ("eval tokken kees racer --cross kees", "got 'kees' twice"),
    "unknown agent to pair up": ("eval tokken kees racer --cross kess", "did you mean 'kees'?"),
    "no games": ("eval tacocat solid random --games 0", "got '0'"),
    "more games than fit": (
        "eval tacocat solid random --games 9999999999999999999999999",
        "expected 1 to 10000000 games, got 9999999999999999999999999",
    ),
    "endless forfeit": (
        "tournament tokken --teams a b --next-round --forfeit-time inf",
        "1000000000, got 'inf'",
    ),
    "games in words": ("eval tacocat solid random --games many", "got 'many'"),
    "negative seed": ("eval tacocat solid random --seed=-1", "got '-1'"),
    "empty batch": ("bench tacocat --batch 0", "got '0'"),
    "no time": ("bench tacocat --seconds 0", "got '0'"),
    "game 0 of a file": ("replay empty.jsonl --game 0", "got '0'"),
    "unknown option of a game": ("eval tacocat solid random --set foo=1", "got 'foo'"),
    "option without value": (
        "eval tacocat solid random --set tie_rule",
        "expected --set NAME=VALUE",
    ),
    "option out of range": ("bench tacocat --set max_decisions=0", "got 0"),
    "option of the wrong type": ("check tacocat --set hand_sizes=3", "got 3"),
    "option that is no choice": ("play tacocat --set tie_rule=coin", "got 'coin'"),
    "record into nowhere": ("eval tacocat solid random --record no/such/file", "no/such/file"),
    "record into a file": ("play tacocat --record list.json/x", "Not a directory: list.json/x"),
    "record under a long name": (f"play tacocat --record {'x' * 300}", "File name too long"),
    "record into a folder": ("play tacocat --record .", "Is a directory"),
    "record into UTF-16": ("play tacocat --record utf16.jsonl", "got another utf16.jsonl"),
    "record into a configuration": (
        "play tacocat --record unknown.toml",
        "expected a file of replays to add games to, got another unknown.toml",
    ),
    "record into a position": ("play tacocat --record partial.json", "got another partial.json"),
    "record into a list": ("eval tacocat solid random --record list.json", "another list.json"),
    "record into a pipe": ("eval tacocat solid random --record pipe", "got another pipe"),
    "play: record into a pipe": ("play tacocat --record pipe", "got another pipe"),
    "seat": ("play tacocat --seat 2", "expected --seat 0 to 1 of tacocat, got 2"),
    "no position": ("play tacocat --position none.json", "No such file"),
    "broken position": ("play tacocat --position broken.json", "broken.json, line 1, column"),
    "list for a position": ("play tacocat --position list.json", "got [1, 2]"),
    "part of a position": ("play tacocat --position partial.json", "missing"),
    "position without an end": ("play tacocat --position deep.json", "recursion"),
    "number without an end": ("play tacocat --position long.json", "4300 digits"),
    "binary position": ("play tacocat --position binary.json", "got a binary file"),
    "no replay": ("replay none.jsonl", "No such file"),
    "broken replay": ("replay broken.jsonl", "broken.jsonl, line 2"),
    "foreign replay": ("replay foreign.jsonl", "foreign.jsonl, line 1"),
    "empty replay": ("replay empty.jsonl", "at least one game"),
    "folder as replay": ("replay .", "Is a directory"),
    "unknown preset": ("train tacocat --config nothing", "got 'nothing'"),
    "broken config": ("train tacocat --config broken.toml", "broken.toml"),
    "unknown key in a config": ("train tacocat --config unknown.toml", "stepps"),
    "train: resume nothing": ("train tacocat --resume runs/none", "runs/none"),
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with files that are wrong in many ways."""
    for name, text in FILES.items():
        (tmp_path / name).write_bytes(text.encode("utf-8", "surrogateescape"))
    os.mkfifo(tmp_path / "pipe")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes_take_one_line(spelkast, folder, mistake):
    arguments, message = MISTAKES[mistake]
    ran = spelkast(arguments)

    assert ran.code == 2
    assert ran.out == ""
    assert ran.err.startswith("spelkast: ")
    assert len(ran.err.splitlines()) == 1
    assert message in ran.err
    assert "Traceback" not in ran.err


@pytest.mark.parametrize(
    "words",
    ["eval tacocat _ random", "eval tokken kees racer --cross _", "play tacocat --against _"],
)
def test_an_agent_without_a_name_is_none(typed_words, words):
    """As a script has it whose variable is empty."""
    ran = typed_words(*("" if word == "_" else word for word in words.split()))

    assert (ran.code, ran.out) == (2, "")
    assert "or the folder of a training run, got ''" in ran.err


def test_pictures_without_a_folder_are_told_first(spelkast, tmp_path):
    """Not after the moves have been shown."""
    spelkast("eval tacocat random random --games 1 --record", tmp_path / "games.jsonl")
    words = ["--game 1 --svg", tmp_path / "games.jsonl"]
    ran = spelkast("replay", tmp_path / "games.jsonl", *words)

    assert (ran.code, ran.out) == (2, "")
    assert "File exists" in ran.err


def test_impossible_positions_are_refused(spelkast, tmp_path):
    env = make("tacocat")
    env.reset(seed=0)
    position = env.position()
    position["hands"][0] = position["hands"][0][:-1]
    (tmp_path / "position.json").write_text(json.dumps(position))
    ran = spelkast("play", "tacocat", "--position", tmp_path / "position.json")

    assert (ran.code, ran.out) == (2, "")
    assert len(ran.err.splitlines()) == 1


def test_an_error_of_our_own_is_told_in_one_line_too(capsys):
    code = explain(KeyError("two\nlines"))

    assert code == 1
    err = capsys.readouterr().err
    assert err.startswith("spelkast: something went wrong inside: KeyError")
    assert len(err.splitlines()) == 1


def test_a_full_disk_is_told_in_one_line(capsys):
    code = explain(OSError(28, "No space left on device", "games.jsonl"))

    assert (code, capsys.readouterr().err) == (
        1,
        "spelkast: No space left on device: games.jsonl\n",
    )


def test_a_missing_extra_says_what_to_install(capsys):
    code = explain(ModuleNotFoundError("No module named 'torch'", name="torch"))

    assert code == 2
    assert "pip install 'spelkast[train]'" in capsys.readouterr().err


class Unlucky:
    """Gets the Ctrl-C while it is being removed, where Python drops it."""

    def __del__(self) -> None:
        raise KeyboardInterrupt


def goes_on() -> None:
    """A verb that works on."""
    Unlucky()
    time.sleep(20)


def fails() -> None:
    """A verb that fails for it."""
    Unlucky()
    raise RuntimeError("no compiled object yet")


@pytest.mark.parametrize("verb", [goes_on, fails])
def test_ctrl_c_while_compiling_was_dropped(spelkast, monkeypatch, verb):
    """A Ctrl-C that fell into a callback of the compiler was lost, or an error with code 1."""
    single = typer.Typer(add_completion=False)
    single.command()(verb)
    monkeypatch.setattr(app, "load", lambda _: typer.main.get_command(single))
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        start = time.monotonic()
        ran = spelkast("games")
        time.sleep(0.2)  # it comes once more, to whoever has not left yet
    finally:
        signal.signal(signal.SIGINT, before)

    assert (ran.code, ran.out, ran.err) == (130, "", "")
    assert time.monotonic() - start < 15
