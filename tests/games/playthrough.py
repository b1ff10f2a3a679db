"""A game as text, short enough to read: its first positions in full, then a line per move."""

import json
from textwrap import wrap
from zlib import crc32

import numpy as np

from spelkast.envs.engine.aec import GameEnv
from spelkast.envs.engine.spec import GameSpec
from spelkast.envs.engine.streams import new_streams, next_below

SEED = 0
FULL = 3
"""Positions that are shown in full, if there is room for them."""

MOST_LINES = 60

FIRST, LAST = 14, 6
"""Moves of a longer game that get a line: at its beginning and at its end."""

LONG = 24
"""Numbers of a segment; of a longer one those that are not 0 are shown with their places."""

WIDTH = 150


def playthrough(spec: GameSpec) -> str:
    """The game from one seed, moves chosen at random by a stream of the same seed."""
    env, choices = GameEnv(spec), new_streams(SEED, 1, "agents")
    env.reset(seed=SEED)
    head = [f"{spec.title}, version {spec.version}, seed {SEED}, default options"]
    head += _chance(env)
    lines: list[str] = []
    while env.legal_moves():
        if len(lines) < FULL:
            full = ["", f"position {len(lines)}", *_in_full(env)]
            # Besides these: the moves, what was left out of them, their title and the end.
            if len(head) + len(full) + FIRST + LAST + 4 <= MOST_LINES:
                head += full
        lines.append(_move(env, choices, len(lines)))
    scores = env.infos["player_0"]["scores"]
    ends = "truncated" if all(env.truncations.values()) else "terminated"
    end = f"{ends} after {len(lines)} moves: rewards {list(env.rewards.values())}, scores {scores}"
    skipped = len(lines) - FIRST - LAST
    if skipped > 0:
        folded = crc32("\n".join(lines[FIRST:-LAST]).encode())
        lines[FIRST:-LAST] = [f"... {skipped} more moves, {folded:08x}"]
    return "\n".join([*head, "", "moves", *lines, end, ""])


def _chance(env: GameEnv) -> list[str]:
    return wrap(f"chance {' '.join(env.chance_log()) or '-'}", WIDTH, subsequent_indent="  ")


def _in_full(env: GameEnv) -> list[str]:
    """The position, what may be done, and the numbers that the seat to move sees, but for 0."""
    seen = env.observe(env.agent_selection)["observation"]
    numbers, at = [], 0
    for segment in env.spec.segments_of(env.options):
        values = seen[at : at + segment.size]
        at += segment.size
        if values.any():
            numbers.append(f"{segment.name} [{_numbers(values)}]")
    texts = [
        json.dumps(env.position()),
        f"legal {' '.join(env.legal_moves())}",
        f"{env.agent_selection} sees {'; '.join(numbers)}",
    ]
    return [line for text in texts for line in wrap(text, WIDTH, subsequent_indent="  ")]


def _numbers(values: np.ndarray) -> str:
    if values.size <= LONG:
        return " ".join(f"{value:.3g}" for value in values)
    places = values.nonzero()[0].tolist()
    if (values[places] == 1).all():
        return f"1 at {' '.join(map(str, places))}"
    return " ".join(f"{place}:{values[place]:.3g}" for place in places)


def _move(env: GameEnv, choices: np.ndarray, number: int) -> str:
    seat, legal = env.agent_selection[-1], env.legal_moves()
    move = legal[next_below(choices, 0, len(legal))]
    env.step(env.move_to_action(move))
    report = {k: v for k, v in env.infos["player_0"].items() if k != "action_mask"}
    return (
        f"{number:03d} seat {seat} {move:6} of {len(legal):2}  {_digest(env)}  "
        f"{' '.join(env.chance_log()) or '-'}  {json.dumps(report)}"
    )


def _digest(env: GameEnv) -> str:
    """Eight hex digits of position, state vector, and what every seat sees and may do."""
    digest = crc32(json.dumps(env.position()).encode())
    digest = crc32(env.state().tobytes(), digest)
    for agent in env.possible_agents:
        seen = env.observe(agent)
        digest = crc32(seen["observation"].tobytes(), digest)
        digest = crc32(seen["action_mask"].tobytes(), digest)
    return f"{digest:08x}"
