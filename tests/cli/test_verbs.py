"""What the verbs print, for people and for programs."""

import json
from dataclasses import dataclass
from importlib import import_module
from inspect import signature
from pathlib import Path
from shlex import quote
from types import SimpleNamespace
from typing import Annotated

import pytest
import typer

from spelkast import __file__ as spelkast_file
from spelkast import __version__
from spelkast.cli.app import VERBS, load, with_parameters
from spelkast.cli.options import progress_bar
from spelkast.cli.replay import ending
from spelkast.envs import games, make, spec
from spelkast.envs.engine.contract import Report
from spelkast.envs.engine.errors import ContractError
from spelkast.envs.engine.replay import append_replays, read_replays, verify

TACOCAT = spec("tacocat")


def in_80_columns(text):
    return all(len(line) <= 80 for line in text.splitlines())


# Help ------------------------------------------------------------------------------------------


def test_without_a_verb_there_is_help(spelkast):
    ran = spelkast()

    assert (ran.code, ran.err) == (0, "")
    assert all(f"\n  {verb} " in ran.out for verb in VERBS)
    assert ran.out == spelkast("--help").out
    assert "..." not in ran.out.partition("\n")[2]  # no sentence is cut


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_help_with_an_example(spelkast, verb):
    ran = spelkast(verb, "--help")

    assert (ran.code, ran.err) == (0, "")
    assert "For example:\n" in ran.out
    assert f"    spelkast {verb} " in ran.out
    assert in_80_columns(ran.out)


@dataclass(frozen=True, kw_only=True)
class Given:
    who: Annotated[str, typer.Argument()]
    more: Annotated[int, typer.Option("--more", min=0)] = 3


def verb(given: Given) -> None:
    """What it does."""
    print(given)


def test_a_dataclass_stands_for_the_options_of_a_verb(capsys):
    """The verb with 19 parameters looked at its own `locals()`."""
    single = typer.Typer(add_completion=False, rich_markup_mode=None)
    single.command()(with_parameters(verb))
    command = typer.main.get_command(single)
    command.main(["me"], standalone_mode=False)
    command.main(["me", "--more", "5"], standalone_mode=False)

    assert capsys.readouterr().out == f"{Given(who='me')}\n{Given(who='me', more=5)}\n"
    assert "What it does." in command.get_help(command.make_context("verb", ["me"]))
    assert with_parameters(load) is load


def test_no_verb_has_too_many_parameters():
    """No verb has more parameters than one can keep in mind."""
    for name in (verb.replace("-", "_") for verb in VERBS):
        run = getattr(import_module(f"spelkast.cli.{name}"), name)
        assert len(signature(run).parameters) <= 12


def test_version(spelkast):
    assert spelkast("--version").out == f"spelkast {__version__}\n"


# games -----------------------------------------------------------------------------------------


def test_games_lists_every_game(spelkast):
    ran = spelkast("games")

    assert ran.code == 0
    assert all(name in ran.out for name in games())
    assert in_80_columns(ran.out)


@pytest.mark.parametrize("name", games())
def test_games_tells_a_game_from_its_spec(spelkast, name):
    ran, facts = spelkast("games", name), json.loads(spelkast("games", name, "--json").out)

    shape = spec(name).shape(spec(name).parse_options(None))
    assert facts["actions"] == shape.actions
    assert sum(segment["size"] for segment in facts["segments"]) == shape.observation
    assert set(facts["options"]) == set(spec(name).options.model_fields)
    assert all(option in ran.out for option in facts["options"])
    assert in_80_columns(ran.out)


# eval ------------------------------------------------------------------------------------------


def test_eval_as_json(spelkast):
    ran = spelkast(
        *["eval", "tacocat", "solid", "novice", "--games", "20", "--seed", "3", "--json"]
    )
    result = json.loads(ran.out)

    assert (ran.code, ran.err) == (0, "")
    assert result["wins"] + result["draws"] + result["losses"] == result["games"] == 20
    assert 0 <= result["low"] < result["score"] <= result["high"] <= 1
    assert (result["first"], result["second"], result["seed"]) == ("solid", "novice", 3)
    assert result["illegal"] == 0


def test_eval_repeats_itself_in_any_batch(spelkast):
    """The same seed gives the same evaluation, whatever the size of the batch."""
    arguments = "eval tacocat solid novice --games 20 --seed 3 --json"
    timing = ("seconds", "games_per_second")
    results = [json.loads(spelkast(arguments, f"--batch {size}").out) for size in (1, 20)]
    one, other = ({k: v for k, v in r.items() if k not in timing} for r in results)

    assert one == other


def test_eval_for_people(spelkast):
    ran = spelkast("eval tacocat solid random --games 21")

    assert (ran.code, ran.err) == (0, "")
    assert "(21 games were requested; 22 make whole deals)" in ran.out
    assert "solid is better than random." in ran.out
    assert "illegal actions    0" in ran.out
    assert in_80_columns(ran.out)


def test_eval_of_more_than_two_sides(spelkast):
    arguments = "eval oduludo racer random --set players=3 --set max_decisions=100 --games 12"
    ran = spelkast(arguments)
    result = json.loads(spelkast(arguments, "--json").out)

    assert (ran.code, ran.err) == (0, "")
    assert "4 deals, each played from all 3 sides" in ran.out
    assert "of 3, 1 is the best; equal: 2" in ran.out
    assert "3rd place" in ran.out
    assert in_80_columns(ran.out)
    assert (result["sides"], result["even_rank"], len(result["rank_shares"])) == (3, 2, 3)


def test_eval_of_mixed_teams(spelkast):
    arguments = "eval tokken racer random --partner kees --games 6 --set max_decisions=60"
    ran = spelkast(arguments)
    result = json.loads(spelkast(arguments, "--json").out)

    assert (ran.code, ran.err) == (0, "")
    assert "Tokken: racer and kees against random" in ran.out
    assert "2 deals, each played from both sides, partners in every order; seed 0" in ran.out
    assert in_80_columns(ran.out)
    assert (result["partner"], result["other_partner"]) == ("kees", None)
    assert (result["requested"], result["games"]) == (6, 8)


def test_agent_as_its_own_partner_is_no_partners(spelkast):
    """An agent with itself as partner is a match without partners."""
    match = "eval tokken racer random --games 4 --set max_decisions=60 --json"
    timing = ("seconds", "games_per_second")
    ran = (spelkast(match, partners).out for partners in ("", "--partner racer"))
    one, other = ({k: v for k, v in json.loads(out).items() if k not in timing} for out in ran)

    assert one == other
    assert one["partner"] is None


def test_eval_of_every_pair(spelkast):
    arguments = "eval tokken racer racer --cross random --games 4 --set max_decisions=60"
    ran = spelkast(arguments)
    result = json.loads(spelkast(arguments, "--json").out)

    assert (ran.code, ran.err) == (0, "")
    assert "racer and random" in ran.out
    assert "95 % by deals" in ran.out
    assert in_80_columns(ran.out)
    assert (result["agents"], result["against"]) == (["racer", "random"], "racer")
    assert [pair["games"] for pair in result["pairs"]] == [4, 4, 4]
    assert set(result["gap"]) == {
        "deals", "with_itself", "with_others", "difference", "low", "high",
    }  # fmt: skip
    assert result["config"] == {"max_decisions": 60}


def test_eval_takes_options_of_the_game(spelkast):
    arguments = "eval tacocat random random --games 4 --set max_decisions=3 --json"
    result = json.loads(spelkast(arguments).out)

    assert (result["draws"], result["truncated"], result["decisions"]) == (4, 4, 12)
    assert result["config"] == {"max_decisions": 3}


def test_text_options_are_not_read_as_numbers(spelkast):
    arguments = "eval tacocat random random --games 2 --json --set max_decisions=3"
    ran = spelkast(arguments, "--set arrows=1111111")

    assert json.loads(ran.out)["config"] == {"arrows": "1111111", "max_decisions": 3}


def test_null_is_a_value_of_options_that_may_be_null(spelkast):
    assert "first_dealer    null" in spelkast("games tokken").out
    arguments = "eval tokken random random --games 2 --json --set max_decisions=3"
    ran = spelkast(arguments, "--set first_dealer=null --set teams=null")

    assert (ran.code, json.loads(ran.out)["config"]) == (0, {"max_decisions": 3})


# replay ----------------------------------------------------------------------------------------


@pytest.fixture
def recorded(spelkast, tmp_path):
    """A file of four recorded games."""
    path = tmp_path / "games.jsonl"
    spelkast("eval tacocat solid novice --games 4 --record", path)
    return path


def test_replay_lists_the_games_of_a_file(spelkast, recorded):
    ran = spelkast("replay", recorded)

    assert (ran.code, ran.err) == (0, "")
    assert "4 games; every position is as recorded." in ran.out
    assert ran.out.count("novice - solid") == 2


def test_replay_as_json(spelkast, recorded):
    shown = json.loads(spelkast("replay", recorded, "--json").out)

    for facts, replay in zip(shown, read_replays(recorded), strict=True):
        assert facts["verified"]
        assert facts["moves"] == verify(TACOCAT, replay)
        assert facts["rewards"] == replay.result.rewards


def test_replay_shows_one_game_move_by_move(spelkast, recorded):
    ran = spelkast("replay", recorded, "--game 2")
    replay = list(read_replays(recorded))[1]

    moves = [line.split()[3] for line in ran.out.splitlines() if line[:4].strip().isdecimal()]
    assert moves == [event for event in replay.moves if not event.startswith("!")]


def test_replay_shows_every_position(spelkast, recorded):
    ran = spelkast("replay", recorded, "--game 1", "--step")
    replay = next(read_replays(recorded))

    assert ran.out.count("TACOCAT SPELLED BACKWARDS · round") == verify(TACOCAT, replay) + 1


def test_replay_draws_every_position(spelkast, recorded, tmp_path):
    folder = tmp_path / "pictures" / "of-game-1"
    ran = spelkast("replay", recorded, "--game 1", "--svg", folder)

    pictures = sorted(folder.iterdir())
    assert len(pictures) == verify(TACOCAT, next(read_replays(recorded))) + 1
    assert all(picture.read_text().startswith("<svg") for picture in pictures)
    assert f"{len(pictures)} pictures in" in ran.out


def test_names_in_brackets_were_taken_for_styles(spelkast, recorded, tmp_path):
    """An agent is named after its folder, which may be called anything."""
    replay = next(read_replays(recorded))
    named = replay.model_copy(update={"agents": ["runs/[bold]", "runs/[/x]"]})
    file = tmp_path / "[dim].jsonl"
    append_replays(file, [named, named])

    for game in ("", "--game 1", "--game 1 --step"):
        ran = spelkast("replay", file, game)

        assert (ran.code, ran.err) == (0, "")
        assert "runs/[bold] - runs/[/x]" in ran.out


def test_json_carried_commands_to_the_terminal(spelkast, recorded, tmp_path):
    """JSON itself escapes only the first of the three."""
    name = "Zoë \x1b[2J\x9b31m\u202e"
    replay = next(read_replays(recorded)).model_copy(update={"agents": [name, "b"]})
    append_replays(tmp_path / "named.jsonl", [replay])
    ran = spelkast("replay", tmp_path / "named.jsonl", "--json")

    assert json.loads(ran.out)[0]["agents"] == [name, "b"]
    assert ran.out.replace("\n", "").isprintable()
    assert "Zoë" in ran.out


def test_replay_says_which_game_does_not_fit(spelkast, recorded):
    lines = recorded.read_text().splitlines()
    lines[2] = lines[2].replace('"xx"', '"s"', 1)
    recorded.write_text("\n".join(lines))
    ran = spelkast("replay", recorded)

    assert ran.code == 2
    assert ran.err.startswith("spelkast: game 3: expected one of the legal moves")


@pytest.mark.parametrize("arguments", [("--step",), ("--game", "9")])
def test_replay_asks_for_a_game_that_there_is(spelkast, recorded, arguments):
    ran = spelkast("replay", recorded, *arguments)

    assert (ran.code, ran.out) == (2, "")
    assert "1 to 4" in ran.err


# bench and check -------------------------------------------------------------------------------


@pytest.mark.compiled
def test_bench_as_json(spelkast):
    result = json.loads(spelkast("bench tacocat --seconds 0.05 --batch 64 --json").out)

    assert result["batch_decisions_per_second"] > 10_000
    assert result["environment_plies_per_second"] > 100
    assert (result["batch"], result["game"]) == (64, "tacocat")


@pytest.mark.compiled
def test_bench_for_people(spelkast):
    ran = spelkast("bench tacocat --seconds 0.05")

    assert (ran.code, ran.err) == (0, "")
    assert "decisions/s in a batch of 1024" in ran.out


@pytest.mark.compiled
def test_the_signature_depends_on_the_game_alone(spelkast):
    texts = [
        spelkast(f"bench tacocat --signature {more}").out
        for more in ("", "--batch 7", "--seed 5", "--set tie_rule=arrow")
    ]

    assert texts[0] == texts[1] == texts[2] != texts[3]
    assert len(texts[0].split()[1]) == 8


def test_check_lists_the_promises(spelkast, monkeypatch):
    report = Report(
        game="tacocat", options={}, seed=0, games=4, decisions=321, redrawn=(1, 1),
        promises=("masks_name_the_legal_moves", "positions_round_trip"),
    )  # fmt: skip
    monkeypatch.setattr("spelkast.envs.engine.contract.check_game", lambda *a, **k: report)
    ran = spelkast("check tacocat")

    assert (ran.code, ran.err) == (0, "")
    assert "  kept  masks name the legal moves\n  kept  positions round trip\n" in ran.out
    assert "all 2 promises, in 4 random games of 321 decisions." in ran.out


def test_check_as_json(spelkast):
    report = json.loads(spelkast("check tacocat --games 1 --json").out)

    assert report["kept"] is True
    assert report["game"] == "tacocat"


def test_check_tells_a_broken_promise_with_code_1(spelkast, monkeypatch):
    def broken(*arguments, **keywords):
        raise ContractError("expected this, got\nthat")

    monkeypatch.setattr("spelkast.envs.engine.contract.check_game", broken)
    ran = spelkast("check", "tacocat")

    assert (ran.code, ran.out, ran.err) == (1, "", "spelkast: expected this, got that")
    told = json.loads(spelkast("check", "tacocat", "--json").out)
    assert told == {"game": "tacocat", "kept": False, "broken": "expected this, got\nthat"}


def test_positions_of_the_environment_can_be_played_on(spelkast, tmp_path):
    env = make("tacocat", max_decisions=50)
    env.reset(seed=4)
    (tmp_path / "position.json").write_text(json.dumps(env.position()))
    ran = spelkast("play", "tacocat", "--position", tmp_path / "position.json", typed="q\n")

    hand = "".join(f"[{card}]" for card in env.position()["hands"][0])
    assert ran.code == 0
    assert hand in ran.out
    assert "move 0 of 50" in ran.out


def test_text_from_a_file_reached_the_terminal_as_it_was(spelkast, tmp_path):
    """Names with markup, an emoji's name or a command to the terminal are shown as they are."""
    file = tmp_path / "odd[b]x[~].jsonl"
    spelkast("eval tacocat random novice --games 2 --record", file)
    text = file.read_text().replace('"random"', '"[b]:smile:\\u001b[2J\\u0007"')
    file.write_text(text)

    listed, shown = spelkast("replay", file), spelkast("replay", file, "--game 1")

    for ran in (listed, shown):
        assert "[b]:smile:\\x1b[2J\\x07" in ran.out
        assert "\x1b[2J" not in ran.out
        assert "\x07" not in ran.out
    assert f"spelkast replay {quote(str(file))} --game N" in listed.out


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"forfeit": 1}, "seat 1 lost by an illegal action"),
        ({"truncated": True}, "cut off"),
        ({"rewards": [0.0, 0.0]}, "draw"),
        ({"rewards": [-1.0, 1.0]}, "seat 1 won"),
    ],
)
def test_how_a_game_ended_is_said_in_words(recorded, changes, words):
    game = next(read_replays(recorded))
    calm = {"forfeit": None, "truncated": False}

    assert (
        ending(game.model_copy(update={"result": game.result.model_copy(update=calm | changes)}))
        == words
    )


def test_positions_are_turned_by_enter_on_a_terminal(spelkast, recorded, monkeypatch):
    """Until Ctrl-D, which ends the game."""
    terminal = SimpleNamespace(isatty=lambda: True)
    answers = iter(["", ""])

    def enter(prompt):
        answer = next(answers, None)
        if answer is None:
            raise EOFError
        return answer

    monkeypatch.setattr("spelkast.cli.replay.sys", SimpleNamespace(stdin=terminal, stdout=terminal))
    monkeypatch.setattr("builtins.input", enter)

    ran = spelkast("replay", recorded, "--game 1", "--step")

    assert ran.code == 0
    assert ran.out.count("TACOCAT SPELLED BACKWARDS · round") == 3


def test_progress_is_shown_on_a_terminal(capsys, monkeypatch):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    with progress_bar("games", 2, quiet=False) as advance:
        assert advance is not None
        advance(2)

    assert "games" in capsys.readouterr().err


@pytest.mark.parametrize("complaint", ["", "expected ruff"])
def test_new_game_lists_what_it_wrote(spelkast, monkeypatch, complaint):
    """And says what could not be done."""
    page = Path(spelkast_file).resolve().parent / "envs" / "snail" / "README.md"
    written = SimpleNamespace(paths=[page], complaint=complaint)
    monkeypatch.setattr("spelkast.cli.copying.copy_game", lambda *_: written)

    ran = spelkast("new-game", "snail")

    assert ran.out.splitlines()[0] == "envs/snail/README.md"
    assert complaint in ran.out
    assert "snail is a game now" in ran.out
