"""The result of a match or of cross-play, for people to read."""

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from .cross import CrossPlay, Gap, members
from .match import Counts, MatchResult


def match_report(result: MatchResult, *, title: str, seed: object) -> RenderableType:
    """The counts by side, the score with its intervals, and a verdict."""
    first, second = (" and ".join(team) for team in _teams(result))
    orders = ", partners in every order" if len(result.agents) > 2 else ""
    lines = [
        Text.assemble((title, "bold"), ": ", (first, "bold"), " against ", (second, "bold")),
        Text(f"{result.deals} deals, each played from {_both(result.sides)}{orders}; seed {seed}"),
    ]
    if result.games != result.requested:
        lines.append(
            Text(f"({result.requested} games were requested; {result.games} make whole deals)")
        )
    return Group(*lines, _counts(result), _measures(result), Text(), verdict(result))


def verdict(result: MatchResult) -> Text:
    """What may be said about the two, from the interval of the mean rank over deals.

    With two sides the mean rank is the score in other units. With more, the share of first places
    may be clear where the rank is not, or even point the other way; then it is added.
    """
    if result.illegal:
        return no_verdict(result)
    first, second = _teams(result)
    if sorted(_filled(first)) == sorted(_filled(second)):
        itself = "A team" if len(first) > 1 else "An agent"
        return Text(f"{itself} against itself: no verdict.")
    by_rank = _beyond(result.even_rank, result.rank_low, result.rank_high)
    by_first = -_beyond(result.even_score, result.pair_low, result.pair_high)
    better = {-1: (first, second), 1: (second, first)}
    if not by_rank:
        text = Text(f"These {result.games} games do not show which of the two is better.")
    else:
        one, other = better[by_rank]
        are = "are" if len(one) > 1 else "is"
        text = Text(f"{' and '.join(one)} {are} better than {' and '.join(other)}.", style="bold")
    if by_first and by_first != by_rank:
        often = "more" if by_first < 0 else "less"
        are = "are" if len(first) > 1 else "is"
        name = " and ".join(first)
        text.append(f" Yet {name} {are} first {often} often than one in {result.sides}.")
    return text


def no_verdict(result: MatchResult) -> Text:
    """Which agents tried illegal actions."""
    who = [n for n, count in zip(result.agents, result.illegal_by, strict=True) if count]
    tried = f"{' and '.join(who)} tried {result.illegal} illegal actions: no verdict."
    return Text(tried, style="bold red")


def _teams(result: MatchResult) -> tuple[list[str], list[str]]:
    """The names on the first side and on the others, each agent once."""
    pairs = ((result.first, result.partner), (result.second, result.other_partner))
    first, second = ([name for name in pair if name is not None] for pair in pairs)
    return first, second


def _filled(team: list[str]) -> list[str]:
    """A team of two seats."""
    return team if len(team) > 1 else team * 2


def _beyond(even: float, low: float, high: float) -> int:
    """Where an interval lies: below what equal sides have (-1), around it (0), or above (1)."""
    return int(low > even) - int(high < even)


def _both(sides: int) -> str:
    return "both sides" if sides == 2 else f"all {sides} sides"


def _counts(result: MatchResult) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=True)
    table.add_column(Text(result.first), overflow="fold")
    has_ranks = result.sides > 2
    for name in ("games", "wins", "draws", "losses", "score", *["mean rank"] * has_ranks):
        table.add_column(name, justify="right")
    for side in result.per_seat:
        seats = " and ".join(map(str, side.seats))
        name = f"in seat{'s' * (len(side.seats) > 1)} {seats}"
        table.add_row(name, *_numbers(side, has_ranks=has_ranks))
    table.add_section()
    table.add_row("in all", *_numbers(result, has_ranks=has_ranks), style="bold")
    return table


def _numbers(row: Counts, *, has_ranks: bool) -> list[str]:
    counts = (row.games, row.wins, row.draws, row.losses)
    rank = [f"{row.mean_rank:.2f}"] * has_ranks
    return [*(f"{count:,}" for count in counts), percent(row.score), *rank]


def percent(score: float) -> str:
    """A share of 1 as "63.4 %"."""
    return f"{100 * score:.1f} %"


def _between(low: float, high: float) -> str:
    return f"{100 * low:.1f} – {percent(high)}"


def _measures(result: MatchResult) -> Table:
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 1))
    is_two = result.sides == 2
    even = f"of the first places; equal: {percent(result.even_score)}"
    score = "(wins + draws / 2) / games" if is_two else even
    table.add_row("score", percent(result.score), score)
    wilson = _between(result.low, result.high)
    table.add_row("95 % interval", wilson, "Wilson, as if all games were independent")
    paired = _between(result.pair_low, result.pair_high)
    table.add_row("95 % by deals", paired, "from the mean of each deal's games")
    if not is_two:
        _add_ranks(table, result)
    own, others = result.mean_scores
    table.add_row("scores", f"{own:.2f} : {others:.2f}", "means: own and the others'")
    difference = f"{result.score_difference:+.2f}"
    table.add_row("score difference", difference, "per game, in the points of the game")
    table.add_row("illegal actions", str(result.illegal), "")
    if result.timed_out:
        table.add_row("time was up", f"{result.timed_out:,}", "games that the rules' clock ended")
    if result.truncated:
        table.add_row("cut off", f"{result.truncated:,}", "games that the cap on decisions ended")
    per_game = result.decisions / result.games
    speed = f"{result.games_per_second:,.0f} games/s, {per_game:.0f} decisions per game"
    table.add_row("played", f"{result.seconds:.1f} s", speed)
    return table


def _add_ranks(table: Table, result: MatchResult) -> None:
    """Add the rows that only a match of more than two sides has."""
    even = f"of {result.sides}, 1 is the best; equal: {result.even_rank:g}"
    table.add_row("mean rank", f"{result.mean_rank:.2f}", even)
    between = f"{result.rank_low:.2f} – {result.rank_high:.2f}"
    table.add_row("95 % by deals", between, "from the mean of each deal's games")
    for place, share in enumerate(result.rank_shares, 1):
        label = {1: "1st", 2: "2nd", 3: "3rd"}.get(place, f"{place}th")
        note = "a shared place is split evenly" if place == 1 else ""
        table.add_row(f"{label} place", percent(share), note)
    each = result.against_each
    counts = f"{each.wins:,} won, {each.draws:,} drawn, {each.losses:,} lost"
    table.add_row("against each side", percent(each.score), counts)
    table.add_row("reward", f"{result.mean_reward:+.3f}", "mean of a seat")


# Cross-play ------------------------------------------------------------------------------------


def cross_report(result: CrossPlay, *, title: str, seed: object) -> RenderableType:
    """Every pair with its result, and how much is lost with unknown partners."""
    lines = [
        Text.assemble((title, "bold"), ": teams against ", (result.against, "bold")),
        Text(f"every pair on the same deals, from every seat; seed {seed}"),
    ]
    table = Table(box=box.SIMPLE_HEAD, pad_edge=True)
    table.add_column("team", overflow="fold")
    for name in ("games", "score", "95 % by deals", "scores"):
        table.add_column(name, justify="right", no_wrap=True)
    for pair in result.pairs:
        own, others = pair.mean_scores
        table.add_row(
            Text(" and ".join(members(pair))),
            f"{pair.games:,}",
            percent(pair.score),
            _between(pair.pair_low, pair.pair_high),
            f"{own:.1f} : {others:.1f}",
        )
    cheats = [no_verdict(pair) for pair in result.pairs if pair.illegal]
    gap = [] if result.gap is None else [_gap(result.gap)]
    return Group(*lines, table, *(cheats or gap))


def _gap(gap: Gap) -> Table:
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 1))
    table.add_row("with itself", percent(gap.with_itself), "mean score of teams of one agent")
    table.add_row("with others", percent(gap.with_others), "mean score of teams of two")
    table.add_row("difference", f"{100 * gap.difference:+.1f}", f"over {gap.deals:,} deals")
    between = f"{100 * gap.low:+.1f} to {100 * gap.high:+.1f}"
    table.add_row("95 % by deals", between, "from the difference in each deal")
    return table
