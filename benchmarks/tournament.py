"""How long a tournament of Tokken takes: sixteen teams of baselines, and pairing 64 teams.

CPU time; whatever is compiled has been compiled. Baselines play in one process, so that is all.
"""

from dataclasses import asdict
from itertools import combinations, count

from spelkast.eval.tournament.config import Config
from spelkast.eval.tournament.folder import Folder
from spelkast.eval.tournament.pairing import Meetings, best_pairs, draw, next_pairs
from spelkast.eval.tournament.run import play_tournament
from spelkast.eval.tournament.sheets import Sheet, Side
from spelkast.eval.tournament.teams import teams_of_agents

from .sampling import SPREAD, Json, durations, markdown_table

SAMPLES = 5
TEAMS = ("kees", "racer", "kees+racer", "racer+kees") * 4
ROUNDS = 4
MANY, MANY_ROUNDS = 64, 12


def measure(*, seconds: float = 0.0, samples: int = SAMPLES) -> Json:
    """CPU seconds of whole tournaments and of pairings; *seconds* does not apply."""
    seeds = count()
    play(next(seeds))  # compiles
    return {
        "teams": len(TEAMS),
        "rounds": ROUNDS,
        "tournament": durations(lambda: play(next(seeds)), samples),
        "pairing": durations(pair_many, samples),
        "worst_pairing": durations(pair_those_who_have_met, samples),
    }


def play(seed: int) -> None:
    """Sixteen teams, four rounds."""
    config = Config(teams=tuple(teams_of_agents(TEAMS)), rounds=ROUNDS, seed=seed)
    sheets = play_tournament(Folder(config))
    if len(sheets) != ROUNDS * len(TEAMS) // 2 or any(sheet.forfeit for sheet in sheets):
        raise RuntimeError("expected a tournament without forfeits, got another")


def pair_many() -> None:
    """Twelve rounds of 64 teams, of which the lower number always wins."""
    numbers = list(range(1, MANY + 1))
    sheets: list[Sheet] = []
    for _ in range(MANY_ROUNDS):
        for pair in next_pairs(numbers, sheets, drawn=draw(numbers, 0)):
            is_a = pair.team_b is not None and pair.team_a < pair.team_b
            winner: Side = "a" if is_a else "b"
            a, b = (8, 4) if is_a else (4, 8)
            fields = asdict(pair)
            sheets.append(Sheet(**fields, pawns_a=a, pawns_b=b, winner=winner, time=300))


def pair_those_who_have_met() -> None:
    """One round of 64 teams who have all met, some of them three times."""
    numbers = list(range(MANY))
    met = Meetings({frozenset(pair): 1 + sum(pair) % 3 for pair in combinations(numbers, 2)})
    best_pairs(numbers, met)


def table(figures: Json) -> str:
    """The figures as Markdown."""
    teams = f"{figures['teams']} teams of `kees` and `racer`, {figures['rounds']} rounds: CPU s"
    rows = [
        [teams, figures["tournament"]],
        [f"pairing {MANY} teams, {MANY_ROUNDS} rounds: CPU s", figures["pairing"]],
        [f"pairing {MANY} teams who have all met, one round: CPU s", figures["worst_pairing"]],
    ]
    return markdown_table(("what", *SPREAD), rows)
