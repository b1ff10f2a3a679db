"""Options: defaults, checks, and errors that say what was expected."""

from typing import Any

import numpy as np
import pytest
from pydantic import ValidationError

from spelkast.envs import games, spec
from spelkast.envs.engine.errors import OptionsError

TACOCAT = spec("tacocat")

WRONG: list[tuple[dict[str, Any], str]] = [
    ({"deck": []}, r"expected an option of tacocat \(arrows, deck_counts, .*\), got 'deck'"),
    ({"deck_counts": [3] * 12}, r"sum to 38, which is not 36"),
    ({"deck_counts": [38]}, r"deck_counts to be 12 whole numbers in 0\.\.6"),
    ({"deck_counts": [7, 0, 3, 3, 3, 3, 3, 3, 3, 3, 3, 4]}, r"12 whole numbers in 0\.\.6"),
    ({"deck_counts": [-1, 3, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4]}, r"12 whole numbers in 0\.\.6"),
    ({"deck_counts": "233"}, r"option 'deck_counts' of tacocat: .*tuple, got '233'"),
    ({"deck_counts": [2.0] * 12}, r"option 'deck_counts.0' of tacocat: .*integer, got 2.0"),
    ({"hand_sizes": [4] * 6}, r"hand_sizes to be 7 whole numbers in 2\.\.9"),
    ({"hand_sizes": [1, 4, 4, 4, 4, 4, 4]}, r"hand_sizes to be 7 whole numbers in 2\.\.9"),
    ({"hand_sizes": [4, 4, 4, 10, 4, 4, 4]}, r"hand_sizes to be 7 whole numbers in 2\.\.9"),
    ({"hand_sizes": None}, r"option 'hand_sizes' of tacocat: .*, got None"),
    ({"arrows": "111*00"}, r"arrows to be 7 characters of 0, 1 and \*"),
    ({"arrows": "111*002"}, r"arrows to be 7 characters of 0, 1 and \*"),
    ({"arrows": 1110000}, r"option 'arrows' of tacocat: .*string, got 1110000"),
    ({"tie_rule": "coin"}, r"option 'tie_rule' of tacocat: .*'draw' or 'arrow', got 'coin'"),
    ({"max_decisions": 0}, r"option 'max_decisions' of tacocat: .*, got 0"),
    ({"max_decisions": 2**31}, r"option 'max_decisions' of tacocat: .*, got 2147483648"),
    ({"max_decisions": True}, r"option 'max_decisions' of tacocat: .*, got True"),
    ({"max_decisions": "9"}, r"option 'max_decisions' of tacocat: .*, got '9'"),
]


@pytest.mark.parametrize(("options", "message"), WRONG, ids=[str(case[0]) for case in WRONG])
def test_wrong_option_is_named(options: dict[str, Any], message: str):
    with pytest.raises(OptionsError, match=message):
        TACOCAT.parse_options(options)


def test_lists_and_tuples_are_the_same():
    sizes = [2, 3, 4, 5, 6, 7, 8]

    options = TACOCAT.parse_options({"hand_sizes": sizes})

    assert options == TACOCAT.parse_options({"hand_sizes": tuple(sizes)})
    assert options.changed() == {"hand_sizes": sizes}


def test_numbers_of_numpy_were_refused():
    """As options they are what they are as seeds and actions; a float is still none."""
    sizes = np.array([2, 3, 4, 5, 6, 7, 8])

    options = TACOCAT.parse_options({"hand_sizes": sizes, "max_decisions": np.int64(50)})

    assert options.changed() == {"hand_sizes": sizes.tolist(), "max_decisions": 50}
    assert options == TACOCAT.parse_options({"hand_sizes": tuple(sizes), "max_decisions": 50})
    for wrong in (np.float64(50), np.bool_(True), np.array([50])):  # noqa: FBT003
        with pytest.raises(OptionsError, match="'max_decisions' of tacocat"):
            TACOCAT.parse_options({"max_decisions": wrong})


@pytest.mark.parametrize("name", games())
def test_defaults_need_no_saying(name: str):
    game = spec(name)
    options = game.parse_options(None)

    assert options.changed() == {}
    assert game.parse_options({}) == options
    assert game.parse_options(options) is options
    assert game.parse_options(options.model_dump(mode="json")) == options


@pytest.mark.parametrize("name", games())
def test_options_stand_in_the_record(name: str):
    game = spec(name)
    states = game.new_states(3)

    assert all(game.read_options(states, row) == game.parse_options({}) for row in range(3))


def test_options_cannot_be_changed_afterwards():
    options = TACOCAT.parse_options({})

    with pytest.raises(ValidationError, match="frozen"):
        options.max_decisions = 3
