"""Who meets whom in the next round [R13.5].

The text leaves this to a program that is closed; what stands here is a Swiss system: teams of equal
strength meet, and no two meet twice as long as that can be avoided.
"""

import itertools
from collections import Counter
from collections.abc import Iterable, Sequence

from ...envs.engine.errors import TournamentError, expect
from ...envs.engine.streams import new_streams
from .sheets import Pair, Sheet
from .standings import standings
from .teams import listed

DRAW = (0, 0)
"""The round and table of the draw, which is before all rounds."""
PATIENCE = 20
"""Pairs that are tried per team before the matching is asked; see `_without_repeats`."""

Meetings = Counter[frozenset[int]]


def draw(teams: Sequence[int], seed: int) -> list[int]:
    """The teams in the order of the draw; the same for the same seed."""
    lots = new_streams((seed, *DRAW), len(teams), "chance").tolist()
    return [team for _, team in sorted(zip(lots, sorted(teams), strict=True))]


def next_pairs(
    teams: Sequence[int], sheets: Sequence[Sheet], *, drawn: Sequence[int] | None = None
) -> list[Pair]:
    """The tables of the round after *sheets*, which hold whole rounds; the bye is the last.

    *drawn* is the order of the draw; it counts in the first round only.
    """
    if len(teams) < 2:
        raise TournamentError(f"expected at least 2 teams, got {len(teams)}")
    if sheets:
        order = [row.team for row in standings(teams, sheets)]
    else:
        order = _checked_draw(teams, drawn)
    number = max((sheet.round for sheet in sheets), default=0) + 1
    free = team_with_bye(order, sheets) if len(order) % 2 else None
    firsts = Counter(sheet.team_a for sheet in sheets if not sheet.is_bye)
    pairs: list[tuple[int, int | None]] = []
    for higher, lower in best_pairs([t for t in order if t != free], meetings(sheets)):
        # [R13.5] Team a is the one that has been it less often; the higher of equals.
        is_in_turn = firsts[higher] <= firsts[lower]
        pairs.append((higher, lower) if is_in_turn else (lower, higher))
    if free is not None:
        pairs.append((free, None))
    return [
        Pair(round=number, table=table, team_a=a, team_b=b) for table, (a, b) in enumerate(pairs, 1)
    ]


def meetings(sheets: Iterable[Sheet]) -> Meetings:
    """How often every two teams were paired; a game that was forfeited counts."""
    return Counter(frozenset(sheet.teams) for sheet in sheets if not sheet.is_bye)


def team_with_bye(order: Sequence[int], sheets: Iterable[Sheet]) -> int:
    """The lowest in the order among the teams with the fewest byes."""
    byes = Counter(sheet.team_a for sheet in sheets if sheet.is_bye)
    fewest = min(byes[team] for team in order)
    return [team for team in order if byes[team] == fewest][-1]


def best_pairs(order: Sequence[int], met: Meetings) -> list[tuple[int, int]]:
    """The pairs of an even number of teams, the higher team first.

    As few earlier meetings in all as can be; among those pairings the one in which the highest team
    has the highest opponent, then the next team, and so on.
    """
    teams = len(order)
    counts = [[met[frozenset((a, b))] if a != b else 0 for b in order] for a in order]
    partners = _without_repeats(counts)
    if partners is None:
        partners = _cheapest(counts)
    return [(order[i], order[partners[i]]) for i in range(teams) if i < partners[i]]


def _without_repeats(counts: list[list[int]]) -> list[int] | None:
    """The first pairing in which nobody meets again, found by trying and going back.

    Nearly always that takes no time. None if there is no such pairing, or if it takes long: going
    back may try millions of pairings before it finds that the last six teams cannot be paired.
    """
    teams = len(counts)
    partners = [-1] * teams
    stack: list[tuple[int, int]] = []  # the higher and the lower team of each pair so far
    higher, lower = 0, 1
    for _ in range(PATIENCE * teams):
        if higher == teams:
            return partners
        while lower < teams and (partners[lower] >= 0 or counts[higher][lower]):
            lower += 1
        if lower < teams:
            partners[higher], partners[lower] = lower, higher
            stack.append((higher, lower))
            higher = next((i for i in range(teams) if partners[i] < 0), teams)
            lower = higher + 1
        elif stack:
            higher, last = stack.pop()
            partners[higher] = partners[last] = -1
            lower = last + 1
        else:
            return None
    return None


def _cheapest(counts: list[list[int]]) -> list[int]:
    """The pairing that [R13.5] asks for, as the matching whose costs sum to the least.

    An earlier meeting costs more than everything below it. The lower team of a pair counts as a
    digit, at the place of the higher one: where two pairings differ first, the rest of the digits
    cannot make up for it. So no two pairings cost the same, and the answer depends on nothing else.
    """
    import networkx as nx  # takes a moment to load, and few tournaments come here

    teams = len(counts)
    graph = nx.Graph()
    for i, j in itertools.combinations(range(teams), 2):
        # Whole numbers, however large, are matched exactly.
        cost = counts[i][j] * teams**teams + j * teams ** (teams - 1 - i)
        graph.add_edge(i, j, weight=cost)
    partners = [-1] * teams
    for i, j in nx.min_weight_matching(graph):
        partners[i], partners[j] = j, i
    return partners


def _checked_draw(teams: Sequence[int], drawn: Sequence[int] | None) -> list[int]:
    """The order of the draw if it names every team once."""
    if drawn is None:
        raise TournamentError("expected a draw for the first round, got none")
    wanted = f"a draw of the {len(teams)} teams {listed(teams)}, each once"
    is_whole, got = sorted(drawn) == sorted(teams), ", ".join(map(str, drawn))
    expect(is_whole, wanted, got, error=TournamentError)
    return list(drawn)
