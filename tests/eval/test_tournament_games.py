"""Tournaments of agents: fair games, agents that fail, interruptions."""

import multiprocessing
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hostile_agents import BRED, make

from spelkast.envs.engine.batch import Batch
from spelkast.envs.engine.errors import SpelkastError
from spelkast.envs.engine.streams import new_streams
from spelkast.eval.tournament.config import Config
from spelkast.eval.tournament.folder import Folder, open_folder
from spelkast.eval.tournament.players import _answer, _recipe
from spelkast.eval.tournament.run import play_tournament
from spelkast.eval.tournament.standings import standings
from spelkast.eval.tournament.teams import teams_of_agents

pytestmark = pytest.mark.compiled


@pytest.fixture(autouse=True)
def no_process_is_left_behind() -> Iterator[None]:
    """Of agents that play, that hang or that die."""
    yield

    assert multiprocessing.active_children() == []


def config_of(*texts, **changes):
    return Config(teams=tuple(teams_of_agents(texts)), **changes)


def play(config, path=None, **keywords):
    folder = Folder(config) if path is None else open_folder(path, config)
    return play_tournament(folder, make=make, **keywords)


# Games -----------------------------------------------------------------------------------------


def test_a_tournament_of_baselines():
    config = config_of("kees", "racer", "kees+racer", "racer", "kees", seed=3)
    sheets = play(config)

    assert len(sheets) == 12
    assert [(sheet.round, sheet.table) for sheet in sheets] == [
        (number, table) for number in range(1, 5) for table in range(1, 4)
    ]
    for sheet in sheets:
        if sheet.is_bye:
            assert (sheet.points, sheet.time, sheet.table) == ((26, 8), 600, 3)
        else:
            assert sheet.forfeit is None
            assert (sheet.winner == "a") == (sheet.pawns_a == 8)
            assert (sheet.winner == "b") == (sheet.pawns_b == 8)
            assert 40 < sheet.time < 605
            if sheet.winner is None:
                assert sheet.time >= 600
    rows = standings(config.numbers, sheets)
    assert sum(row.points_for for row in rows) == sum(
        sum(sheet.points[: len(sheet.teams)]) for sheet in sheets
    )


def test_game_depends_on_seed_round_and_table_alone():
    """A game is that of its seed, round and table, whatever else is played.

    Team a on seats 0 and 2, dealing first; the streams of (seed, round, table).
    """
    config = config_of("racer", "random", "random+racer", "kees", rounds=2, seed=9)
    sheets = play(config)
    teams = {team.number: team for team in config.teams}

    for sheet in sheets:
        key = (9, sheet.round, sheet.table)
        assert sheet.team_b is not None
        lineup = [
            agent for pair in zip(teams[sheet.team_a].agents, teams[sheet.team_b].agents,
                                  strict=True) for agent in pair
        ]  # fmt: skip
        assert played_alone(config, lineup, key) == (
            sheet.pawns_a, sheet.pawns_b, sheet.winner, sheet.time,
        )  # fmt: skip


def played_alone(config, lineup, key):
    """The same game by a loop of its own."""
    from spelkast.agents.agent import views_of

    batch = Batch(config.spec, 1, options={"first_dealer": 0, "max_decisions": 600}, seed=key)
    choices, redraws = new_streams(key, 4, "agents"), new_streams(key, 1, "determinize")
    batch.reset()
    agents = [make(text, "tokken") for text in lineup]
    while True:
        seat = int(batch.seats[0])
        agent = agents[seat]
        views = views_of(batch, None, redraws if agent.needs_states else None)
        batch.step(agent.act(views, choices[seat : seat + 1]))
        if batch.ended[0]:
            known = config.spec.infos(batch.finals, 0)
            home, winner = known["pawns_home"], known["winner"]
            side = None if winner is None else "ab"[winner]
            return home[0] + home[2], home[1] + home[3], side, known["decisions"]


def test_own_process_plays_the_same_games():
    """An agent in a process of its own plays the same games.

    `polite` is `random` under another name; partners may be of both kinds.
    """
    inside = play(config_of("random", "racer", "random+racer", "kees", rounds=2, seed=4))
    apart = play(config_of("polite", "racer", "polite+racer", "kees", rounds=2, seed=4))

    assert [sheet.to_json() for sheet in inside] == [sheet.to_json() for sheet in apart]


def test_the_cap_and_options_of_the_game_are_used():
    sheets = play(config_of("racer", "racer", rounds=1, max_decisions=50))
    other = play(config_of("racer", "racer", rounds=1, options={"home_entry": "free"}))

    assert [(sheet.winner, 50 <= sheet.time < 60) for sheet in sheets] == [(None, True)]
    assert other != play(config_of("racer", "racer", rounds=1))


def test_time_may_be_seconds():
    (sheet,) = play(config_of("racer", "polite", rounds=1, time="seconds"))
    (forfeit,) = play(config_of("racer", "raises", rounds=1, time="seconds"))

    assert 0 < sheet.time < 60
    assert forfeit.time == 4500


# Agents that fail ------------------------------------------------------------------------------

FAULTS = {
    "raises@7": "KeyError: 'no such\\nthing'",
    "dies@1": "its process ended with exit code 3",
    "illegal@3": "illegal action",
    "unmade": "RuntimeError: cannot be made",
}
ANSWERS = {
    "raises": "KeyError: 'no such\\nthing'",
    "leaves": "SystemExit: 0",
    "nothing": "TypeError: expected one whole number, got object ()",
    "halves": "TypeError: expected one whole number, got float64 (1,)",
    "many": "TypeError: expected one whole number, got int32 (2,)",
}


@pytest.mark.parametrize("agent", ANSWERS)
def test_what_is_no_answer_is_a_fault(agent):
    recipe = _recipe(config_of("racer", "racer"), make)

    assert _answer(make(agent, "tokken"), recipe.views, recipe.streams) == ("fault", ANSWERS[agent])


def test_failing_agents_forfeit_and_others_go_on():
    """Every agent that fails forfeits, and the tournament continues.

    Every fault that ends a process or a game, and two teams that play.
    """
    config = config_of("racer", *FAULTS, "polite", rounds=3, seed=1)
    sheets = play(config)
    teams = {team.number: team for team in config.teams}

    assert len(sheets) == 9
    for sheet in sheets:
        if sheet.is_bye:
            continue
        at_fault = {"a": [sheet.team_a], "b": [sheet.team_b], "both": sheet.teams, None: ()}
        names = [teams[number].name for number in at_fault[sheet.forfeit]]
        assert not {"racer", "polite"} & set(names)
        assert all(f"{name}: {FAULTS[name]}" in sheet.note for name in names)
        assert "\n" not in sheet.note
        if sheet.forfeit == "both":
            assert (sheet.points, sheet.winner) == ((8, 8), None)
        elif sheet.forfeit:
            assert sorted(sheet.points) == [8, 26]
        else:
            assert {teams[number].name for number in sheet.teams} == {"racer", "polite"}
        assert sheet.forfeit is None or sheet.time == 600


@pytest.mark.parametrize("agent", ["breeds@9", "spins@9"])
def test_an_agent_that_hangs_forfeits(agent):
    """Also in its second game: it is started again. What it has started ends with it."""
    config = config_of(agent, "racer", rounds=2, decision_seconds=0.5)
    start = time.monotonic()
    sheets = play(config)

    assert [sheet.forfeit for sheet in sheets] == ["ab"[s.team_a != 1] for s in sheets]
    assert {sheet.note for sheet in sheets} == {f"{agent}: no answer within 0.5 s"}
    assert time.monotonic() - start < 120
    while BRED in commands() and time.monotonic() - start < 120:
        time.sleep(0.1)
    assert BRED not in commands()


def commands() -> str:
    """The command lines of all processes."""
    return subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("is_file", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_a_script_without_a_main_guard_lost_all_its_games(tmp_path, is_file):
    """Where no process can begin, the tournament ends before its first game, with the reason."""
    code = (
        f"import sys; sys.path.insert(0, {str(Path(__file__).parents[1])!r})\n"
        "from hostile_agents import make\n"
        "from spelkast.eval.tournament.config import Config\n"
        "from spelkast.eval.tournament.folder import Folder\n"
        "from spelkast.eval.tournament.run import play_tournament\n"
        "from spelkast.eval.tournament.teams import teams_of_agents\n"
        "teams = tuple(teams_of_agents(['slow', 'racer']))\n"
        "print(play_tournament(Folder(Config(teams=teams)), make=make))\n"
    )
    script = tmp_path / "cup.py"
    script.write_text(code)
    with script.open() as file:
        done = subprocess.run(
            [sys.executable, *([str(script)] if is_file else [])],
            stdin=file,
            capture_output=True,
            text=True,
            check=False,
        )

    assert "TournamentError: expected a process for 'slow', got none" in done.stderr
    assert "__main__" in done.stderr
    assert not done.stdout


def test_an_agent_that_is_never_ready_is_absent():
    config = config_of("never", "racer", "hangs", rounds=1, ready_seconds=6)
    sheets = play(config)

    assert sheets[0].forfeit is not None
    assert "not ready within 6 s" in sheets[0].note


def test_team_that_thinks_too_long_forfeits():
    """A team that thinks too long in a game forfeits it."""
    (sheet,) = play(config_of("slow", "racer", rounds=1, game_seconds=1))

    assert sheet.forfeit == "ab"[sheet.team_a != 1]
    assert sheet.note in {"slow: more than 1 s in one game", "slow: no answer within 0.2 s"}


def test_a_decision_that_comes_late_forfeits_too():
    (sheet,) = play(config_of("slow", "racer", rounds=1, decision_seconds=0.1))

    assert sheet.forfeit == "ab"[sheet.team_a != 1]
    assert sheet.note == "slow: 0.4 s for one decision, 0.1 s allowed"


def test_agents_prints_and_scribbles_change_nothing(capfd):
    """What an agent prints or scribbles changes nothing."""
    noisy = play(config_of("noisy", "racer", rounds=1, max_decisions=40))
    quiet = play(config_of("polite", "racer", rounds=1, max_decisions=40))

    assert noisy == quiet
    assert capfd.readouterr().out == ""


def test_missing_agent_is_refused_at_once(tmp_path):
    """An agent that does not exist is reported before the first game."""
    with pytest.raises(SpelkastError, match="got 'unknown'"):
        play(config_of("racer", "unknown"), tmp_path / "cup")

    assert not (tmp_path / "cup" / "sheets.jsonl").exists()
