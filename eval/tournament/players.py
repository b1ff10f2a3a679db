"""The agents of a tournament; one that hangs or dies takes nobody with it.

Our own baselines are compiled loops that cannot fail; they play in this process, many games in one
call. Every other agent has a process of its own, is asked one decision at a time, and is ended if
it does not answer: then it is started again for its other games.
"""

import multiprocessing
import multiprocessing.connection
import os
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from time import monotonic, perf_counter
from typing import Any

import numpy as np

from ...agents.agent import Agent, Views, views_of
from ...agents.registry import baselines
from ...agents.system import end_group, end_own_group, interrupts_held_back, lead_group
from ...envs.engine.batch import Batch
from ...envs.engine.dtypes import Streams
from ...envs.engine.errors import SpelkastError, TournamentError
from ...envs.engine.jit import announced
from ...envs.engine.streams import NO_GAME, new_streams
from .config import GAME, Config

Make = Callable[..., Agent]
"""`(text, game, *, options) -> agent`; it and what it stands in can be imported by name."""

CONTEXT = multiprocessing.get_context("spawn")  # a fork would copy locks that threads hold
GRACE = 1.0
"""Seconds by which an answer may be late on its way to us."""
MOST_LETTERS = 160
DOWN, STARTING, IDLE, ASKED = range(4)


@dataclass(frozen=True, kw_only=True)
class Reply:
    """What an agent in its own process answered for one row."""

    row: int
    action: int = -1
    stream: int = 0
    """the row's stream of random numbers afterwards"""
    seconds: float = 0.0
    fault: str = ""
    """why there is no answer"""


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """What it takes to make an agent, and a decision to try it on that belongs to no game."""

    make: Make
    options: list[dict[str, Any]]
    views: Views
    streams: Streams

    def agent(self, text: str) -> Agent:
        """The agent under the first of the options that it does not refuse."""
        refused: SpelkastError | None = None
        for options in self.options:
            try:
                return self.make(text, GAME, options=options)
            except SpelkastError as error:
                refused = refused or error
        raise refused or TournamentError(f"expected options for {text!r}, got none")


class Company:
    """All agents of a tournament by the text that names them."""

    def __init__(self, config: Config, make: Make, pinned: Mapping[str, str]) -> None:
        """*pinned* names, for some agents, the checkpoint that they have played from so far."""
        self.recipe = _recipe(config, make)
        ours = {"random", *baselines(GAME)}
        texts = sorted({text for team in config.teams for text in team.agents})
        self.inside = {text: self.recipe.agent(text) for text in texts if text in ours}
        self.apart = {
            text: Apart(text, self.recipe, config.ready_seconds, pinned.get(text, ""))
            for text in texts
            if text not in ours
        }

    def close(self) -> None:
        """End all processes."""
        for agent in self.apart.values():
            agent.end()

    def gather(self) -> None:
        """Make everybody ready; raises `TournamentError` for an agent that does not exist.

        One that fails in another way is broken: it counts as absent.
        """
        for apart in self.apart.values():
            apart.start()
        for text, agent in self.inside.items():
            with announced(f"the agent {text}"):
                agent.act(self.recipe.views, self.recipe.streams.copy())
        while any(apart.state == STARTING for apart in self.apart.values()):
            self.listen(wait=True)
        for apart in self.apart.values():
            if apart.refusal:
                raise TournamentError(apart.refusal)

    def fault(self, text: str) -> str:
        """Why the agent cannot play at all; empty if it can."""
        return self.apart[text].fault if text in self.apart else ""

    def pinned(self) -> dict[str, str]:
        """For every trained agent the checkpoint that plays, since "best" may move on."""
        return {text: agent.pinned for text, agent in self.apart.items() if agent.pinned}

    def listen(self, *, wait: bool) -> list[Reply]:
        """The answers that have come, and faults of those whose time is over.

        With *wait* it returns when there is something or something is due.
        """
        busy = [apart for apart in self.apart.values() if apart.is_busy]
        if not busy:
            return []
        rest = max(0.0, min(apart.deadline for apart in busy) - monotonic()) if wait else 0.0
        ready = multiprocessing.connection.wait([apart.pipe for apart in busy], rest)
        replies = [apart.hear() for apart in busy if apart.pipe in ready]
        now = monotonic()
        replies += [apart.give_up() for apart in busy if apart.is_busy and now > apart.deadline]
        return [reply for reply in replies if reply is not None]


@dataclass(eq=False)
class Apart:
    """An agent in a process of its own."""

    text: str
    recipe: Recipe
    ready_seconds: float
    pinned: str
    """the checkpoint that a trained agent plays from, once it is known"""
    state: int = DOWN
    needs_states: bool = False
    fault: str = ""
    """why it cannot play at all; it is not started again"""
    refusal: str = ""
    """why there is no such agent"""
    row: int = -1
    allowed: float = 0.0
    deadline: float = 0.0
    pipe: Any = None
    process: Any = None
    is_there: bool = False
    """its process has begun"""

    @property
    def is_busy(self) -> bool:
        """Whether something is expected of it."""
        return self.state in {STARTING, ASKED}

    def start(self) -> None:
        """Begin its process; it is idle once `hear` has heard so."""
        self.pipe, theirs = CONTEXT.Pipe()
        self.process = CONTEXT.Process(
            target=serve, args=(theirs, self.pinned or self.text, self.recipe), daemon=True
        )
        # Ctrl-C is for the tournament, which ends its agents; blocked now, since a process that is
        # just starting would report it at length.
        with interrupts_held_back():
            self.process.start()
        theirs.close()
        self.is_there = False
        self.state, self.deadline = STARTING, monotonic() + self.ready_seconds

    def ask(self, row: int, views: Views, streams: Streams, *, seconds: float) -> None:
        """Ask for a decision; the answer, or the fault, comes by `Company.listen`."""
        self.state, self.row, self.allowed = ASKED, row, seconds
        self.deadline = monotonic() + seconds + GRACE
        with suppress(OSError):  # it has died in the meantime, which `hear` will find
            self.pipe.send((views, streams))

    def hear(self) -> Reply | None:
        """Take what has come from the process."""
        row = self.row
        try:
            kind, *content = self.pipe.recv()
        except Exception:  # whatever it is, no more will come
            if not self.is_there:  # which is no fault of the agent
                raise TournamentError(
                    f"expected a process for {self.text!r}, got none: {self._ending()} "
                    "(a program that plays a tournament is a file with all it does behind "
                    "`if __name__ == '__main__':`)"
                ) from None
            return self._lost(self._ending())
        if kind == "here":
            self.is_there = True
            return None
        if kind in {"refused", "broken"}:
            self.refusal = content[0] if kind == "refused" else ""
            return self._lost(content[0])
        self.state = IDLE
        if kind == "ready":
            self.needs_states, self.pinned = content
            return None
        if kind == "fault":
            return Reply(row=row, fault=content[0])
        action, stream, seconds = content
        return Reply(row=row, action=action, stream=stream, seconds=seconds)

    def give_up(self) -> Reply | None:
        """End the process, which has not answered in time."""
        if self.state == STARTING:
            return self._lost(f"not ready within {self.ready_seconds:g} s")
        return self._lost(f"no answer within {self.allowed:g} s")

    def end(self) -> None:
        """End the process, if there is one, and all that it has started."""
        if self.process is not None:
            self.process.kill()
            end_group(self.process.pid)
            self.process.join()
            self.pipe.close()
            self.process = None
        self.state = DOWN

    def _ending(self) -> str:
        self.process.join(GRACE)
        return f"its process ended with exit code {self.process.exitcode}"

    def _lost(self, fault: str) -> Reply | None:
        """The process has ended; the decision that was requested from it is a fault."""
        was = self.state
        self.end()
        if was == STARTING:
            self.fault = fault
            return None
        return Reply(row=self.row, fault=fault)


def _recipe(config: Config, make: Make) -> Recipe:
    batch = Batch(config.spec, 1, options=config.game_options, seed=NO_GAME)
    batch.reset()
    return Recipe(
        make=make,
        options=config.agent_options,
        views=views_of(batch, streams=new_streams(NO_GAME, 1, "determinize")),
        streams=new_streams(NO_GAME, 1, "agents"),
    )


# In the agent's process ------------------------------------------------------------------------


def serve(pipe: Any, text: str, recipe: Recipe) -> None:
    """Make the agent and answer for it until the pipe or the tournament is closed."""
    lead_group()
    pipe.send(("here",))
    os.dup2(2, 1)  # what an agent prints is no result
    threading.Thread(target=_leave_with_parent, daemon=True).start()
    try:
        agent = recipe.agent(text)
        pinned = _pinned(text, agent)
    except BaseException as error:
        is_refusal = isinstance(error, SpelkastError)
        pipe.send(("refused", str(error)) if is_refusal else ("broken", describe(error)))
        return
    _answer(agent, recipe.views, recipe.streams)  # what it must load or compile, it does now
    try:
        pipe.send(("ready", bool(agent.needs_states), pinned))
        while True:
            pipe.send(_answer(agent, *pipe.recv()))
    except (EOFError, OSError):
        return


def _answer(agent: Agent, views: Views, streams: Streams) -> tuple[Any, ...]:
    streams = streams.copy()
    start = perf_counter()
    try:
        actions = np.asarray(agent.act(views, streams))
        if actions.shape != (1,) or actions.dtype.kind not in "iu":
            raise TypeError(f"expected one whole number, got {actions.dtype} {actions.shape}")
        return "answer", int(actions[0]), int(streams[0]), perf_counter() - start
    except BaseException as error:  # SystemExit too: it is the agent that leaves
        return "fault", describe(error)


def _pinned(text: str, agent: Agent) -> str:
    """The text of the very checkpoint that a trained agent plays from."""
    if not getattr(agent, "is_network", False):
        return ""
    from ...agents.checkpoint import named_checkpoint

    folder = named_checkpoint(text)
    return f"{folder.parents[1]}@{folder.name}"


def describe(error: BaseException) -> str:
    """An error in one line of moderate length."""
    try:
        message = " ".join(str(error).split())
    except Exception:
        message = ""
    name = type(error).__name__
    return (f"{name}: {message}" if message else name)[:MOST_LETTERS]


def _leave_with_parent() -> None:
    """End when the tournament has been killed, even in the middle of a decision."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        end_own_group()
        os._exit(1)
