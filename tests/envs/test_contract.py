"""`check_game` passes good games, under all their options, and finds out every broken one."""

import re
from functools import cache

import pytest

from games import broken
from games.pig.game import SPEC as PIG
from games.slag.game import SPEC as SLAG
from spelkast.envs import games, spec
from spelkast.envs.engine.contract import PROMISES, Report, check_game
from spelkast.envs.engine.contract import sample as sampling
from spelkast.envs.engine.errors import ContractError, OptionsError


@cache
def report_of(name: str) -> Report:
    """What a check with the default options looked at."""
    # One game of the others has many more decisions than two of Tacocat.
    return check_game(spec(name), games=2 if name == "tacocat" else 1)


@pytest.mark.parametrize("name", games())
def test_every_game_keeps_its_contract(name: str):
    report = report_of(name)

    assert report.promises == tuple(promise.__name__ for promise in PROMISES)
    assert report.game == name
    assert report.decisions > 0


@pytest.mark.slow
@pytest.mark.parametrize("name", games())
def test_every_game_keeps_its_contract_in_more_games(name: str):
    check_game(spec(name), games=8, seed=1)


def test_redrawn_positions_are_counted():
    """In nearly every position of Tacocat both seats have something that they cannot know."""
    report = report_of("tacocat")

    assert all(count > 0.9 * report.decisions for count in report.redrawn)
    assert check_game(PIG).redrawn == (0, 0)


@pytest.mark.parametrize("options", [{}, {"goal": 100}, {"max_decisions": 7}])
def test_a_game_from_outside_keeps_the_contract(options: dict[str, int]):
    report = check_game(PIG, options=options)

    assert str(report).startswith(f"pig keeps {len(PROMISES)} promises (4 games, ")


@pytest.mark.parametrize("options", [{}, {"players": 2}, {"players": 4, "trump": False}])
def test_hidden_hands_of_a_game_from_outside(options: dict[str, int]):
    """Slag keeps the contract; every seat has hands that it does not know."""
    report = check_game(SLAG, options=options)

    assert report.promises == tuple(promise.__name__ for promise in PROMISES)
    assert all(count > 0.9 * report.decisions for count in report.redrawn)


@pytest.mark.parametrize("name", broken.BROKEN)
def test_broken_game_is_found_out(name: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sampling, "MOST_DECISIONS", 1000)
    case = broken.BROKEN[name]

    with pytest.raises(ContractError) as caught:
        check_game(case.make(), games=2)

    assert re.match(rf"(pig|tacocat) breaks {case.promise}: expected .*, got ", str(caught.value))


@pytest.mark.parametrize(
    ("promise", "owner", "method", "wrong"),
    broken.WRONG_ENGINES,
    ids=[case[3].__name__ for case in broken.WRONG_ENGINES],
)
def test_broken_engine_is_found_out(promise, owner, method, wrong, monkeypatch):
    monkeypatch.setattr(owner, method, wrong)

    with pytest.raises(ContractError, match=f"pig breaks {promise}: expected "):
        check_game(PIG, games=2)


def test_every_promise_can_be_broken():
    broken_promises = {case.promise for case in broken.BROKEN.values()}
    broken_promises |= {case[0] for case in broken.WRONG_ENGINES}

    # PettingZoo's own tests are PettingZoo's to break; positions go the way of the script.
    kept = {"pettingzoo_agrees", "positions_can_be_played_on"}
    assert {promise.__name__ for promise in PROMISES} - broken_promises == kept


def test_error_says_where_it_happened():
    with pytest.raises(ContractError) as caught:
        check_game(broken.rewards_before_the_end(), games=2)

    assert re.search(
        r"expected rewards of 0 before the end, got \[1.0, -1.0\], in game 0 at decision \d+ "
        r"after (roll|hold), position \{'game': 'pig', ",
        str(caught.value),
    )


def test_wrong_options_are_the_callers_mistake():
    with pytest.raises(OptionsError, match="goal"):
        check_game(PIG, options={"gaol": 3})
