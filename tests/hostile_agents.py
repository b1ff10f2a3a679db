"""Agents that break everything that can be broken, for tests of what must survive them.

In a module of its own: they are made in processes that import it by name.
"""

import os
import subprocess
import time
from typing import Any

import numpy as np

from spelkast.agents.agent import Agent
from spelkast.agents.registry import make_agent
from spelkast.envs.engine.errors import UnknownNameError

BRED = "1017.25"
"""Seconds of a process that an agent starts, by which it is known."""
WAITS = 1000.0
"""Seconds that a hang lasts: for ever, as far as a test is concerned."""


class Hostile:
    """Plays like `random` until it is to do what its name says."""

    needs_states = False

    def __init__(self, name: str) -> None:
        self.name = name
        self.random = make_agent("random", "tokken")
        self.calls = 0

    def act(self, views: Any, streams: Any) -> Any:
        """Choose an action, or do something else."""
        self.calls += 1
        what, _, after = self.name.partition("@")
        if self.calls <= int(after or 0):
            return self.random.act(views, streams)
        return getattr(self, what)(views, streams)

    def polite(self, views: Any, streams: Any) -> Any:
        """No harm at all."""
        return self.random.act(views, streams)

    def noisy(self, views: Any, streams: Any) -> Any:
        """Prints, and writes into what it was shown."""
        print("I am thinking")
        views.observations[:] = 7.0
        chosen = self.random.act(views, streams)
        views.masks[:] = 0
        return chosen

    def raises(self, views: Any, streams: Any) -> Any:
        """An error in two lines."""
        raise KeyError("no such\nthing")

    def leaves(self, views: Any, streams: Any) -> Any:
        """Ask Python to leave."""
        raise SystemExit(0)

    def dies(self, views: Any, streams: Any) -> Any:
        """Leave without asking."""
        os._exit(3)

    def breeds(self, views: Any, streams: Any) -> Any:
        """Start a process that would outlive it, and never answer."""
        subprocess.Popen(["sleep", BRED])
        time.sleep(WAITS)

    def hangs(self, views: Any, streams: Any) -> Any:
        """Never answer."""
        time.sleep(WAITS)

    def spins(self, views: Any, streams: Any) -> Any:
        """Never answer, and never rest."""
        while True:
            pass

    def slow(self, views: Any, streams: Any) -> Any:
        """Answer, but late."""
        time.sleep(0.4)
        return self.random.act(views, streams)

    def illegal(self, views: Any, streams: Any) -> Any:
        """An action that exists but may not be played."""
        return np.array([int(np.argmin(views.masks[0]))])

    def beyond(self, views: Any, streams: Any) -> Any:
        """An action that does not exist."""
        return np.array([10**6])

    def nothing(self, views: Any, streams: Any) -> Any:
        """No action."""
        return None

    def halves(self, views: Any, streams: Any) -> Any:
        """Half an action."""
        return np.array([0.5])

    def many(self, views: Any, streams: Any) -> Any:
        """More actions than were asked for."""
        return np.zeros(2, np.int32)


def make(text: str, game: str, *, options: Any = None) -> Agent:
    """One of our own agents, a hostile one, or one that is hostile from the start."""
    if text == "unknown":
        raise UnknownNameError("expected an agent that exists, got 'unknown'")
    if text == "unmade":
        raise RuntimeError("cannot be made")
    if text == "never":
        time.sleep(WAITS)
    if hasattr(Hostile, text.partition("@")[0]):
        return Hostile(text)
    return make_agent(text, game, options=options)
