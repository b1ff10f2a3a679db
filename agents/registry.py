"""Agents by text: `random`, baselines, searches, agent files, and the folders of training runs."""

import importlib
from collections.abc import Mapping
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

from .. import envs
from ..envs.engine.errors import MissingPartError, SpelkastError, UnknownNameError, expect
from ..envs.engine.spec import Options
from .agent import Agent, KernelAgent
from .search.guided import Guide
from .search.text import PREFIX, make_search
from .tuned import AnyChoice, is_agent_file, read_agent_file
from .uniform import random_agent

Choices: TypeAlias = dict[str, AnyChoice]
"""Baselines by name."""


def baselines(game: str) -> list[str]:
    """The names of the hand-written players of *game*, the weakest first."""
    return list(_choices(game))


def baseline(name: str, game: str) -> AnyChoice:
    """How the baseline *name* of *game* chooses; raises `UnknownNameError` if there is none."""
    choices = _choices(game)
    if name not in choices:
        close = get_close_matches(name.lower(), choices, n=1)
        hint = f"; did you mean {close[0]!r}?" if close else ""
        known = ", ".join(choices) or "there is none"
        raise UnknownNameError(f"expected a baseline of {game} ({known}), got {name!r}{hint}")
    return choices[name]


def make_agent(
    text: str,
    game: str,
    *,
    options: Mapping[str, Any] | Options | None = None,
    device: str = "auto",
    deterministic: bool | None = None,
) -> Agent:
    """The agent of *game* that *text* names.

    Args:
        text: "random", one of `baselines(game)`, an agent file such as "my.toml" (see `tuned`), a
            search such as "search:rollout,policy=solid,budget=60000" (see `search.text`), or the
            folder of a training run, also with the checkpoint that is meant: "runs/demo@best",
            "runs/demo@latest", "runs/demo@20000".
        game: name of the game.
        options: options that the game is played with; a trained agent refuses others than its own.
        device: where a network runs: "auto", "cpu", "cuda" ...
        deterministic: whether a network takes its likeliest action; None leaves it to the run.

    Raises:
        UnknownNameError: no such game or agent.
        SpelkastError: an agent file that is wrong, or of another game.
        OptionsError: a search with impossible options.
        CheckpointError: a run that does not fit the game or is damaged.
    """
    choices = _choices(game)
    if text == "random":
        return random_agent()
    if text in choices:
        return KernelAgent(text, choices[text])
    if text.startswith(PREFIX):
        known = choices | _files_named(text, game, choices)
        guide = partial(_guide, game=game, options=options, device=device)
        return make_search(text, envs.spec(game), known, guide)
    if is_agent_file(text):
        return KernelAgent(text, read_agent_file(Path(text), game, choices))
    agent: Agent = _checkpoint(text, game).load_agent(
        text, envs.spec(game), options, device=device, deterministic=deterministic
    )
    return agent


def _guide(text: str, *, game: str, options: Any, device: str) -> Guide:
    """The trained agent that is to guide a search."""
    is_other = text == "random" or text in _choices(game)
    wanted = "the folder of a training run as the guide of a search"
    expect(not is_other, wanted, f"the baseline {text!r}", error=UnknownNameError)
    guide: Guide = _checkpoint(text, game).load_guide(text, envs.spec(game), options, device=device)
    return guide


def _checkpoint(text: str, game: str) -> Any:
    """The module that loads the folder that *text* names; torch comes with it."""
    folder = _run_folder(text)
    if not folder or not Path(folder).is_dir():
        raise UnknownNameError(_explain(text, game, ["random", *baselines(game)]))
    try:
        return importlib.import_module(".checkpoint", __package__)
    except ModuleNotFoundError as error:
        if error.name != "torch":
            raise
        raise SpelkastError(
            f"expected torch to be installed for the trained agent {text!r}: "
            "pip install 'spelkast[train]'"
        ) from None


def _files_named(search: str, game: str, choices: Choices) -> Choices:
    """The agent files that a search has as options, by their paths."""
    values = [option.partition("=")[2] for option in search.split(",")]
    paths = [value for value in values if value not in choices and is_agent_file(value)]
    return {path: read_agent_file(Path(path), game, choices) for path in paths}


def _choices(game: str) -> Choices:
    """The baselines of a game that exists; a game may have none."""
    home = envs.home(game)
    if not home.has_heuristics():
        return {}
    choices = getattr(importlib.import_module(home.heuristics), "BASELINES", None)
    if not isinstance(choices, dict):
        raise MissingPartError(
            f"expected BASELINES, a dict of the baselines of {game}, in {home.heuristics}, "
            f"got {choices!r}"
        )
    return choices


def _run_folder(text: str) -> str:
    """The folder in "folder@checkpoint"; a folder may have an @ in its own name."""
    return text if "@" not in text or Path(text).is_dir() else text.rpartition("@")[0]


def _explain(text: str, game: str, names: list[str]) -> str:
    known = f"expected an agent of {game} ({', '.join(names)}) or the folder of a training run"
    if "/" in text or "@" in text:
        return f"{known}, got {text!r}: there is no folder {_run_folder(text)!r}"
    close = get_close_matches(text.lower(), names, n=1)
    hint = f"; did you mean {close[0]!r}?" if close else ""
    if names == ["random"]:
        hint = f"; baselines would be in {envs.home(game).heuristics}"
    return f"{known}, got {text!r}{hint}"
