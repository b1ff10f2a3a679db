"""A perfect matching of the smallest total cost in a complete graph (Edmonds' blossoms).

The primal-dual method in O(n**3) steps, with whole numbers of any size. A *node* is a vertex
1..n or a blossom n+1..: an odd ring of nodes that is treated as one. Nodes at the top level are
outer (at an even distance from an unmatched vertex in the search), inner, or free. Node 0 is
nobody.

The method is told in Z. Galil, "Efficient algorithms for finding maximum matching in graphs",
ACM Computing Surveys 18 (1986), section 4.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

FREE, OUTER, INNER = -1, 0, 1
Edge = tuple[int, int]
"""From a vertex to a vertex."""


def cheapest_pairs(costs: Sequence[Sequence[int]]) -> list[int]:
    """The partner of every vertex in a perfect matching whose costs sum to the least.

    *costs* `[n][n]` is symmetric, n is even; the diagonal is not looked at.
    """
    n = len(costs)
    if n % 2:
        raise ValueError(f"expected an even number of vertices, got {n}")
    if not n:
        return []
    highest = max(max(row) for row in costs) + 1
    # The heaviest matching of positive weights in a complete graph is perfect once a constant that
    # outweighs all costs is added to every edge.
    base = highest * n
    weights = [[base - cost for cost in row] for row in costs]
    search = _Search(weights)
    while search.grow_matching():
        pass
    return [partner - 1 for partner in search.partner[1 : n + 1]]


class _Search:
    """The state of the search; lists are indexed by node."""

    def __init__(self, weights: list[list[int]]) -> None:
        n = self.n = len(weights)
        size = n + n // 2 + 2
        self.nodes = n
        """the highest node in use"""
        self.weight = [[0] * (n + 1), *([0, *row] for row in weights)]
        self.edge: list[list[Edge]] = [[(0, 0)] * size for _ in range(size)]
        """the best edge between two nodes; (0, 0) where there is none"""
        for u in range(1, n + 1):
            for v in range(1, n + 1):
                self.edge[u][v] = (u, v)
        highest = max(weights[u][v] for u in range(n) for v in range(n) if u != v)
        self.dual = [highest] * (n + 1) + [0] * (size - n - 1)
        self.partner = [0] * size
        """the vertex at the far end of the matched edge"""
        self.top = [node if node <= n else 0 for node in range(size)]
        """the node at the top level that holds this one; 0 for a blossom out of use"""
        self.parent = [0] * size
        """the vertex from which the search reached an inner node"""
        self.label = [FREE] * size
        self.slack_from = [0] * size
        """the outer vertex with the least slack towards a node"""
        self.ring: list[list[int]] = [[] for _ in range(size)]
        """the nodes of a blossom in order, the base first"""
        self.member = [[0] * (n + 1) for _ in range(size)]
        """member[b][v]: the node of b's ring that holds vertex v"""
        for v in range(1, n + 1):
            self.member[v][v] = v
        self.seen = [0] * size
        self.ticket = 0
        self.queue: deque[int] = deque()

    # Slack -------------------------------------------------------------------------------------

    def slack(self, edge: Edge) -> int:
        """Twice how far an edge is from being usable."""
        u, v = edge
        return self.dual[u] + self.dual[v] - 2 * self.weight[u][v]

    def note_slack(self, u: int, node: int) -> None:
        known = self.slack_from[node]
        if not known or self.slack(self.edge[u][node]) < self.slack(self.edge[known][node]):
            self.slack_from[node] = u

    def find_slack(self, node: int) -> None:
        self.slack_from[node] = 0
        for u in range(1, self.n + 1):
            is_outer = self.label[self.top[u]] == OUTER
            if is_outer and self.top[u] != node and self.edge[u][node][0]:
                self.note_slack(u, node)

    def tops(self) -> list[int]:
        return [node for node in range(1, self.nodes + 1) if self.top[node] == node]

    # Nodes -------------------------------------------------------------------------------------

    def enqueue(self, node: int) -> None:
        if node <= self.n:
            self.queue.append(node)
        else:
            for part in self.ring[node]:
                self.enqueue(part)

    def put_into(self, node: int, top: int) -> None:
        self.top[node] = top
        if node > self.n:
            for part in self.ring[node]:
                self.put_into(part, top)

    def even_way(self, blossom: int, part: int) -> int:
        """The place of *part* in the ring, turned so that it is an even way from the base."""
        ring = self.ring[blossom]
        at = ring.index(part)
        if at % 2:
            ring[1:] = ring[:0:-1]
            at = len(ring) - at
        return at

    # The matching ------------------------------------------------------------------------------

    def match(self, u: int, v: int) -> None:
        """Match node *u* along its edge to node *v*, and the inside of *u* with it."""
        near, far = self.edge[u][v]
        self.partner[u] = far
        if u <= self.n:
            return
        part = self.member[u][near]
        at = self.even_way(u, part)
        ring = self.ring[u]
        for i in range(at):
            self.match(ring[i], ring[i ^ 1])
        self.match(part, v)
        ring[:] = ring[at:] + ring[:at]

    def augment(self, u: int, v: int) -> None:
        """Swap the way from *u* back to the root of its tree, and match *u* to *v*."""
        while True:
            before = self.top[self.partner[u]]
            self.match(u, v)
            if not before:
                return
            up = self.top[self.parent[before]]
            self.match(before, up)
            u, v = up, before

    def meeting_place(self, u: int, v: int) -> int:
        """The outer node where the ways from *u* and *v* to their roots join; 0 if they do not."""
        self.ticket += 1
        while u or v:
            if u:
                if self.seen[u] == self.ticket:
                    return u
                self.seen[u] = self.ticket
                u = self.top[self.partner[u]]
                if u:
                    u = self.top[self.parent[u]]
            u, v = v, u
        return 0

    # Blossoms ----------------------------------------------------------------------------------

    def shrink(self, u: int, base: int, v: int) -> None:
        """Make a blossom of the ring base .. u - v .. base."""
        blossom = self.n + 1
        while blossom <= self.nodes and self.top[blossom]:
            blossom += 1
        self.nodes = max(self.nodes, blossom)
        self.dual[blossom], self.label[blossom] = 0, OUTER
        self.partner[blossom] = self.partner[base]
        self.ring[blossom] = [base, *reversed(self.way(u, base)), *self.way(v, base)]
        for part in self.ring[blossom]:
            if self.label[part] == INNER:
                self.enqueue(part)
        self.put_into(blossom, blossom)
        self.take_best_edges(blossom)
        self.find_slack(blossom)

    def way(self, node: int, base: int) -> list[int]:
        """The nodes from *node* back to *base*, which is left out."""
        nodes = []
        while node != base:
            inner = self.top[self.partner[node]]
            nodes += [node, inner]
            node = self.top[self.parent[inner]]
        return nodes

    def take_best_edges(self, blossom: int) -> None:
        for node in range(1, self.nodes + 1):
            self.edge[blossom][node] = self.edge[node][blossom] = (0, 0)
        self.member[blossom] = [0] * (self.n + 1)
        for part in self.ring[blossom]:
            for node in range(1, self.nodes + 1):
                candidate = self.edge[part][node]
                known = self.edge[blossom][node]
                if not candidate[0] or node == part:
                    continue
                if not known[0] or self.slack(candidate) < self.slack(known):
                    self.edge[blossom][node] = candidate
                    self.edge[node][blossom] = self.edge[node][part]
            for v in range(1, self.n + 1):
                if self.member[part][v]:
                    self.member[blossom][v] = part

    def unfold(self, blossom: int) -> None:
        """Take an inner blossom whose dual is used up apart; the search goes through its ring."""
        for part in self.ring[blossom]:
            self.put_into(part, part)
        entry = self.member[blossom][self.edge[blossom][self.parent[blossom]][0]]
        at = self.even_way(blossom, entry)
        ring = self.ring[blossom]
        for i in range(0, at, 2):
            inner, outer = ring[i], ring[i + 1]
            self.parent[inner] = self.edge[outer][inner][0]
            self.label[inner], self.label[outer] = INNER, OUTER
            self.slack_from[inner] = 0
            self.find_slack(outer)
            self.enqueue(outer)
        self.label[entry], self.parent[entry] = INNER, self.parent[blossom]
        for part in ring[at + 1 :]:
            self.label[part] = FREE
            self.find_slack(part)
        self.top[blossom] = 0

    # The search --------------------------------------------------------------------------------

    def use(self, edge: Edge) -> bool:
        """Follow an edge without slack out of an outer node; True if the matching has grown."""
        u, v = self.top[edge[0]], self.top[edge[1]]
        if self.label[v] == FREE:
            self.parent[v], self.label[v] = edge[0], INNER
            partner = self.top[self.partner[v]]
            self.slack_from[v] = self.slack_from[partner] = 0
            self.label[partner] = OUTER
            self.enqueue(partner)
        elif self.label[v] == OUTER:
            base = self.meeting_place(u, v)
            if not base:
                self.augment(u, v)
                self.augment(v, u)
                return True
            self.shrink(u, base, v)
        return False

    def grow_matching(self) -> bool:
        """Add one pair to the matching; False if everybody has a partner."""
        for node in range(1, self.nodes + 1):
            self.label[node], self.slack_from[node] = FREE, 0
        self.queue.clear()
        for node in self.tops():
            if not self.partner[node]:
                self.parent[node], self.label[node] = 0, OUTER
                self.enqueue(node)
        if not self.queue:
            return False
        while True:
            if self.scan():
                return True
            self.change_duals(self.step())
            self.queue.clear()
            if self.use_new_edges():
                return True
            for node in range(self.n + 1, self.nodes + 1):
                used_up = self.label[node] == INNER and self.dual[node] == 0
                if self.top[node] == node and used_up:
                    self.unfold(node)

    def scan(self) -> bool:
        """Look at every edge out of the outer vertices that are waiting."""
        top, label, edge, dual = self.top, self.label, self.edge, self.dual
        while self.queue:
            u = self.queue.popleft()
            if label[top[u]] == INNER:
                continue
            weight = self.weight[u]
            for v in range(1, self.n + 1):
                if top[u] == top[v]:
                    continue
                if dual[u] + dual[v] == 2 * weight[v]:
                    if self.use(edge[u][v]):
                        return True
                else:
                    self.note_slack(u, top[v])
        return False

    def use_new_edges(self) -> bool:
        node = 0
        while node < self.nodes:  # which grows with every blossom that is made on the way
            node += 1
            u = self.slack_from[node]
            is_open = self.top[node] == node and u and self.top[u] != node
            if is_open and not self.slack(self.edge[u][node]) and self.use(self.edge[u][node]):
                return True
        return False

    def step(self) -> int:
        """By how much the duals may change until something happens."""
        steps = []
        for node in self.tops():
            label = self.label[node]
            if node > self.n and label == INNER:
                steps.append(self.dual[node] // 2)
            if self.slack_from[node] and label != INNER:
                slack = self.slack(self.edge[self.slack_from[node]][node])
                steps.append(slack if label == FREE else slack // 2)
        return min(steps)

    def change_duals(self, step: int) -> None:
        for u in range(1, self.n + 1):
            label = self.label[self.top[u]]
            if label == OUTER:
                self.dual[u] -= step
            elif label == INNER:
                self.dual[u] += step
        for node in range(self.n + 1, self.nodes + 1):
            if self.top[node] == node and self.label[node] != FREE:
                self.dual[node] += 2 * step if self.label[node] == OUTER else -2 * step
