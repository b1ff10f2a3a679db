"""Information-set UCT: a tree over what the seats see (Cowling, Powley and Whitehouse 2012).

Each simulation re-draws all that the seat cannot know, walks down the tree, and adds to it where it
leaves it; from there a baseline plays on all seats. A node is what a seat sees when it is to move:
positions that it cannot tell apart share one, and dice and cards that it has seen lead to nodes of
their own. Each seat takes what is best for its own side.

With many actions and few simulations most of a tree is never seen twice. So in every node the
baseline's choice is tried first and has half of the prior weight (PUCT: Rosin 2011), and at the
root it is given up only for an action that did clearly better in the same deals: the n-th try of
each action meets the same hidden cards and, as far as the games go alike, the same chance.
"""

import numpy as np

from ...envs.engine.spec import GameSpec
from ..agent import Choice, FromRecords, KernelAgent
from ..uniform import random_agent
from .decision import Decision, Found, SearchAgent, is_better, worths
from .playouts import MARGIN, Room, Samples, bind_playouts
from .tree import TEMPLATES, Search, Tree

CAUTION = 1.0
"""Standard errors by which another action must lead the baseline's."""

WARM_UP = 16
"""Games of the first action that come before the tree, and say how much leads vary here."""

DEPTH = 60
"""Decisions after which a game is judged by its scores, if nothing else was said."""


class TreeAgent(SearchAgent):
    """Plays as a baseline does, but for the decisions in which its tree finds it wrong."""

    def __init__(
        self,
        name: str,
        spec: GameSpec,
        choice: Choice | FromRecords | None,
        *,
        simulations: int,
        depth: int = DEPTH,
    ) -> None:
        """*choice* is the baseline's; without one games are played at random."""
        super().__init__(name, spec, None if choice is None else KernelAgent(name, choice))
        self.choice = choice or random_agent().choice
        self.simulations, self.depth = simulations, depth
        names = bind_playouts(spec, self.choice, *TEMPLATES)
        self.plant, self.grow = names["plant"], names["grow"]

    def decide(self, decision: Decision) -> Found:
        """Grow a tree, and see what did best at its root."""
        tree = Tree.of(self.simulations, decision.shape.seats, decision.own)
        room = Room.of(self.spec.record, decision.shape, self.choice)
        search = Search(
            root=decision.root,
            seat=decision.seat,
            teams=decision.teams,
            has_default=self.baseline is not None,
            depth=self.depth,
            scale=1.0,
        )
        games = min(WARM_UP, self.simulations)
        made = self.plant(search, room, tree, int(decision.candidates[0]), games)
        begun = tree.samples[:games]
        tree.sums[0] = worths(begun).sum()
        search = search._replace(scale=float(begun[:, MARGIN].std()) or 1.0)
        while (more := self.grow(search, room, tree)) > 0:
            made += more
        return self._found(tree, simulated=made)

    def _found(self, tree: Tree, *, simulated: int) -> Found:
        """The action that was tried most, if it is clearly better than the baseline's."""
        edges = [0]
        while (edge := int(tree.following[edges[-1]])) >= 0:
            edges.append(edge)
        tries = tree.tries[edges]
        best = edges[int(tries.argmax())]
        if self.baseline is not None:
            other = edges[1 + int(tries[1:].argmax())] if len(edges) > 1 else 0
            best = other if is_better(pairs(tree, 0, other), caution=CAUTION) else 0
        reward, lead = tree.samples[tree.edges == best].mean(axis=0)
        return Found(
            action=int(tree.actions[best]),
            default=None if self.baseline is None else int(tree.actions[0]),
            simulated=simulated,
            shares={int(tree.actions[e]): int(tree.tries[e]) / self.simulations for e in edges},
            reward=float(reward),
            lead=float(lead),
        )


def pairs(tree: Tree, first: int, second: int) -> Samples:
    """What two edges of the root brought in the deals that both met, `[K, 2, 2]`."""
    ours, theirs = (tree.samples[tree.edges == edge] for edge in (first, second))
    return np.stack([ours[: len(theirs)], theirs[: len(ours)]], axis=1)
