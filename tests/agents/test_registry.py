"""Agents by text, and what is said when a text names none."""

import subprocess
import sys

import pytest

from spelkast.agents.registry import baselines, make_agent
from spelkast.envs.engine.errors import SpelkastError, UnknownNameError


def test_baselines_come_in_order_of_strength():
    assert baselines("tacocat") == ["novice", "solid", "strong", "tuned"]


@pytest.mark.parametrize("name", ["random", "novice", "solid", "strong", "tuned"])
def test_an_agent_bears_the_name_it_was_asked_by(name):
    agent = make_agent(name, "tacocat")

    assert agent.name == name
    assert agent.needs_states is False


def test_misspelt_agent_gets_all_names_and_the_closest():
    with pytest.raises(UnknownNameError) as error:
        make_agent("Sold", "tacocat")

    assert str(error.value) == (
        "expected an agent of tacocat (random, novice, solid, strong, tuned) or the folder of a "
        "training run, got 'Sold'; did you mean 'solid'?"
    )


@pytest.mark.parametrize("text", ["runs/none", "runs/none@best", "@best"])
def test_a_missing_run_is_told_the_folder(text):
    with pytest.raises(UnknownNameError, match=r"got .*: there is no folder '(runs/none|)'"):
        make_agent(text, "tacocat")


def test_an_empty_text_names_nobody():
    with pytest.raises(UnknownNameError, match="got ''"):
        make_agent("", "tacocat")


@pytest.mark.parametrize("call", [baselines, lambda game: make_agent("random", game)])
def test_an_unknown_game_is_an_error(call):
    with pytest.raises(UnknownNameError, match="'tacocta'"):
        call("tacocta")


@pytest.mark.parametrize("at", ["", "@best", "@20000"])
def test_a_folder_is_handed_to_the_checkpoint_reader(tmp_path, monkeypatch, at):
    """With game, options and wishes as they came; a folder may have an @ in its name."""
    seen: dict[str, object] = {}

    def load_agent(text, spec, options, *, device, deterministic):
        seen.update(text=text, game=spec.name, options=options)
        seen.update(device=device, deterministic=deterministic)
        return agent

    agent = make_agent("random", "tacocat")
    checkpoint = pytest.importorskip("spelkast.agents.checkpoint")
    monkeypatch.setattr(checkpoint, "load_agent", load_agent)
    (tmp_path / "my@run").mkdir()
    text = f"{tmp_path}/my@run{at}"

    found = make_agent(
        text, "tacocat", options={"tie_rule": "arrow"}, device="cpu", deterministic=True
    )

    assert found is agent
    assert seen == {
        "text": text,
        "game": "tacocat",
        "options": {"tie_rule": "arrow"},
        "device": "cpu",
        "deterministic": True,
    }


def test_without_torch_a_run_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.delitem(sys.modules, "spelkast.agents.checkpoint", raising=False)
    monkeypatch.delitem(sys.modules, "spelkast.agents.network", raising=False)

    with pytest.raises(SpelkastError, match=r"pip install 'spelkast\[train\]'"):
        make_agent(str(tmp_path), "tacocat")


def test_baselines_do_not_load_torch():
    code = (
        "import sys; from spelkast.agents.registry import make_agent;"
        "make_agent('strong', 'tacocat'); print('torch' in sys.modules)"
    )

    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd="/"
    )

    assert done.stdout.strip() == "False"
