"""Advisers: baselines, tuned or not, whose choice a network is told before it makes its own.

"Residual policy learning" [Silver et al. 2018]: the network begins as good as its adviser and
learns where to depart from it.
"""

from difflib import get_close_matches
from hashlib import blake2b
from pathlib import Path

import numpy as np

from ..envs.engine.batch import Batch
from ..envs.engine.dtypes import Actions, Floats, Streams
from ..envs.engine.errors import UnknownNameError, shown
from ..envs.engine.jit import kernel
from ..envs.engine.spec import GameSpec, Options
from ..envs.engine.streams import new_streams, split
from .agent import Agent, KernelAgent, choose, views_of
from .registry import baselines, make_agent
from .tuned import is_agent_file
from .uniform import random_agent

ROWS, DECISIONS = 64, 200
"""Positions of a fingerprint: in so many games, before each of so many decisions."""
FINGERPRINT_SEED = (0, 0, 2)


def make_adviser(text: str, spec: GameSpec, *, file: Path | None = None) -> Agent:
    """The adviser that *text* names: a baseline of the game, or an agent file.

    *file* is a copy of the agent file, to be read in its place. Raises `UnknownNameError` for any
    other text, and `SpelkastError` for a file that is wrong.
    """
    known = baselines(spec.name)
    if text not in known and not is_agent_file(text):
        close = get_close_matches(text.lower(), known, n=1)
        hint = f"; did you mean {close[0]!r}?" if close else ""
        names = ", ".join(known) or "there is none"
        raise UnknownNameError(
            f"expected as adviser a baseline of {spec.name} ({names}) or an agent file, "
            f"got {shown(text)}{hint}"
        )
    agent = make_agent(str(file or text), spec.name)
    return KernelAgent(text, agent.choice) if isinstance(agent, KernelAgent) else agent


def fingerprint(agent: Agent, spec: GameSpec, options: Options) -> str:
    """A hash of what *agent* chooses in 12,800 positions of the game, which are always the same.

    In half of the games it plays itself, in the others all seats play at random.
    """
    batch = Batch(spec, ROWS, options=options, seed=FINGERPRINT_SEED)
    choices, redraws = (new_streams(FINGERPRINT_SEED, ROWS, p) for p in ("agents", "determinize"))
    at_random, draws = random_agent(), new_streams(FINGERPRINT_SEED, ROWS // 2, "learner")
    others, digest = batch.all_rows[ROWS // 2 :], blake2b(digest_size=8)
    batch.reset()
    for _ in range(DECISIONS):
        actions = choose(agent, batch, batch.all_rows, choices=choices, redraws=redraws)
        digest.update(actions.astype("<i4").tobytes())
        actions[others] = at_random.act(views_of(batch, others), draws)
        batch.step(actions)
    return digest.hexdigest()


def with_advice(observations: Floats, advice: Actions) -> Floats:
    """What a network with an adviser is given, `[N, D + 1]`: the last number is the action."""
    return np.column_stack([observations, advice.astype(np.float32)])


@kernel
def split_streams(streams: Streams, out: Streams) -> None:
    """Draw a new stream from each of *streams*."""
    for k in range(streams.size):
        out[k] = split(streams, k)
