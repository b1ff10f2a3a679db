"""The tree of `ismcts` as compiled templates: how a simulation walks through it and adds to it.

`ismcts` says what the tree is. See `playouts` for what a template is, and for the games that begin
where a simulation leaves the tree.
"""

from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from ...envs.engine.dtypes import OVER, Actions, Mask, States, Streams
from ...envs.engine.jit import kernel
from ...envs.engine.loops import settle
from ...envs.engine.streams import HALF, LOW, MULTIPLIER, next_below, split
from ...envs.engine.verbs import determinize, legal_mask, observe, step
from .playouts import MARGIN, PLAYED, RESULT, Room, ask, play_out, standing

NONE = -1
"""No node, no edge."""

NODES, EDGES, DONE = range(3)
"""Of the sizes of a tree."""

NODE, EDGE, TEAM = range(3)
"""Of a place on a path."""

EXPLORE = 0.5
"""What an action's prior weight counts beside its mean worth, as a part of the range of worths."""

FIRST_PRIOR = 0.5
"""The prior weight of the baseline's choice; the others share the rest."""

EVENLY = 4
"""One in so many simulations is for all actions of the root alike: some fail only by bad luck."""

LONGEST = 64
"""Nodes that a simulation passes at most: what seats see may repeat."""

AT_ONCE = 5000
"""Decisions after which a compiled call returns, so that Ctrl-C is heard."""


class Search(NamedTuple):
    """What stays the same in all simulations of a decision."""

    root: States  # [1]
    seat: int  # who is to move there
    teams: Actions  # [P] the team of each seat, from 0 on
    has_default: bool  # whether there is a baseline, whose choice comes first
    depth: int  # decisions after which a game counts as it stands
    scale: float  # by how many points leads vary


class Tree(NamedTuple):
    """Nodes, edges and what the simulations brought; a simulation adds one of each at most.

    With `S` simulations that is less than 100 bytes for each. A node is known by its key, a hash of
    who is to move and what that seat sees. Its edges are the actions that were tried there, in a
    list that begins with the baseline's choice.
    """

    table: Actions  # [a power of two] nodes by key, NONE where there is none
    keys: Streams  # [S] by node
    heads: Actions  # [S] its first edge
    visits: Actions  # [S]
    actions: Actions  # [S] by edge
    following: Actions  # [S] the next edge of the node
    tries: Actions  # [S]
    sums: NDArray[np.float64]  # [S] what they were worth for the side of who was to move
    sizes: Actions  # [3] NODES, EDGES and simulations DONE so far
    path: Actions  # [LONGEST, 3] NODE, EDGE, TEAM of who was to move, in this simulation
    worths: NDArray[np.float64]  # [P] by team, what this simulation was worth
    bounds: NDArray[np.float64]  # [2] the lowest and the highest of all worths
    own: Streams  # [1] for what is drawn in the tree
    deals: Streams  # [S] where cards and chance come from, by try of an action of the root
    deal: Streams  # [1] that of this simulation
    edges: Actions  # [S] by simulation: the edge of the root
    samples: NDArray[np.float64]  # [S, 2] by simulation: RESULT and MARGIN of the root's side

    @classmethod
    def of(cls, simulations: int, seats: int, own: Streams) -> Self:
        """A tree without a node."""
        return cls(
            table=np.full(1 << (2 * simulations - 1).bit_length(), NONE, np.int32),
            keys=np.zeros(simulations, np.uint64),
            heads=np.full(simulations, NONE, np.int32),
            visits=np.zeros(simulations, np.int32),
            actions=np.zeros(simulations, np.int32),
            following=np.full(simulations, NONE, np.int32),
            tries=np.zeros(simulations, np.int32),
            sums=np.zeros(simulations),
            sizes=np.zeros(3, np.int32),
            path=np.zeros((LONGEST, 3), np.int32),
            worths=np.zeros(seats),
            bounds=np.array([np.inf, -np.inf]),
            own=own,
            deals=np.zeros(simulations, np.uint64),
            deal=np.zeros(1, np.uint64),
            edges=np.zeros(simulations, np.int32),
            samples=np.zeros((simulations, 2)),
        )


@kernel
def key_of(bits: NDArray[np.uint32], seat: int) -> np.uint64:
    """A hash of what *seat* sees, 64 bits."""
    # The generator of `streams`, which takes in a number before each step.
    word = np.uint64(seat + 1)
    for k in range(bits.size):
        word = ((word & LOW) ^ np.uint64(bits[k])) * MULTIPLIER + (word >> HALF)
    for _ in range(2):
        word = (word & LOW) * MULTIPLIER + (word >> HALF)
    return word


@kernel
def find(tree: Tree, key: np.uint64) -> int:
    """The place in the table of the node with that *key*, or where it belongs."""
    last = tree.table.size - 1
    place = np.int64(key & np.uint64(last))
    while tree.table[place] != NONE and tree.keys[tree.table[place]] != key:
        place = (place + 1) & last
    return place  # type: ignore[return-value]  # int() of it would be no faster


@kernel
def add_edge(tree: Tree, node: int, action: int) -> int:
    """A new edge, the first one of *node* or the one behind it."""
    edge, head = int(tree.sizes[EDGES]), int(tree.heads[node])
    tree.sizes[EDGES] += 1
    tree.actions[edge] = action
    if head == NONE:
        tree.heads[node] = edge
    else:
        tree.following[edge], tree.following[head] = tree.following[head], edge
    return edge


@kernel
def add_node(tree: Tree, place: int, key: np.uint64, action: int) -> int:
    """A new node at that *place* of the table, with *action* as the baseline's choice."""
    node = int(tree.sizes[NODES])
    tree.sizes[NODES] += 1
    tree.table[place], tree.keys[node] = node, key
    add_edge(tree, node, action)
    return node


@kernel
def best_edge(search: Search, tree: Tree, node: int, mask: Mask, legal: int, fewest: int) -> int:
    """The edge of *node* to follow, or NONE for an action that was not tried yet.

    *mask* has *legal* actions; those that were tried are taken out of it. Each is due *fewest*
    tries; beyond, one that was not tried counts as the mean of those that were.
    """
    explore = EXPLORE * (tree.bounds[1] - tree.bounds[0]) * np.sqrt(tree.visits[node])
    prior = FIRST_PRIOR if search.has_default else 1.0 / legal
    rest = (1.0 - prior) / (legal - 1)
    best, most, seen, tries, total = NONE, -np.inf, 0, 0, 0.0
    edge = int(tree.heads[node])
    while edge != NONE:
        if mask[tree.actions[edge]]:
            mask[tree.actions[edge]] = 0
            worth = tree.sums[edge] / tree.tries[edge] + explore * prior / (1 + tree.tries[edge])
            if tree.tries[edge] < fewest:
                worth = np.inf
            if worth > most:
                best, most = edge, worth
            seen, tries, total = seen + 1, tries + tree.tries[edge], total + tree.sums[edge]
        edge, prior = int(tree.following[edge]), rest
    if seen == legal or (seen > 0 and fewest == 0 and total / tries + explore * rest < most):
        return best
    return NONE


@kernel
def any_of(mask: Mask, own: Streams) -> int:
    """An action of *mask*, each as likely."""
    count = 0
    for action in range(mask.size):
        count += mask[action] != 0
    rest, action = next_below(own, 0, count), 0
    while mask[action] == 0 or rest > 0:
        rest -= mask[action] != 0
        action += 1
    return action


@kernel
def note(tree: Tree, length: int, node: int, edge: int, team: int) -> None:
    """Write down the place of the path that *length* others come before."""
    tree.path[length, NODE], tree.path[length, EDGE] = node, edge
    tree.path[length, TEAM] = team


def deal(search: Search, room: Room, tree: Tree, k: int) -> None:
    """Set up the game for the *k*-th try of an action of the root."""
    room.states[PLAYED] = search.root[0]
    tree.deal[0] = tree.deals[k]
    determinize(room.states, PLAYED, search.seat, tree.deal, 0)
    room.chance[0], room.choices[0] = split(tree.deal, 0), split(tree.deal, 0)


def choices_of(states: States, i: int, mask: Mask) -> tuple[int, int]:
    """Write the mask of row *i*; returns how many actions it has, and the first."""
    legal_mask(states, i, mask)
    legal, first = 0, NONE
    for action in range(mask.size - 1, -1, -1):
        if mask[action]:
            legal, first = legal + 1, action
    return legal, first


def advance(room: Room, action: int, most: int) -> tuple[int, int, int]:
    """Play *action* and then what is forced, at most *most* decisions.

    Returns who has a choice then (or OVER), between how many actions, and how many were played.
    """
    made = 0
    while True:
        step(room.states, PLAYED, action)
        made += 1
        mover = settle(room.states, PLAYED, room.chance, 0, room.weights)
        if mover == OVER or made == most:
            return OVER, 0, made
        legal, action = choices_of(room.states, PLAYED, room.masks[0])
        if legal > 1:
            return mover, legal, made


def leave(room: Room, action: int, depth: int, made: int) -> int:
    """Play *action* and on without the tree; returns the decisions of the whole game."""
    return made + min(depth - made, play_out(room, action, depth - made))


def walk(search: Search, room: Room, tree: Tree) -> tuple[int, int]:
    """One game; returns how long its path in the tree is, and how many decisions it has."""
    node, mover, made, length, depth = 0, search.seat, 0, 0, search.depth
    legal, action = choices_of(search.root, 0, room.masks[0])
    fewest = tree.edges.size // (EVENLY * legal)
    while True:
        edge = best_edge(search, tree, node, room.masks[0], legal, fewest)
        is_new = edge == NONE
        if is_new:
            edge = add_edge(tree, node, any_of(room.masks[0], tree.own))
        if length == 0:
            deal(search, room, tree, tree.tries[edge])
        note(tree, length, node, edge, search.teams[mover])
        length, fewest, action = length + 1, 0, int(tree.actions[edge])
        if is_new or length == LONGEST:
            return length, leave(room, action, depth, made)
        mover, legal, more = advance(room, action, depth - made)
        made += more
        if mover == OVER:
            return length, made
        observe(room.states, PLAYED, mover, room.observations[0])
        key = key_of(room.bits, mover)
        place = find(tree, key)
        node = int(tree.table[place])
        if node == NONE:
            ask(room.states, PLAYED, mover, room)
            action = int(room.actions[0])
            node = add_node(tree, place, key, action)
            note(tree, length, node, tree.heads[node], search.teams[mover])
            return length + 1, leave(room, action, depth, made)


def judge(search: Search, room: Room, tree: Tree) -> None:
    """Write what the game brought each team, and the sample of this simulation."""
    for seat in range(search.teams.size):
        team = int(search.teams[seat])
        result, margin = standing(room, search.teams, team)
        worth = result + np.tanh(margin / search.scale)
        tree.worths[team] = worth
        tree.bounds[0], tree.bounds[1] = min(tree.bounds[0], worth), max(tree.bounds[1], worth)
        if seat == search.seat:
            sample = tree.samples[tree.sizes[DONE]]
            sample[RESULT], sample[MARGIN] = result, margin


def grow(search: Search, room: Room, tree: Tree) -> int:
    """Simulate until the tree is full, or for a while; returns how many decisions were made."""
    total = 0
    while tree.sizes[DONE] < tree.edges.size and total < AT_ONCE:
        length, made = walk(search, room, tree)
        judge(search, room, tree)
        for k in range(length):
            edge = tree.path[k, EDGE]
            tree.visits[tree.path[k, NODE]] += 1
            tree.tries[edge] += 1
            tree.sums[edge] += tree.worths[tree.path[k, TEAM]]
        tree.edges[tree.sizes[DONE]] = tree.path[0, EDGE]
        tree.sizes[DONE] += 1
        total += made
    return total


def plant(search: Search, room: Room, tree: Tree, action: int, games: int) -> int:
    """Make the root and try *action* there, in so many *games*; returns the decisions made."""
    for k in range(tree.deals.size):
        tree.deals[k] = split(tree.own, 0)
    tree.sizes[NODES] = 1
    add_edge(tree, 0, action)
    total = 0
    for k in range(games):
        deal(search, room, tree, k)
        total += leave(room, action, search.depth, 0)
        judge(search, room, tree)
        tree.sizes[DONE] += 1
    tree.visits[0] = tree.tries[0] = games
    return total


TEMPLATES = (deal, choices_of, advance, leave, walk, judge, grow, plant)
"""Each after those that it calls."""
