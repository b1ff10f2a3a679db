"""Games that break one promise each, made from good ones; `check_game` must find every one out.

The wrong verbs are plain Python around compiled ones, under the engine's loops as plain Python, so
that nothing has to be compiled for them.
"""

import types
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from itertools import count
from typing import Any

import numpy as np

from spelkast.envs import spec as spec_of
from spelkast.envs.engine import loops
from spelkast.envs.engine.aec import GameEnv
from spelkast.envs.engine.batch import Batch
from spelkast.envs.engine.contract.sample import Sample
from spelkast.envs.engine.course import Course
from spelkast.envs.engine.dtypes import OVER
from spelkast.envs.engine.errors import SpelkastError
from spelkast.envs.engine.spec import GameSpec
from spelkast.envs.engine.streams import next_word

from .pig import rules
from .pig.board import HOLD, MOVES, SEGMENTS
from .pig.game import SPEC as PIG


@dataclass(frozen=True)
class Broken:
    """A way to break a game, and the promise that must notice."""

    promise: str
    make: Callable[[], GameSpec]


BROKEN: dict[str, Broken] = {}
"""By a name that says what is wrong."""


def breaks(promise: str) -> Callable[[Callable[[], GameSpec]], Callable[[], GameSpec]]:
    """Register a function that returns a broken game."""

    def register(make: Callable[[], GameSpec]) -> Callable[[], GameSpec]:
        BROKEN[make.__name__] = Broken(promise, make)
        return make

    return register


def with_verbs(spec: GameSpec, **verbs: Any) -> GameSpec:
    """The game with other verbs, in plain Python."""
    return uncompiled(replace(spec, verbs=replace(spec.verbs, **verbs)))


def uncompiled(spec: GameSpec) -> GameSpec:
    """The game under the engine's loops as they stand in their file."""
    names = spec.verbs.by_name()
    of_loops = [field.name for field in fields(loops.Loops)]
    for name in of_loops:
        template = getattr(loops, name)
        names[name] = types.FunctionType(template.__code__, {**template.__globals__, **names})
    bound = {name: names[name] for name in of_loops}
    spec.__dict__["loops"] = loops.Loops(**bound)  # where `cached_property` keeps it
    return spec


def tacocat() -> GameSpec:
    return spec_of("tacocat")


# Records, masks, moves -----------------------------------------------------------------------


@breaks("records_have_no_padding")
def record_with_a_gap():
    fields = [(name, PIG.record[name]) for name in PIG.record.names or ()]
    return replace(PIG, record=np.dtype([("gap", np.int8), *fields], align=True))


@breaks("games_come_to_an_end")
def no_legal_action():
    def legal_mask(states, i, mask):
        rules.legal_mask(states, i, mask)
        if states[i]["turn"] > 3:
            mask[:] = 0

    return with_verbs(PIG, legal_mask=legal_mask)


@breaks("games_come_to_an_end")
def game_without_an_end():
    def step(states, i, action):
        states[i]["decisions"] = 0
        states[i]["turn"] = 0
        return rules.step(states, i, action)

    return with_verbs(PIG, step=step)


@breaks("verbs_depend_on_the_record_alone")
def die_thrown_in_step():
    die = np.random.default_rng(0)

    def step(states, i, action):
        if action == HOLD:
            states[i]["turn"] = die.integers(1, 7)
        return rules.step(states, i, action)

    return with_verbs(PIG, step=step)


@breaks("verbs_depend_on_the_record_alone")
def memory_outside_the_record():
    calls = count()

    def step_chance(states, i, outcome):
        rules.step_chance(states, i, next(calls) % 6)

    return with_verbs(PIG, step_chance=step_chance)


@breaks("verbs_keep_to_their_row")
def step_that_writes_another_row():
    def step(states, i, action):
        states[0]["decisions"] += 1
        return rules.step(states, i, action)

    return with_verbs(PIG, step=step)


@breaks("verbs_keep_to_their_row")
def look_that_changes_the_record():
    def observe(states, i, seat, out):
        PIG.verbs.observe(states, i, seat, out)
        states[i]["decisions"] += 1

    return with_verbs(PIG, observe=observe)


@breaks("masks_name_the_legal_moves")
def mask_only_written_where_legal():
    def legal_mask(states, i, mask):
        fresh = np.zeros_like(mask)
        rules.legal_mask(states, i, fresh)
        mask[fresh > 0] = 1

    return with_verbs(PIG, legal_mask=legal_mask)


@breaks("masks_name_the_legal_moves")
def mask_after_the_end():
    def legal_mask(states, i, mask):
        rules.legal_mask(states, i, mask)
        mask[HOLD] |= states[i]["mover"] == OVER

    return with_verbs(PIG, legal_mask=legal_mask)


@breaks("notation_round_trips")
def two_outcomes_of_one_name():
    def outcome_to_text(states, i, outcome):
        return PIG.outcome_to_text(states, i, min(outcome, 4))

    return replace(PIG, outcome_to_text=outcome_to_text)


@breaks("notation_round_trips")
def any_text_is_a_move():
    def move_to_action(states, i, text):
        return MOVES.index(text) if text in MOVES else 0

    return replace(PIG, move_to_action=move_to_action)


# Positions ------------------------------------------------------------------------------------


@breaks("positions_round_trip")
def position_that_forgets_the_turn():
    def from_position(position):
        states = PIG.from_position(position)
        states["turn"] = 0
        return states

    return replace(PIG, from_position=from_position)


@breaks("positions_round_trip")
def position_with_numpy_numbers():
    def position(states, i):
        return {**PIG.position(states, i), "turn": states[i]["turn"]}

    return replace(PIG, position=position)


@breaks("broken_positions_are_refused")
def position_read_without_checks():
    def from_position(position):
        states = PIG.new_states(1, position["config"])
        states["mover"] = OVER if position["to_move"] is None else position["to_move"]
        for key in ("points", "turn", "decisions"):
            states[key] = position[key]
        return states

    return replace(PIG, from_position=from_position)


@breaks("legal_moves_lead_to_positions")
def legal_move_that_the_rules_exclude():
    """Holding goes wrong in a position in which the sampled games did not hold."""
    sample = Sample(PIG, PIG.parse_options({}), games=2, seed=0)
    held, not_held = (
        [
            m.states[0].tobytes()
            for g in sample.games
            for m in g.plies
            if (m.action == HOLD) == is_hold
        ]
        for is_hold in (True, False)
    )
    record = next(
        r for r in not_held[1:] if r not in held and np.frombuffer(r, PIG.record)["turn"] > 0
    )

    def step(states, i, action):
        is_wrong = action == HOLD and states[i].tobytes() == record
        report = rules.step(states, i, action)
        if is_wrong:
            states[i]["mover"] = OVER
        return report

    return with_verbs(PIG, step=step)


# Chance, rewards, observations ------------------------------------------------------------------


@breaks("chance_has_weights")
def weight_below_zero():
    def chance_weights(states, i, weights):
        rules.chance_weights(states, i, weights)
        weights[5] = -1

    return with_verbs(PIG, chance_weights=chance_weights)


@breaks("rewards_wait_for_the_end")
def rewards_before_the_end():
    def returns(states, i, out):
        rules.returns(states, i, out)
        if states[i]["points"][0] > 5 and not out.any():
            out[:] = 1, -1

    return with_verbs(PIG, returns=returns)


@breaks("final_rewards_balance")
def only_the_winner_is_paid():
    def returns(states, i, out):
        rules.returns(states, i, out)
        np.maximum(out, 0, out=out)

    return with_verbs(PIG, returns=returns)


@breaks("final_rewards_balance")
def scores_of_the_other_seat():
    def scores(states, i, out):
        out[:] = states[i]["points"][::-1]

    return with_verbs(PIG, scores=scores)


@breaks("final_rewards_balance")
def partners_with_different_rewards():
    return replace(PIG, teams=lambda options: (0, 0))


@breaks("observations_fit_their_space")
def number_never_written():
    def observe(states, i, seat, out):
        clock = out[4]
        PIG.verbs.observe(states, i, seat, out)
        out[4] = clock

    return with_verbs(PIG, observe=observe)


@breaks("observations_fit_their_space")
def number_out_of_range():
    def observe(states, i, seat, out):
        PIG.verbs.observe(states, i, seat, out)
        out[1] *= 1.5

    return with_verbs(PIG, observe=observe)


@breaks("observations_fit_their_space")
def segments_that_do_not_cover():
    return replace(PIG, segments=SEGMENTS[:-1])


# Secrets --------------------------------------------------------------------------------------


@breaks("seats_see_no_secrets")
def observation_with_a_leak():
    """The clock shows, a little, whether the opponent holds more high cards than low ones."""
    verbs = tacocat().verbs

    def observe(states, i, seat, out):
        verbs.observe(states, i, seat, out)
        full = np.zeros(218, np.float32)
        verbs.full_state(states, i, full)
        if seat == 0 and full[182:188].sum() > full[188:194].sum():
            out[149] = min(1.0, out[149] + 0.001)

    return with_verbs(tacocat(), observe=observe)


@breaks("seats_see_no_secrets")
def determinize_that_changes_what_the_seat_sees():
    verbs = tacocat().verbs

    def determinize(states, i, seat, streams, k):
        verbs.determinize(states, i, 1 - seat, streams, k)

    return with_verbs(tacocat(), determinize=determinize)


@breaks("seats_see_no_secrets")
def picture_with_open_hands():
    def draw_text(position, *, viewer, last_move=None):
        return tacocat().draw_text(position, viewer=None, last_move=last_move)

    return uncompiled(replace(tacocat(), draw_text=draw_text))


@breaks("seats_see_no_secrets")
def infos_with_the_pile():
    def infos(states, i):
        pile = tacocat().position(states, i)["draw_pile"]
        return {**tacocat().infos(states, i), "next": pile[:1]}

    return uncompiled(replace(tacocat(), infos=infos))


@breaks("seats_see_no_secrets")
def mask_that_knows_the_opponents_hand():
    def legal_mask(states, i, mask):
        tacocat().verbs.legal_mask(states, i, mask)
        if mask[1:12].any() and tacocat().position(states, i)["hands"][1][:1] == [1]:
            mask[:12] = 0

    return with_verbs(tacocat(), legal_mask=legal_mask)


@breaks("last_moves_tell_no_secrets")
def picture_that_tells_the_last_move():
    def draw_svg(position, *, viewer, last_move=None):
        picture = tacocat().draw_svg(position, viewer=viewer, last_move=None)
        return picture.replace("</svg>", f"<text>{last_move}</text></svg>")

    return uncompiled(replace(tacocat(), draw_svg=draw_svg))


@breaks("last_moves_tell_no_secrets")
def words_that_name_a_hidden_card():
    def describe_last_move(position, *, viewer, last_move):
        known = tacocat().describe_last_move(position, viewer=viewer, last_move=last_move)
        return known and known._replace(words=f"the card was {last_move}")

    return uncompiled(replace(tacocat(), describe_last_move=describe_last_move))


@breaks("secrets_are_redrawn")
def nothing_is_redrawn():
    return with_verbs(tacocat(), determinize=lambda states, i, seat, streams, k: None)


@breaks("secrets_are_redrawn")
def cards_set_aside_are_not_redrawn():
    def determinize(states, i, seat, streams, k):
        if tacocat().position(states, i)["phase"] != "replace":
            tacocat().verbs.determinize(states, i, seat, streams, k)

    return with_verbs(tacocat(), determinize=determinize)


@breaks("secrets_are_redrawn")
def redraw_by_the_hidden_hand():
    def determinize(states, i, seat, streams, k):
        if states[i]["cards"].reshape(2, -1)[1 - seat][0]:
            next_word(streams, k)
        tacocat().verbs.determinize(states, i, seat, streams, k)

    return with_verbs(tacocat(), determinize=determinize)


@breaks("redraws_are_possible")
def redraw_that_the_rules_exclude():
    """The opponent gets a card from below their floor: they and the pile swap lowest cards."""

    def determinize(states, i, seat, streams, k):
        tacocat().verbs.determinize(states, i, seat, streams, k)
        position = tacocat().position(states, i)
        pile, hand = position["draw_pile"], position["hands"][1 - seat]
        if position["to_move"] is None or position["phase"] != "attack" or pile[0] >= hand[0]:
            return
        # Counts lie by rank from the start of a seat's cards, whose first place is the hand.
        counts = states[i]["cards"].reshape(2, -1)[1 - seat]
        for rank, change in ((pile[0], 1), (hand[0], -1)):
            counts[rank - 1] += change
            states[i]["pile"][rank - 1] -= change

    return with_verbs(tacocat(), determinize=determinize)


# The environment and the batch: the game is Pig, the engine is wrong --------------------------


def seed_ignored(env: GameEnv, seed: int | None = None, options: Any = None) -> None:
    RESET(env, None, options)


def seed_forgotten(env: GameEnv, seed: int | None = None, options: Any = None) -> None:
    RESET(env, 7 if seed is None else seed, options)


def half_done_before_the_error(env: GameEnv, action: Any) -> None:
    try:
        STEP(env, action)
    except SpelkastError:
        env._last_move = None
        env._game.streams += np.uint64(1)
        raise


def reward_for_everybody(env: GameEnv, offender: int, action: object) -> None:
    END_BY_ILLEGAL_ACTION(env, offender, action)
    env.rewards = dict.fromkeys(env.rewards, -1.0)


def rows_that_share_a_stream(batch: Batch, *args: Any) -> None:
    BATCH_STEP(batch, *args)
    batch.streams[:] = batch.streams.sum()


def script_not_used(
    game: Course, action: int | None, streams: Any, script: list[str]
) -> tuple[int, int]:
    script.clear()
    return PLAY_SCRIPTED(game, action, streams, script)


def clone_that_is_no_copy(env: GameEnv) -> GameEnv:
    return env


def mask_only_in_observations(env: GameEnv, *args: Any) -> None:
    ANNOUNCE(env, *args)
    env.infos = {agent: {"scores": [0, 0]} for agent in env.infos}


RESET, STEP, BATCH_STEP = GameEnv.reset, GameEnv.step, Batch.step
END_BY_ILLEGAL_ACTION, PLAY_SCRIPTED = GameEnv._end_by_illegal_action, Course._play_scripted
ANNOUNCE = GameEnv._announce

WRONG_ENGINES: list[tuple[str, type, str, Callable[..., Any]]] = [
    ("environment_plays_by_the_verbs", GameEnv, "reset", seed_ignored),
    ("environment_plays_by_the_verbs", GameEnv, "_announce", mask_only_in_observations),
    ("same_seed_same_games", GameEnv, "reset", seed_forgotten),
    ("chance_can_be_scripted", Course, "_play_scripted", script_not_used),
    ("copies_go_their_own_way", GameEnv, "clone", clone_that_is_no_copy),
    ("mistakes_leave_the_game_untouched", GameEnv, "step", half_done_before_the_error),
    ("illegal_actions_can_end_the_game", GameEnv, "_end_by_illegal_action", reward_for_everybody),
    ("batches_play_the_same_games", Batch, "step", rows_that_share_a_stream),
]
"""The promise, and what to put in the place of which method."""
