"""Learning by imitation: a teacher says what it would do at each decision of the learner.

"Kickstarting" [Schmitt et al. 2018, Kickstarting Deep Reinforcement Learning]: at first the loss
also asks for the teacher's choice, in the positions that the learner itself gets into; the weight
of that falls to zero, and what is left is PPO. So the learner starts where the teacher stands and
may go beyond it.
"""

from collections.abc import Mapping
from typing import Any

from numpy.typing import NDArray

from ..agents.agent import Agent, choose
from ..envs.engine.batch import Batch
from ..envs.engine.dtypes import Actions
from ..envs.engine.streams import new_streams


class Teacher:
    """An agent with random numbers of its own, so that asking it changes nothing in the games."""

    def __init__(self, agent: Agent, size: int, *, seed: int) -> None:
        self.agent = agent
        self.choices = new_streams((seed, 5), size, "agents")
        self.redraws = new_streams((seed, 5), size, "determinize")

    def advise(self, batch: Batch) -> Actions:
        """What the teacher would do in every row of *batch*, `int32[N]`, all of it legal."""
        actions = choose(
            self.agent, batch, batch.all_rows, choices=self.choices, redraws=self.redraws
        )
        batch.check(actions)
        return actions

    def state(self) -> dict[str, NDArray[Any]]:
        """All that a continued run needs, as copies."""
        return {"choices": self.choices.copy(), "redraws": self.redraws.copy()}

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Continue from a `state`."""
        self.choices[:] = state["choices"]
        self.redraws[:] = state["redraws"]
