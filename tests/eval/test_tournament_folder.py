"""The folder of a tournament of agents: interruptions, damage, changes of mind."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hostile_agents import make

from spelkast.agents.files import LOCK, claimed
from spelkast.envs.engine.errors import SpelkastError, TournamentError
from spelkast.eval.tournament.config import Config
from spelkast.eval.tournament.folder import Folder, open_folder, read_config
from spelkast.eval.tournament.run import play_tournament
from spelkast.eval.tournament.sheets import FIELDS, Sheet
from spelkast.eval.tournament.teams import teams_of_agents

pytestmark = pytest.mark.compiled


def config_of(*texts, **changes):
    return Config(teams=tuple(teams_of_agents(texts)), **changes)


def play(config, path=None, **keywords):
    folder = Folder(config) if path is None else open_folder(path, config)
    return play_tournament(folder, make=make, **keywords)


CUP = config_of("kees", "racer", "racer+kees", "random", "racer", rounds=3, seed=5)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The files of a tournament that was not interrupted."""
    path = tmp_path_factory.mktemp("whole")
    play(CUP, path)
    return files_of(path)


def files_of(path):
    return {file.name: file.read_bytes() for file in path.iterdir() if file.name != LOCK}


def test_the_folder_holds_the_tournament(whole):
    assert set(whole) == {"tournament.json", "sheets.jsonl"}
    lines = [json.loads(line) for line in whole["sheets.jsonl"].splitlines()]

    assert len(lines) == 9
    assert list(lines[0]) == list(FIELDS)
    assert [Sheet(**line) for line in lines] == play(CUP)


class InterruptedCupError(Exception):
    """The command was ended."""


@pytest.mark.parametrize("after", range(1, 9))
def test_interrupted_tournament_ends_the_same(tmp_path, whole, after):
    """An interrupted tournament ends as it would have."""
    came_in = 0

    def progress(count):
        nonlocal came_in
        came_in += count
        if came_in >= after:
            raise InterruptedCupError

    with pytest.raises(InterruptedCupError):
        play(CUP, tmp_path, progress=progress)
    there = (tmp_path / "sheets.jsonl").read_bytes().splitlines()
    assert 0 < len(there) < 9
    play(read_config(tmp_path), tmp_path)

    assert files_of(tmp_path) == whole


def test_killed_tournament_ends_as_it_would_have(tmp_path, whole):
    """`kill -9` after some sheet, twice."""
    code = (
        "from pathlib import Path; from spelkast.eval.tournament.folder import *\n"
        "from spelkast.eval.tournament.run import play_tournament\n"
        "import sys, time\n"
        "path = Path(sys.argv[1]); config = read_config(path)\n"
        "print('playing', flush=True)\n"
        "play_tournament(open_folder(path, config), progress=lambda n: time.sleep(0.2 * n))\n"
    )
    open_folder(tmp_path, CUP).save()
    for _ in range(2):
        process = subprocess.Popen(
            [sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE, text=True
        )
        assert process.stdout is not None
        assert process.stdout.readline() == "playing\n"
        before = (tmp_path / "sheets.jsonl").exists() and (
            tmp_path / "sheets.jsonl"
        ).read_bytes().count(b"\n")
        while process.poll() is None and not has_more(tmp_path, before or 0):
            time.sleep(0.02)
        process.kill()
        process.communicate()
    play(read_config(tmp_path), tmp_path)

    found = {name: data for name, data in files_of(tmp_path).items() if name in whole}
    assert found == whole


def has_more(path, before):
    file = path / "sheets.jsonl"
    return file.exists() and file.read_bytes().count(b"\n") > before


def test_agents_of_a_killed_tournament_end(tmp_path):
    code = (
        "import sys; sys.path.insert(0, sys.argv[2])\n"
        "from pathlib import Path; from spelkast.eval.tournament.folder import *\n"
        "from spelkast.eval.tournament.run import play_tournament\n"
        "from hostile_agents import make\n"
        "folder = open_folder(Path(sys.argv[1]), read_config(Path(sys.argv[1])))\n"
        "play_tournament(folder, make=make)\n"
    )
    open_folder(tmp_path, config_of("hangs@1", "spins@1", rounds=1, decision_seconds=900)).save()
    process = subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path), str(Path(__file__).parents[1])]
    )
    children: set[int] = set()
    deadline = time.monotonic() + 100
    while len(children) < 2 and time.monotonic() < deadline:
        time.sleep(0.2)
        children = workers_of(process.pid)
    time.sleep(1)
    process.send_signal(signal.SIGKILL)
    process.wait()
    while any(is_running(child) for child in children) and time.monotonic() < deadline:
        time.sleep(0.2)

    assert len(children) == 2
    assert not any(is_running(child) for child in children)


def workers_of(parent):
    """The processes of agents that *parent* has started, and that have got somewhere."""
    found = set()
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
                command = (entry / "cmdline").read_bytes()
            except OSError:
                continue
            used = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
            if int(fields[1]) == parent and b"spawn_main" in command and used > 0.5:
                found.add(int(entry.name))
    return found


def is_running(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_more_rounds_may_be_added(tmp_path, whole):
    play(CUP.with_changes(rounds=2), tmp_path)
    assert len((tmp_path / "sheets.jsonl").read_bytes().splitlines()) == 6
    play(CUP, tmp_path)

    assert files_of(tmp_path) == whole


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"seed": 6}, "expected seed 5, with which the tournament in"),
        ({"max_decisions": 500}, "expected max_decisions 600"),
        ({"time": "seconds"}, "expected time decisions"),
        ({"teams": CUP.teams[:4]}, "expected teams 1 kees (kees+kees), 2 racer"),
        ({"options": {"home_entry": "free"}}, "expected options {}"),
        ({"rounds": 1}, "expected at least 3 rounds, which have begun in"),
    ],
)
def test_other_tournament_is_refused_in_the_folder(tmp_path, whole, changes, message):
    """Another tournament is refused in the same folder."""
    for name, data in whole.items():
        (tmp_path / name).write_bytes(data)
    with pytest.raises(TournamentError) as refused:
        play(CUP.with_changes(**changes), tmp_path)

    assert message in str(refused.value)
    assert files_of(tmp_path) == whole


BROKEN = {
    "half a line": ("sheets.jsonl", lambda text: text[:-40], "sheets.jsonl, line 9"),
    "nine pawns": (
        "sheets.jsonl", lambda text: text.replace('"pawns_a": 8', '"pawns_a": 9', 1),
        "got 9",
    ),
    "another pairing": (
        "sheets.jsonl",
        lambda text: text.replace('"team_a"', '"x"').replace('"team_b"', '"team_a"')
        .replace('"x"', '"team_b"'),
        "expected",
    ),
    "no JSON": ("tournament.json", lambda text: text[:50], "expected a tournament as JSON in"),
    "another format": ("tournament.json", lambda text: text.replace('"format": 1', '"format": 2'),
                       "expected a tournament of format 1"),
    "no teams": ("tournament.json", lambda text: text.replace('"teams"', '"team"'),
                 "tournament.json: expected key 'teams' of the tournament, got none"),
    "unknown key": ("tournament.json", lambda text: text.replace('"seed"', '"seeds"'), "seeds"),
    "rounds": ("tournament.json", lambda text: text.replace('"rounds": 3', '"rounds": 0'),
               "key 'rounds' of the tournament: Input should be greater than or equal to 1, got 0"),
    "checkpoints": ("tournament.json", lambda text: text.replace("{}\n}", "3\n}"),
                    "expected checkpoints by agent"),
}  # fmt: skip


@pytest.mark.parametrize("what", BROKEN)
def test_a_damaged_folder_is_reported(tmp_path, whole, what):
    name, damage, message = BROKEN[what]
    for file, data in whole.items():
        (tmp_path / file).write_bytes(data)
    text = (tmp_path / name).read_text()
    assert damage(text) != text
    (tmp_path / name).write_text(damage(text))
    before = files_of(tmp_path)
    with pytest.raises(TournamentError) as refused:
        play(read_config(tmp_path), tmp_path)

    assert message in str(refused.value)
    assert files_of(tmp_path) == before


def test_two_tournaments_in_one_folder_ended_one(tmp_path):
    """It missed a temporary file that the other had moved."""
    play(CUP, tmp_path)
    before = files_of(tmp_path)
    with (
        claimed(tmp_path, TournamentError),
        pytest.raises(TournamentError, match="folder that nobody is writing to"),
    ):
        play(CUP, tmp_path)
    assert files_of(tmp_path) == before


def test_a_folder_that_is_something_else_is_refused(tmp_path):
    (tmp_path / "file").write_text("text")
    with pytest.raises(TournamentError, match="expected a folder, got the file"):
        open_folder(tmp_path / "file", CUP)
    (tmp_path / "sheets.jsonl").write_text("{}")
    with pytest.raises(TournamentError, match="expected a folder without sheets"):
        open_folder(tmp_path, CUP)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"rounds": 0}, "'rounds' of the tournament: Input should be greater than or equal to 1"),
        ({"rounds": True}, "'rounds' of the tournament: Input should be a valid integer, got True"),
        ({"seed": -1}, "'seed' of the tournament: Input should be greater than or equal to 0"),
        ({"max_decisions": 0}, "'max_decisions' of the tournament: Input should be greater than"),
        ({"decision_seconds": 0}, "'decision_seconds' of the tournament: Input should be greater"),
        ({"game_seconds": float("nan")}, "'game_seconds' of the tournament: Input should be a fin"),
        ({"ready_seconds": "3"}, "'ready_seconds' of the tournament: Input should be a valid num"),
        ({"time": "minutes"}, "Input should be 'decisions' or 'seconds', got 'minutes'"),
        ({"teams": [{"number": 1}]}, "expected key 'teams.0.name' of the tournament, got none"),
        ({"sedd": 3}, "got 'sedd'; did you mean 'seed'?"),
        ({"options": {"players": 4}}, "which the format sets, got 'players'"),
        ({"options": {"dots": 4}}, "got 'dots'"),
    ],
)
def test_a_configuration_that_cannot_be(changes, message):
    with pytest.raises(SpelkastError) as refused:
        CUP.with_changes(**changes)

    assert message in str(refused.value)


# Trained agents --------------------------------------------------------------------------------


def add_checkpoint(run, step):
    """A network that has learnt nothing, as the latest checkpoint of a run."""
    import torch

    from spelkast.agents.checkpoint import demands, save_tensors
    from spelkast.agents.files import write_json
    from spelkast.agents.network import NetworkConfig, PolicyNetwork

    options = CUP.spec.parse_options(None)
    shape = CUP.spec.shape(options)
    network = NetworkConfig(observation=shape.observation, actions=shape.actions, hidden=(8,))
    torch.manual_seed(step)
    at = run / "checkpoints" / str(step)
    at.mkdir(parents=True)
    save_tensors(at / "weights.pt", PolicyNetwork(network).state_dict())
    facts = {"network": network.to_json(), "step": step, "deterministic": True}
    write_json(at / "manifest.json", demands(CUP.spec, options) | facts)


@pytest.mark.slow
def test_trained_agent_keeps_its_first_checkpoint(tmp_path, monkeypatch):
    """A trained agent plays on from the checkpoint that it began with.

    Though its training has gone on; the options of the format are no other game to it.
    """
    monkeypatch.chdir(tmp_path)
    add_checkpoint(Path("run"), 100)
    path = tmp_path / "cup"
    team = "run+racer"  # one process of an agent, not two
    play(config_of(team, "racer", rounds=1), path)
    add_checkpoint(Path("run"), 200)
    sheets = play(config_of(team, "racer", rounds=2), path)

    assert json.loads((path / "tournament.json").read_text())["checkpoints"] == {"run": "run@100"}
    assert sheets == play(config_of("run@100+racer", "racer", rounds=2))
    assert [sheet.forfeit for sheet in sheets] == [None, None]


def test_a_run_for_other_options_is_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    add_checkpoint(Path("run"), 100)
    with pytest.raises(TournamentError, match="expected a checkpoint with options"):
        play(config_of("run", "racer", rounds=1, options={"home_entry": "free"}))
