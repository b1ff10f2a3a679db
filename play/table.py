"""The terminal table: one person, agents in the other seats, moves in notation or by number.

The table holds no rules. It shows nothing that the person's seat may not know: the board and what
is said of the others' moves come from the game's own pictures and words for that seat.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ..agents.agent import Agent, Views
from ..envs.engine.aec import GameEnv
from ..envs.engine.dtypes import Json
from ..envs.engine.errors import SpelkastError
from ..envs.engine.replay import Recorder, Replay
from ..envs.engine.spec import GameSpec
from ..envs.engine.streams import new_streams

COLUMNS = 80
HELP = ("?", "help")
QUIT = ("q", "quit")

Ask = Callable[[str], str]
"""Shows a prompt and returns a line; raises EOFError when there are no more."""

Say = Callable[[str], None]


class LeftTable(Exception):  # noqa: N818  a decision, no error
    """The person does not want to play on."""


class Table:
    """A game between a person in *seat* and *agent* in all the others."""

    def __init__(
        self,
        spec: GameSpec,
        options: Any,
        agent: Agent,
        *,
        seat: int,
        seed: int,
        ask: Ask,
        say: Say,
        position: Json | None = None,
    ) -> None:
        """Sit down; raises `PositionError` if *position* is not one of the game."""
        self.spec = spec
        self.agent = agent
        self.seat = seat
        self.seed = seed
        self.ask = ask
        self.say = say
        self.start = position
        self.env = GameEnv(spec, **options.model_dump())
        self.env.reset(seed=seed, options={} if position is None else {"position": position})
        self.choices = new_streams(seed, 1, "agents")
        self.redraws = new_streams(seed, 1, "determinize")
        self.last_move: str | None = None
        states = spec.from_position(self.env.position())
        self.recorder = Recorder(spec, states, self.env.chance_log())

    def play(self) -> Replay | None:
        """Play to the end; None if the person leaves before."""
        self._greet()
        try:
            while self.env.legal_moves():
                self._move()
        except LeftTable:
            self.say(f"\nYou have left the table. The same deal again: --seed {self.seed}")
            return None
        self._show_board(None)
        self._say_result()
        return self._replay()

    # One move ----------------------------------------------------------------------------------

    def _move(self) -> None:
        mover = self._mover()
        move = self._ask_person() if mover == self.seat else self._ask_agent()
        self.env.step(self.env.move_to_action(move))
        self.last_move = move
        self.recorder.add(move, self.env.chance_log(), self.env.position())
        if mover != self.seat:
            self._tell(move, mover)
        self._tell_report()

    def _mover(self) -> int:
        return self.env.possible_agents.index(self.env.agent_selection)

    def _ask_agent(self) -> str:
        seen = self.env.observe(self.env.agent_selection)
        seats, states = np.array([self._mover()], np.int32), None
        if self.agent.needs_states:
            states = self.spec.from_position(self.env.position())
            self.spec.loops.redraw_rows(states, seats, self.redraws)
        views = Views(seen["observation"][None], seen["action_mask"][None], seats, states)
        action = int(self.agent.act(views, self.choices)[0])
        if action not in seen["action_mask"].nonzero()[0]:
            # The environment's own error would list the legal moves, and so the agent's cards.
            raise SpelkastError(f"expected a legal move from {self.agent.name!r}, got another")
        return self.env.action_to_move(action)

    def _ask_person(self) -> str:
        self._show_board(self.seat)
        moves = sorted(self.env.legal_moves(), key=natural)
        numbered_moves = {str(number): move for number, move in enumerate(moves, 1)}
        while True:
            try:
                text = self.ask("Your move> ").strip()
            except EOFError:
                raise LeftTable from None
            if text.lower() in QUIT:
                raise LeftTable
            if text.lower() in HELP:
                self.say(numbered(moves))
            elif text in moves:
                return text
            elif text in numbered_moves:
                return numbered_moves[text]
            elif text:
                self.say(self._refuse(text, moves))

    def _refuse(self, text: str, moves: Sequence[str]) -> str:
        """Why *text* is not accepted, in one line."""
        hint = "? lists your moves, q leaves"
        if len(text) > COLUMNS:
            return f"Expected a move or its number, got {len(text):,} characters. {hint}."
        if text.isdecimal():
            return f"Expected a number from 1 to {len(moves)}, got {text}. {hint}."
        try:
            self.env.move_to_action(text)
        except SpelkastError as error:
            message = str(error)
            return f"{message[:1].upper()}{message[1:]}. {hint}."
        return f"{text} is not allowed here. {hint}."

    # What is said ------------------------------------------------------------------------------

    def _greet(self) -> None:
        seats = len(self.env.possible_agents)
        others = f"seat {1 - self.seat}" if seats == 2 else "the other seats"
        self.say(f"{self.spec.title}: you in seat {self.seat}, {self.agent.name} in {others}.")
        self.say(f"? lists your moves, q leaves. This deal again: --seed {self.seed}")

    def _show_board(self, viewer: int | None) -> None:
        last = self.last_move if viewer is None else None
        self.say("\n" + "─" * COLUMNS)
        viewer = self.seat if viewer is None else viewer  # after the end the drawing hides nothing
        picture = self.spec.draw_text(self.env.position(), viewer=viewer, last_move=last)
        self.say(picture.rstrip("\n"))
        self.say("")

    def _tell(self, move: str, mover: int) -> None:
        """What the person may know of another's *move*; of a secret one not that it was made."""
        position = self.env.position()
        known = self.spec.describe_last_move(position, viewer=self.seat, last_move=move)
        if known is not None:
            self.say(f"  {self._name(mover)}: {known}")

    def _tell_report(self) -> None:
        """What a move brought about besides, a round that ended, say."""
        shown = self.spec.infos(self.spec.from_position(self.env.position()), 0)
        report = {
            key: value
            for key, value in self.env.infos[self.env.possible_agents[self.seat]].items()
            if key not in shown and key != "action_mask"
        }
        if report:
            parts = [self._fact(key, value) for key, value in report.items()]
            self.say(f"  * {', '.join(parts)}; score {self._scores(shown)}")

    def _fact(self, key: str, value: Any) -> str:
        """An entry of a game's report in words: `round_winner` 0 is "round winner: you"."""
        if key.endswith("winner"):
            text = "nobody" if value is None else self._name(value)
        elif isinstance(value, list | tuple):
            text = " and ".join(map(str, value))
        else:
            text = str(value)
        return f"{key.replace('_', ' ')}: {text}"

    def _name(self, seat: int) -> str:
        return "you" if seat == self.seat else f"{self.agent.name} (seat {seat})"

    def _scores(self, infos: Mapping[str, Any]) -> str:
        scores = list(infos["scores"])
        own = scores.pop(self.seat)
        return " : ".join(f"{score:g}" for score in (own, *scores))

    def _say_result(self) -> None:
        rewards = self._rewards()
        own, best = rewards[self.seat], max(rewards)
        infos = self.spec.infos(self.spec.from_position(self.env.position()), 0)
        teams = self.spec.teams(self.env.options)
        first = {teams[seat] for seat, reward in enumerate(rewards) if reward == best}
        word = "You lose"
        if own == best:
            word = "You win" if len(first) == 1 else "You share the first place"
        if best == min(rewards):
            word = "Nobody wins"
        self.say(f"{word}, {self._scores(infos)}. This deal again: --seed {self.seed}")

    def _rewards(self) -> list[float]:
        return [float(self.env.rewards[agent]) for agent in self.env.possible_agents]

    def _replay(self) -> Replay:
        names = [self.agent.name] * len(self.env.possible_agents)
        names[self.seat] = "human"
        return self.recorder.finish(
            self.spec.from_position(self.env.position()),
            seed=self.seed,
            agents=names,
            start=self.start,
        )


def natural(move: str) -> list[tuple[int, str]]:
    """A key that sorts numbers in a text by their size: x2 before x10."""
    parts = re.split(r"(\d+)", move)
    return [(int(part), "") if part.isdecimal() else (0, part) for part in parts]


def numbered(moves: Sequence[str]) -> str:
    """The moves with their numbers, in columns that fit a terminal."""
    cells = [f"{number:>3} {move}" for number, move in enumerate(moves, 1)]
    width = max(map(len, cells)) + 3
    columns = max(1, COLUMNS // width)
    rows = -(-len(cells) // columns)
    lines = ("".join(f"{cell:<{width}}" for cell in cells[row::rows]) for row in range(rows))
    return "\n".join(line.rstrip() for line in lines)
