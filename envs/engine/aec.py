"""The AEC environment of any game: PettingZoo's contract around one record.

PettingZoo's stock wrappers cost ten times the environment itself, so what they check (order,
bounds, legality) is checked here, in `raw_env` and `env` alike.
"""

import copy
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, Self

import numpy as np
from gymnasium import logger, spaces
from pettingzoo import AECEnv

from .arguments import action_number, observation_space, one_of, reset_options, seed_number
from .chance import parse_script
from .course import Course
from .dtypes import OVER, Floats, Json, Mask
from .errors import GameOverError, IllegalActionError, NotResetError, UnknownNameError
from .jit import announced
from .spec import GameSpec
from .streams import new_streams

RENDER_MODES = ("ansi", "svg")
ON_ILLEGAL = ("raise", "terminate")

Observation = dict[str, Any]


class GameEnv(AECEnv[str, Observation, Any]):
    """One game of a `GameSpec` as a PettingZoo AEC environment.

    Observations are `{"observation": float32[D], "action_mask": int8[A]}`; the mask of a seat that
    is not to move is all 0. All seats stay in `agents` until the game is over and end together, in
    the step that carries the final rewards.
    """

    def __init__(
        self,
        spec: GameSpec,
        *,
        render_mode: str | None = None,
        viewer: int | Literal["mover", "all"] = "mover",
        on_illegal: str = "raise",
        **options: Any,
    ) -> None:
        """Make an environment; call `reset` before anything else.

        Args:
            spec: The game.
            render_mode: `None`, `"ansi"` or `"svg"`; both return text from `render`.
            viewer: Whose hidden cards `render` shows: a seat, `"mover"` (the seat to move; after
                the end everything) or `"all"`.
            on_illegal: `"raise"` an `IllegalActionError`, or `"terminate"` the game with -1 for
                the seat that tried and 0 for the others.
            options: The options of the game.

        Raises:
            OptionsError: An option does not exist or is out of range.
        """
        super().__init__()  # type: ignore[no-untyped-call]  # PettingZoo leaves it unannotated
        self.spec = spec
        self.options = spec.parse_options(options)
        self._shape = shape = spec.shape(self.options)
        self.render_mode = one_of("render_mode", render_mode, (None, *RENDER_MODES))
        self.on_illegal = one_of("on_illegal", on_illegal, ON_ILLEGAL)
        self.viewer = one_of("viewer", viewer, ("mover", "all", *range(shape.seats)))
        self.metadata = {
            "name": f"{spec.name}_v{spec.version}",
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": False,
            "render_fps": 1,
        }
        self._name_agents()
        self._game = Course(spec, self.options)
        self._no_mask: Mask = np.zeros(shape.actions, np.int8)
        self._no_mask.flags.writeable = False
        self._last_move: str | None = None
        self._public: Json = {}  # the infos of a seat that is not to move
        self._has_news = True  # the infos hold what the last move reported, or nothing yet
        self._to_move: int | None = None  # None before reset

    def _name_agents(self) -> None:
        """The agents, `player_0` on, and their spaces."""
        shape = self._shape
        self.possible_agents = [f"player_{seat}" for seat in range(shape.seats)]
        self.agents = []
        self.observation_spaces = {
            agent: observation_space(self.spec, self.options, shape.actions)
            for agent in self.possible_agents
        }
        self.action_spaces = {a: spaces.Discrete(shape.actions) for a in self.possible_agents}
        self.state_space = spaces.Box(-1.0, 1.0, (shape.state,), np.float32)
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}

    # The AEC verbs -----------------------------------------------------------------------------

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Start a game.

        Args:
            seed: Root of the game's chance, at least 0; without it the stream goes on.
            options: `{"position": {...}}` sets a position up; `{"chance": ["!7", ...]}` lists
                outcomes that come before the random stream. Other keys are ignored.

        Raises:
            OptionsError: *seed* is not a whole number, or *options* not a mapping.
            PositionError: The rules cannot reach the position, or its options are not the
                environment's.
            NotationError: A scripted outcome is not an outcome of the game.
            ChanceError: A scripted outcome is impossible. The environment is as it was.
        """
        wishes = reset_options(options)
        position = wishes.get("position")
        script = parse_script(self.spec, self._game.states, wishes.get("chance", ()))
        streams = self._game.streams
        if seed is not None:
            streams = new_streams(seed_number(seed), 1, "chance")
        with announced(self.spec.title):
            if position is not None:
                mover, report = self._game.restore(position, streams, script), 0
            else:
                mover, report = self._game.start(streams, script)
        self._last_move = None
        self._begin()
        self._announce(mover, report)

    def step(self, action: int | None) -> None:
        """Play *action* for the seat to move; `None` takes a seat of a finished game away.

        Raises:
            IllegalActionError: The mask does not allow *action* (unless `on_illegal` says to
                end the game). Nothing has changed.
            ChanceError: The next scripted outcome is impossible. Nothing has changed.
            GameOverError: The game is over: an action came, or every seat has left.
            NotResetError: Before the first `reset`.
        """
        mover = self._to_move
        if mover is None or mover == OVER:
            self._leave(action)
            return
        number = self._legal_number(action)
        if number is None:
            self._end_by_illegal_action(mover, action)
            return
        move = self.action_to_move(number) if self.render_mode else None
        after, report = self._game.play(number)
        self._last_move = move
        self._announce(after, report)

    def observe(self, agent: str) -> Observation:
        """What *agent* sees: any seat at any time after `reset`, also after the end; a copy."""
        seat = self._seat_of.get(agent)
        if seat is None or self._to_move is None:
            self._expect_reset("observe")
            seat = self._seat(agent)
        if seat == self._to_move:
            return {
                "observation": self._game.observation.copy(),
                "action_mask": self._game.mask.copy(),
            }
        observation = np.empty(self._shape.observation, np.float32)
        self.spec.verbs.observe(self._game.states, 0, seat, observation)
        return {"observation": observation, "action_mask": self._no_mask.copy()}

    def last(
        self,
        observe: bool = True,  # noqa: FBT001, FBT002  PettingZoo's signature
    ) -> tuple[Observation | None, float, bool, bool, dict[str, Any]]:
        """Observation, reward since its last move, termination, truncation, info of the mover."""
        if not self.agents:
            self._expect_reset("last")
            raise GameOverError("expected reset() before last(): the game is over")
        agent = self.agent_selection
        return (
            self.observe(agent) if observe else None,
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            self.infos[agent],
        )

    def state(self) -> Floats:
        """The full-information vector, float32 [S], for critics that may know everything."""
        self._expect_reset("state")
        out = np.empty(self._shape.state, np.float32)
        self.spec.verbs.full_state(self._game.states, 0, out)
        return out

    def render(self) -> str | None:
        """The picture as text (`ansi`) or SVG (`svg`); None and a warning without a render mode."""
        self._expect_reset("render")
        if self.render_mode is None:
            logger.warn(f"expected render_mode as one of {RENDER_MODES} to render, got None")
            return None
        draw = self.spec.draw_svg if self.render_mode == "svg" else self.spec.draw_text
        viewer = self._to_move if self.viewer == "mover" else self.viewer
        seat = None if viewer in ("all", OVER) else viewer
        return draw(self.position(), viewer=seat, last_move=self._last_move)

    def close(self) -> None:
        """Nothing is held open."""

    def observation_space(self, agent: str) -> spaces.Dict:
        """`Dict` of a float32 `Box` [D] and an int8 mask [A]; the same object at every call."""
        self._seat(agent)
        space: spaces.Dict = self.observation_spaces[agent]  # type: ignore[assignment]
        return space

    def action_space(self, agent: str) -> spaces.Discrete:
        """`Discrete(A)`; the same object at every call, so it can be seeded."""
        self._seat(agent)
        space: spaces.Discrete = self.action_spaces[agent]  # type: ignore[assignment]
        return space

    # Notation and positions --------------------------------------------------------------------

    def position(self) -> Json:
        """The full position as plain JSON; `reset(options={"position": ...})` restores it."""
        self._expect_reset("position")
        return self.spec.position(self._game.states, 0)

    def legal_moves(self) -> list[str]:
        """The moves of the seat to move in notation, sorted as text; [] when over."""
        self._expect_reset("legal_moves")
        return [] if self._to_move == OVER else self.spec.legal_moves(self._game.states, 0)

    def move_to_action(self, move: str) -> int:
        """The action of a move in notation; raises `NotationError`."""
        return self.spec.move_to_action(self._game.states, 0, move)

    def action_to_move(self, action: int) -> str:
        """The notation of an action; raises `IllegalActionError` outside 0..A-1."""
        return self.spec.action_to_move(
            self._game.states, 0, action_number(action, self._shape.actions)
        )

    def chance_log(self) -> list[str]:
        """The chance outcomes since the last decision (after `reset`: those of the set-up)."""
        self._expect_reset("chance_log")
        game = self._game
        return [self.spec.outcome_to_text(game.states, 0, outcome) for outcome in game.outcomes]

    def clone(self) -> Self:
        """An independent copy that goes on exactly like this one."""
        return copy.deepcopy(self)

    # From reset to the end -----------------------------------------------------------------------

    def _begin(self) -> None:
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._skip_agent_selection = None  # type: ignore[assignment]  # as PettingZoo does
        self.agent_selection = self.agents[0]
        self.infos = {}
        self._has_news = True

    def _announce(self, mover: int, report: int) -> None:
        """After a move: whose turn it is and what the infos say, or the end."""
        self._to_move = mover
        if report or mover == OVER or self._has_news:
            public = {**self.spec.infos(self._game.states, 0), "action_mask": self._no_mask}
            self._public = public
            if report:
                public = {**public, **self.spec.report(report)}
            self.infos = {agent: public.copy() for agent in self.agents}
        else:
            self.infos[self.agent_selection] = self._public.copy()
        self._has_news = report != 0
        if mover == OVER:
            self._end()
        else:
            self.agent_selection = agent = self.possible_agents[mover]
            self.infos[agent] = {**self.infos[agent], "action_mask": self._game.mask.copy()}

    def _end(self) -> None:
        rewards = np.zeros(self._shape.seats, np.float32)
        self.spec.verbs.returns(self._game.states, 0, rewards)
        ended = self.truncations
        if not self.spec.verbs.is_truncated(self._game.states, 0):
            ended = self.terminations
        self._finish(rewards.tolist(), ended)

    def _end_by_illegal_action(self, offender: int, action: object) -> None:
        self._to_move = OVER
        self._game.forget_outcomes()
        rewards = [0.0] * self._shape.seats
        rewards[offender] = -1.0
        public = {"action_mask": self._no_mask, "illegal_action": action, "offender": offender}
        public.update(self.spec.infos(self._game.states, 0))
        self.infos = {agent: public.copy() for agent in self.agents}
        self._finish(rewards, self.terminations)

    def _finish(self, rewards: Sequence[float], ended: dict[str, bool]) -> None:
        for seat, agent in enumerate(self.agents):
            self.rewards[agent] = rewards[seat]
            ended[agent] = True
        self._accumulate_rewards()
        self.agent_selection = self.agents[0]

    def _leave(self, action: object) -> None:
        """Take a seat of a finished game away, which is what `step(None)` is for."""
        self._expect_reset("step")
        if not self.agents or action is not None:
            raise GameOverError(
                f"expected {'step(None)' if self.agents else 'reset()'}: the game is over, "
                f"got step({action!r})"
            )
        self._was_dead_step(None)

    # Checks ------------------------------------------------------------------------------------

    def _legal_number(self, action: object) -> int | None:
        """The action as a number if it is legal; else the error, or None to end the game."""
        try:
            number = action_number(action, self._shape.actions)
        except IllegalActionError:
            if self.on_illegal == "raise":
                raise
            return None
        if self._game.mask.item(number):
            return number
        if self.on_illegal == "terminate":
            return None
        raise IllegalActionError(
            f"expected one of the legal moves {', '.join(self.legal_moves())}, "
            f"got {self.action_to_move(number)!r} (action {number}) by player_{self._to_move}"
        )

    def _seat(self, agent: str) -> int:
        seat = self._seat_of.get(agent)
        if seat is None:
            raise UnknownNameError(
                f"expected an agent of {', '.join(self.possible_agents)}, got {agent!r}"
            )
        return seat

    def _expect_reset(self, verb: str) -> None:
        if self._to_move is None:
            raise NotResetError(f"expected reset() before {verb}()")


def environment(spec: GameSpec, module: str) -> Callable[..., GameEnv]:
    """The function `env` of *module*, which is the game's for PettingZoo."""

    def env(**kwargs: Any) -> GameEnv:
        """The game with all checks; keywords are those of `GameEnv` and the game's options."""
        return GameEnv(spec, **kwargs)

    env.__module__, env.__qualname__ = module, "env"  # so that it can be pickled
    return env
