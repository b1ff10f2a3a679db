"""Making lessons: games are played, and a teacher, usually a search, says what it makes of them.

Each game has random numbers of its own, so it is the same however many processes play. It becomes
a file in `OUT.parts/` as soon as it is over; what is there is not played again.
"""

import json
import shutil
from collections.abc import Generator
from dataclasses import asdict, dataclass, replace
from functools import cache, partial
from math import nan
from pathlib import Path

import numpy as np

from .. import envs
from ..agents.agent import Agent, Views, choose, views_of
from ..agents.files import claimed, read_json_object, write_json
from ..agents.registry import make_agent
from ..agents.search.decision import Found, SearchAgent
from ..envs.engine.batch import Batch
from ..envs.engine.dtypes import Actions, Json, Streams
from ..envs.engine.errors import DataError, expect
from ..envs.engine.loops import RUNNING
from ..envs.engine.streams import new_streams, next_unit
from .lessons import Lessons, demands, read_lessons, write_lessons
from .workers import workers

FIRST_ROW = np.zeros(1, np.int32)


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What lessons are made of: the same plan makes the same file."""

    game: str
    options: str
    """those that differ from their defaults, as JSON"""
    teacher: str
    """the agent that is asked"""
    player: str | None = None
    """the agent that moves; None is the teacher"""
    share: float = 1.0
    """of the decisions that the teacher is asked about"""
    games: int
    seed: int

    def about(self) -> Json:
        """What the file says of itself."""
        values = asdict(self) | {"options": json.loads(self.options)}
        return {name: value for name, value in values.items() if value is not None}


def make_lessons(plan: Plan, out: Path, *, jobs: int = 1) -> Generator[int, None, None]:
    """Play all games of *plan* and write the file *out*; yields how many are there, as they come.

    Goes on where the same plan was stopped. Raises `DataError` if *out* is there already, or if
    the games of another plan are beside it, and whatever `make_agent` raises.
    """
    spec = envs.spec(plan.game)
    options = spec.parse_options(json.loads(plan.options))
    expect(not out.exists(), "a new file", f"{str(out)!r}, which is there", error=DataError)
    parts = out.with_name(out.name + ".parts")
    _agents(plan)  # a wrong name is reported now, not by a process
    with claimed(parts, DataError):
        _check_plan(plan, parts)
        files = [parts / f"{game}.npz" for game in range(plan.games)]
        missing = [game for game, file in enumerate(files) if not file.is_file()]
        yield plan.games - len(missing)
        with workers(min(jobs, max(1, len(missing)))) as spread:
            for done, _ in enumerate(spread(partial(_play, plan, parts), missing), 1):
                yield plan.games - len(missing) + done
        lessons = Lessons.of([read_lessons(file, spec, options) for file in files])
        write_lessons(out, lessons, demands(spec, options) | plan.about())
        shutil.rmtree(parts)


def _check_plan(plan: Plan, parts: Path) -> None:
    """Keep the plan beside its games, or see that it is theirs."""
    file = parts / "plan.json"
    if not file.is_file():
        write_json(file, plan.about())
        return
    kept, wanted = read_json_object(file, "the plan of games", DataError), plan.about()
    other = {name: value for name, value in kept.items() if wanted.get(name) != value}
    differs = f"{other or sorted(kept)} in {parts}: remove that folder to begin again"
    expect(kept == wanted, "the same plan", differs, error=DataError)


@cache
def _agents(plan: Plan) -> tuple[Agent, Agent]:
    """The teacher and the player; made once in each process."""
    make = partial(make_agent, game=plan.game, options=json.loads(plan.options), device="cpu")
    teacher = make(plan.teacher)
    return teacher, make(plan.player) if plan.player else teacher


def _play(plan: Plan, parts: Path, game: int) -> None:
    """Play one game and write it."""
    spec, (teacher, player) = envs.spec(plan.game), _agents(plan)
    root = (plan.seed, game)
    batch = Batch(spec, 1, options=json.loads(plan.options), seed=root)
    seats = batch.shape.seats
    choices = new_streams(root, seats, "agents").reshape(1, seats)
    redraws = new_streams(root, 1, "determinize")
    # Apart from those of who plays: asking the teacher changes nothing in the game.
    own, looks = new_streams((*root, 1), 1, "agents"), new_streams((*root, 1), 1, "determinize")
    drawn, told = new_streams(root, 1, "learner"), [Lessons.none(spec)]
    batch.reset()
    ply = 0
    while batch.ended[0] == RUNNING:
        legal = np.flatnonzero(batch.masks[0]).astype(np.int32)
        actions = legal[:1]
        if len(legal) > 1:
            is_asked = next_unit(drawn, 0) < plan.share
            found = ask(teacher, views_of(batch, streams=looks), own) if is_asked else None
            if player is not teacher:
                actions = choose(player, batch, FIRST_ROW, choices=choices, redraws=redraws)
            elif found:
                actions = np.array([found.action], np.int32)
            if found:
                told.append(_lesson(batch, found, legal, game=game, ply=ply, played=actions))
        batch.step(actions)
        ply += 1
    lessons = Lessons.of(told)
    lessons = replace(lessons, results=batch.rewards[0][lessons.seats])
    write_lessons(parts / f"{game}.npz", lessons, demands(spec, batch.options))


def _lesson(
    batch: Batch, found: Found, legal: Actions, *, game: int, ply: int, played: Actions
) -> Lessons:
    """One decision; the result of the game is not known yet."""
    return Lessons(
        positions=batch.states.copy(),
        seats=batch.seats.copy(),
        games=np.array([game], np.int32),
        plies=np.array([ply], np.int32),
        played=played,
        chosen=np.array([found.action], np.int32),
        results=np.zeros(1, np.float32),
        values=np.array([nan if found.reward is None else found.reward], np.float32),
        first=np.array([0, len(legal)]),
        actions=legal,
        shares=np.array([found.shares.get(action, 0.0) for action in legal.tolist()], np.float32),
    )


def ask(agent: Agent, views: Views, streams: Streams) -> Found:
    """What *agent* makes of the only row of *views*; who does not search expects no reward."""
    if isinstance(agent, SearchAgent):
        return agent.search(views, streams, 0)
    action = int(agent.act(views, streams)[0])
    return Found(action=action, default=None, shares={action: 1.0})
