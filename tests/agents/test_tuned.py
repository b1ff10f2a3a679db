"""Parameters of baselines, and files that give them other values."""

from typing import Any

import pytest

from spelkast import envs
from spelkast.agents.heuristics.oduludo import needs
from spelkast.agents.heuristics.tacocat import simple
from spelkast.agents.heuristics.toedeloe import worth
from spelkast.agents.heuristics.toedeloe.endings import hoarder
from spelkast.agents.heuristics.tokken import numbers
from spelkast.agents.registry import baseline, baselines, make_agent
from spelkast.agents.tuned import weights_of, write_agent_file
from spelkast.envs.engine.errors import SpelkastError
from spelkast.eval.match import play_match

HOARDER: Any = hoarder.weights
VALUES = "\n".join(f"{name} = {value}" for name, value in HOARDER.by_name().items())
SOUND = f'game = "toedeloe"\nbaseline = "hoarder"\n[parameters]\n{VALUES}\n'

WRONG = {
    "another game": (SOUND.replace("toedeloe", "tokken"), "expected game = 'toedeloe', got 'tok"),
    "no game": (SOUND.replace("game", "#game"), "expected game = 'toedeloe', got None"),
    "unknown baseline": (SOUND.replace("hoarder", "hero"), "one of .*hoarder.*, got 'hero'"),
    "a baseline that is a list": (SOUND.replace('"hoarder"', "[1]"), r"hoarder.*, got \[1\]"),
    "no table": (SOUND.split("[")[0], r"expected a table \[parameters\], got None"),
    "unknown parameter": (SOUND + "fame = 3", "expected a parameter .*run.*, got 'fame'"),
    "missing parameter": (SOUND.replace("run =", "#"), "every parameter of .*, got none .*run"),
    "out of range": (SOUND.replace("run = 10", "run = 61"), "run as .* from -10 to 60, got 61"),
    "a huge number": (SOUND.replace("run = 10", f"run = {'9' * 50}"), "run as .*, got 999"),
    "a fraction": (SOUND.replace("run = 10", "run = 1.5"), "run as a whole number .*, got 1.5"),
    "no number": (SOUND.replace("run = 10", "run = true"), "run as a whole number .*, got True"),
    "unknown key": ("gaem = 1\n" + SOUND, "expected one of game, .*, got 'gaem'"),
    "broken": ("game = ", "expected TOML in"),
    "too big": (SOUND + "#" * 100_000, "of at most 100,000 bytes, got 10"),
}  # fmt: skip


def weights(text: str) -> Any:
    agent: Any = make_agent(text, "toedeloe")
    return weights_of(agent.choice)


def test_an_agent_file_names_an_agent(tmp_path):
    """With the values that were written, under the path as its name."""
    path = tmp_path / "my.toml"
    changed = HOARDER.changed({"run": 13})

    write_agent_file(path, changed, game="toedeloe", baseline="hoarder", made={"seed": 1})
    agent = make_agent(str(path), "toedeloe")

    assert "run = 13  # each pawn of the longest row (-10 to 60, by default 10)" in path.read_text()
    assert agent.name == str(path)
    assert weights(str(path)).by_name() == HOARDER.by_name() | {"run": 13}


def test_an_agent_file_is_the_policy_of_a_search(tmp_path):
    """Whatever its name ends in."""
    path = tmp_path / "my.agent"
    path.write_text(SOUND.replace("run = 10", "run = 13"), "utf-8")

    found = weights(f"search:rollout,policy={path},budget=100")

    assert found.by_name()["run"] == 13


@pytest.mark.parametrize("game", envs.games())
def test_parameters_are_named_and_in_range(game):
    """Whatever is evolved; the best baseline of each game has some."""
    found = [weights_of(baseline(name, game)) for name in baselines(game)]

    assert found[-1] is not None
    for weights in filter(None, found):
        names = [parameter.name for parameter in weights.parameters]
        assert len(set(names)) == len(names)
        assert all(p.low <= p.default <= p.high > p.low for p in weights.parameters)
        assert all(p.meaning and "\n" not in p.meaning for p in weights.parameters)


@pytest.mark.parametrize("module", [needs, numbers, simple, worth])
def test_a_parameter_stands_at_the_place_of_its_name(module):
    """A loop reads it by that place: two lists, which an insertion in one would shift."""
    parameters = (*module.PARAMETERS, *getattr(module, "BELIEFS", ()))

    assert len(parameters) > 5
    for place, parameter in enumerate(parameters):
        assert getattr(module, parameter.name.upper()) == place, parameter.name


def test_all_values_of_parameters_share_one_loop():
    """So no other values have to be compiled; they come last in the room."""
    scorer: Any = make_agent("scorer", "toedeloe")

    assert scorer.choice.choice.loop is hoarder.loop
    assert weights("scorer").values != HOARDER.values
    assert hoarder.room(133)[-1].tolist() == list(HOARDER.values)


@pytest.mark.compiled
def test_tuned_beats_the_baseline_that_it_was():
    """83.5 % in 2,000 games of ToedeLoe; 40 cannot be lost but by damage."""
    spec = envs.spec("toedeloe")
    agents = make_agent("tuned", "toedeloe"), make_agent("hoarder", "toedeloe")

    assert play_match(spec, {}, *agents, games=40, seed=3).score > 0.6


@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_agent_file_is_told_what_is_wrong(tmp_path, case):
    """In one line with the path."""
    text, message = WRONG[case]
    path = tmp_path / "my.toml"
    path.write_text(text, "utf-8")

    with pytest.raises(SpelkastError, match=message) as error:
        make_agent(str(path), "toedeloe")

    assert str(path) in str(error.value)


@pytest.mark.parametrize("text", ["gone.toml", "search:rollout,policy=gone.toml,budget=9"])
def test_a_missing_agent_file_is_told_so(text):
    with pytest.raises(SpelkastError, match=r"agent file, got 'gone\.toml': there is no such file"):
        make_agent(text, "toedeloe")
