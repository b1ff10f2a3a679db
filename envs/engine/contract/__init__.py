"""The contract of a game: promises that every game keeps, ours or a user's, and their test.

`check_game` plays games with the verbs of a `GameSpec` and holds them, and the environment and the
batch around them, to each promise in `PROMISES`. A promise is a small function; its name says what
is promised.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ..dtypes import Json
from ..errors import ContractError
from ..spec import GameSpec, Options
from . import environments, mistakes, rows, secrets
from .sample import Sample

__all__ = ["PROMISES", "Report", "check_game"]

PROMISES: tuple[Callable[[Sample], None], ...] = (
    rows.records_have_no_padding,
    rows.games_come_to_an_end,
    rows.verbs_depend_on_the_record_alone,
    rows.verbs_keep_to_their_row,
    rows.masks_name_the_legal_moves,
    rows.notation_round_trips,
    rows.positions_round_trip,
    rows.legal_moves_lead_to_positions,
    rows.broken_positions_are_refused,
    rows.chance_has_weights,
    rows.rewards_wait_for_the_end,
    rows.final_rewards_balance,
    rows.observations_fit_their_space,
    secrets.seats_see_no_secrets,
    secrets.last_moves_tell_no_secrets,
    secrets.secrets_are_redrawn,
    secrets.redraws_are_possible,
    environments.environment_plays_by_the_verbs,
    environments.same_seed_same_games,
    environments.chance_can_be_scripted,
    environments.positions_can_be_played_on,
    environments.copies_go_their_own_way,
    mistakes.mistakes_leave_the_game_untouched,
    mistakes.illegal_actions_can_end_the_game,
    environments.batches_play_the_same_games,
    environments.pettingzoo_agrees,
)
"""In the order in which they are checked: later ones rely on earlier ones."""


@dataclass(frozen=True, kw_only=True)
class Report:
    """What `check_game` looked at; every promise named in it was kept."""

    game: str
    options: Json
    """those that differ from the default"""
    seed: int
    games: int
    decisions: int
    redrawn: tuple[int, ...]
    """per seat, the positions of the sample in which it has something that can be re-drawn"""
    promises: tuple[str, ...]

    def __str__(self) -> str:
        """One line for a terminal."""
        return (
            f"{self.game} keeps {len(self.promises)} promises "
            f"({self.games} games, {self.decisions} decisions, options {self.options})"
        )


def check_game(
    spec: GameSpec,
    *,
    options: Mapping[str, Any] | Options | None = None,
    games: int = 4,
    seed: int = 0,
) -> Report:
    """Hold a game to its contract under the given options.

    Args:
        spec: The game.
        options: Its options; the defaults if None.
        games: How many random games to play; more find rarer faults and take longer.
        seed: Root of the sample. The same seed gives the same check.

    Returns:
        What was looked at, if every promise was kept.

    Raises:
        ContractError: The first promise that is broken, with what was expected, what came, and
            where. An unexpected exception out of the game breaks the promise that was checked.
    """
    sample = Sample(spec, spec.parse_options(options), games=games, seed=seed)
    for promise in PROMISES:
        _hold(promise, sample)
    return Report(
        game=spec.name,
        options=sample.options.changed(),
        seed=seed,
        games=games,
        decisions=sum(len(game.plies) for game in sample.games),
        redrawn=tuple(sample.redrawn),
        promises=tuple(promise.__name__ for promise in PROMISES),
    )


def _hold(promise: Callable[[Sample], None], sample: Sample) -> None:
    try:
        promise(sample)
    except ContractError as error:
        raise ContractError(f"{sample.spec.name} breaks {promise.__name__}: {error}") from None
    except Exception as error:
        raise ContractError(
            f"{sample.spec.name} breaks {promise.__name__}: "
            f"expected no exception, got {type(error).__name__}: {error}"
        ) from error
