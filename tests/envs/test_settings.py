"""`--set`: one reader of values for every verb, and one explainer of what a model refuses."""

from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from spelkast.envs import games, spec
from spelkast.envs.engine.errors import OptionsError
from spelkast.envs.engine.explain import explain
from spelkast.envs.engine.settings import apply_settings, read_value
from spelkast.train.config import TrainConfig, load_config

TACOCAT = spec("tacocat")


class Inner(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    text: str = ""
    count: Annotated[int, Field(ge=1)] = 1


class Outer(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    needed: int
    inner: Inner = Inner()
    shares: dict[str, float] = {}
    free: dict[str, Any] = {}


def set_of(*settings, model=Outer, **keywords):
    values: dict[str, Any] = {}
    apply_settings(values, settings, model, **keywords)
    return values


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("12", Any, 12),
        ("0.5", float, 0.5),
        ("3e-4", Any, 3e-4),
        ("1_000", int, 1000),
        ("true", bool, True),
        ("[4, 6]", tuple[int, ...], [4, 6]),
        ('["a", "b"]', tuple[str, ...], ["a", "b"]),
        ("{a = 1}", dict[str, float], {"a": 1}),
        ("arrow", Any, "arrow"),
        ("'a b'", Any, "a b"),
        ("", Any, ""),
        (" many ", int, "many"),
        ("1110000", str, "1110000"),
        ("'1110000'", str, "1110000"),
        ("true", str | None, "true"),
        ("2026-12-01", str, "2026-12-01"),
        ("40", Literal["30", "40"], "40"),
        ("30", Literal[30, 40], 30),
        ("7", int | str, 7),
        ("null", int | None, None),
        ("null", Annotated[int | None, Field(ge=0)], None),
        ("null", str | None, None),
        ('"null"', str | None, "null"),
        ("null", int, "null"),
        ("null", str, "null"),
        ("1\nb = 2", Any, "1\nb = 2"),
        ("9" * 5000, int, "9" * 5000),
    ],
)
def test_values_are_read_for_the_type_that_takes_them(text, kind, value):
    assert (read_value(text, kind), type(read_value(text, kind))) == (value, type(value))


def test_lists_without_an_end_are_text():
    text = "[" * 100_000

    assert read_value(text) == text


def test_names_lead_into_tables():
    assert set_of("inner.text=12", "inner.count=3") == {"inner": {"text": "12", "count": 3}}
    assert set_of('shares."runs/v1.2"=0.5', "shares.a = 1") == {
        "shares": {"runs/v1.2": 0.5, "a": 1}
    }
    assert set_of("free.text=12") == {"free": {"text": 12}}
    assert set_of("free.text=12", tables={"free": Inner}) == {"free": {"text": "12"}}
    assert set_of("new.deep.name=1") == {"new": {"deep": {"name": 1}}}


@pytest.mark.parametrize("setting", ["steps", "=3", " =3", "a. .b=1", ""])
def test_a_setting_has_a_name_and_a_value(setting):
    with pytest.raises(OptionsError, match="expected --set NAME=VALUE, got"):
        set_of(setting)


def test_a_single_value_holds_nothing():
    with pytest.raises(OptionsError, match="expected a table before the last dot, got --set"):
        set_of("needed=1", "needed.more=2")


@pytest.mark.parametrize("text", ["1110000", '"1110000"'])
def test_train_read_the_arrows_of_tacocat_as_a_number(text):
    """`train --set options.arrows=1110000` was refused, `eval --set arrows=1110000` was not."""
    config = load_config("tacocat", "demo", [f"options.arrows={text}"])

    assert TACOCAT.parse_options(config.options).arrows == "1110000"
    assert set_of(f"arrows={text}", model=TACOCAT.options) == {"arrows": "1110000"}


@pytest.mark.parametrize("game", games())
def test_every_default_can_be_set(game):
    """As `spelkast games GAME` shows it; options that were null could not be set to that."""
    from spelkast.cli.games import as_typed

    model = spec(game).options
    defaults = spec(game).parse_options(None).model_dump(mode="json")
    settings = [f"{name}={as_typed(value)}" for name, value in defaults.items()]
    by_train = set_of(
        *(f"options.{setting}" for setting in settings),
        model=TrainConfig,
        tables={"options": model},
    )

    assert set_of(*settings, model=model) == by_train["options"] == defaults


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({}, "expected key 'needed' of x, got none"),
        ({"needed": 1, "more": 2}, "expected a key of x (free, inner, needed, shares), got 'more'"),
        (
            {"needed": 1, "inner": {"txt": 2}},
            "expected a key of table 'inner' of x (count, text), got 'inner.txt'; "
            "did you mean 'text'?",
        ),
        ({"needed": "1"}, "key 'needed' of x: Input should be a valid integer, got '1'"),
        (
            {"needed": 1, "inner": {"count": 0}},
            "key 'inner.count' of x: Input should be greater than or equal to 1, got 0",
        ),
        ([], "keys of x: Input should be a valid dictionary or instance of Outer, got []"),
    ],
)
def test_what_a_model_refuses_is_one_clear_line(values, message):
    with pytest.raises(ValidationError) as caught:
        Outer.model_validate(values)

    assert explain(caught.value, Outer, noun="key", where="of x") == message
