"""The PettingZoo environment, beside PettingZoo's own `connect_four_v3` in the same run.

Both `env()` with all their checks, in turns (A B A B ...), the same loop over `last()` and the same
cheap legal picker: `np.flatnonzero` and random numbers drawn beforehand. Time is CPU time.
"""

from __future__ import annotations

import importlib
import os
import warnings
from collections.abc import Iterator
from itertools import count, cycle
from typing import Any

import numpy as np

from spelkast.envs import games, make

from .sampling import SPREAD_HEADER, Json, cells, markdown_table, rate, spread

SECONDS = 10.0
"""CPU time per environment."""
PAIRS = 9
PEER = "connect_four_v3"
PICKS = np.random.default_rng(0).random(1 << 16).tolist()


class NotInstalledError(Exception):
    """A peer cannot be measured here; the message says what to install."""


def measure(*, seconds: float = SECONDS, pairs: int = PAIRS) -> Json:
    """Plies per second of every game and of the peer, and the ratio of each pair of turns."""
    peer: Any
    try:
        peer = classic(PEER)
    except NotInstalledError as missing:
        peer = None
        skipped = str(missing)
    figures: Json = {"peer": f"PettingZoo {PEER}", "games": {}}
    for game in games():
        ours = make(game)
        play_game(ours, 0, cycle(PICKS))  # compiles
        if peer is None:
            rates = [plies_per_second(ours, seconds / pairs) for _ in range(pairs)]
            figures["games"][game] = {"plies_per_second": spread(rates), "skipped": skipped}
        else:
            figures["games"][game] = _compare(ours, peer, seconds / pairs, pairs=pairs)
    return figures


def table(figures: Json) -> str:
    """The figures as Markdown."""
    rows = []
    for game, facts in figures["games"].items():
        rows.append([f"{game}, plies/s", *cells(facts["plies_per_second"])])
        if "skipped" in facts:
            rows.append([f"{figures['peer']}: {facts['skipped']}", "", "", ""])
        else:
            rows.append([f"{figures['peer']}, plies/s", *cells(facts["peer_plies_per_second"])])
            rows.append([f"**{game} / {figures['peer']}**", *cells(facts["ratio"])])
    return markdown_table(("environment", *SPREAD_HEADER), rows)


def classic(name: str) -> Any:
    """`env()` of a module of `pettingzoo.classic`, which needs more than PettingZoo itself."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # PettingZoo deprecates importing its own modules
            env = importlib.import_module(f"pettingzoo.classic.{name}").env()
    except ImportError as error:
        if error.name is None:
            raise NotInstalledError(f"skipped: {error}") from None
        hint = " (pip install 'spelkast[bench]')" if error.name == "pygame" else ""
        raise NotInstalledError(f"skipped, {error.name} is not installed{hint}") from None
    play_game(env, 0, cycle(PICKS))
    return env


def plies_per_second(env: Any, seconds: float) -> float:
    """Random legal games through the AEC interface, resets included; CPU time."""
    seeds, picks = count(), cycle(PICKS)
    return rate(lambda: play_game(env, next(seeds), picks), seconds)


def play_game(env: Any, seed: int, picks: Iterator[float]) -> int:
    """One game; every move takes one of *picks*. Returns the number of moves."""
    env.reset(seed=seed)
    plies = 0
    for _ in env.agent_iter():
        observation, _, terminated, truncated, _ = env.last()
        if terminated or truncated:
            env.step(None)
            continue
        legal = np.flatnonzero(observation["action_mask"])
        env.step(int(legal[int(next(picks) * len(legal))]))
        plies += 1
    return plies


def _compare(ours: Any, peer: Any, seconds: float, *, pairs: int) -> Json:
    """A B A B ...: the ratio is taken within each pair, so slow drift of the machine cancels."""
    rates = [
        (plies_per_second(ours, seconds), plies_per_second(peer, seconds)) for _ in range(pairs)
    ]
    return {
        "plies_per_second": spread([a for a, _ in rates]),
        "peer_plies_per_second": spread([b for _, b in rates]),
        "ratio": spread([a / b for a, b in rates]),
    }
