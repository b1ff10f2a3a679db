"""Configurations: preset < file < --set, and what is said about mistakes."""

import pytest

from spelkast.agents.registry import baselines
from spelkast.agents.shaping import shaping_columns
from spelkast.envs import games, spec
from spelkast.envs.engine.errors import OptionsError
from spelkast.envs.homes import Home, all_homes
from spelkast.train.config import Section, TrainConfig, load_config, parse_config, presets
from spelkast.train.opponents import LEARNER_TOO, PAST, SELF


def test_preset_then_file_then_settings(tmp_path):
    """A file changes a preset, `--set` changes both; what nobody names stays."""
    file = tmp_path / "mine.toml"
    file.write_text('preset = "demo"\nsteps = 7\n[ppo]\nepochs = 9\n')
    demo = load_config("tacocat", "demo")

    config = load_config("tacocat", str(file), ["ppo.epochs=3", "ppo.gamma=0.5"])

    assert (config.steps, config.ppo.epochs, config.ppo.gamma) == (7, 3, 0.5)
    assert config.ppo.batch_size == demo.ppo.batch_size
    assert config.opponents == demo.opponents


def test_without_a_source_it_is_the_standard_preset():
    """`spelkast train GAME` trains as `standard` says."""
    assert load_config("tacocat", None) == load_config("tacocat", "standard")


def test_naming_opponents_replaces_them_all(tmp_path):
    """A table of weights, shaping or options is taken whole, from a file and from --set."""
    file = tmp_path / "mine.toml"
    file.write_text('preset = "demo"\n[opponents]\nweights = { random = 1.0 }\n')

    assert load_config("tacocat", str(file)).opponents.weights == {"random": 1.0}
    setting = "opponents.weights={self=1.0}"
    assert load_config("tacocat", "demo", [setting]).opponents.weights == {"self": 1.0}


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (["stepps=3"], "expected a key in preset demo .*steps.*got 'stepps'.*did you mean 'steps'"),
        (["ppo.lr=3"], "expected a key of table 'ppo' in .*learning_rate.*got 'ppo.lr'"),
        (["steps=many"], "steps.*integer.*got 'many'"),
        (["rows=0"], "rows.*greater than or equal to 1.*got 0"),
        (["network.activation=gelu"], "network.activation.*'relu' or 'tanh'.*got 'gelu'"),
        (["opponents.weights={random=-1}"], "opponents.*not negative"),
        (["opponents.weights={random=nan}"], "opponents.weights.random.*finite"),
        (["ppo.learning_rate=inf"], "ppo.learning_rate.*finite.*got inf"),
        (["ppo.learning_rate=nan"], "ppo.learning_rate.*got nan"),
        (["network.hidden=[64, 0]"], "network.hidden.1.*greater than or equal to 1.*got 0"),
        (["evaluation.best_by=nobody"], "expected best_by to be one of against"),
        (["steps"], "expected --set NAME=VALUE, got 'steps'"),
        (["rows=1_000_000_000_000"], "rows.*less than or equal to 65536, got 10{12}$"),
        (["rows=65536", "steps_per_update=65536"], "at most 16777216 decisions.*got 4294967296"),
        (["network.hidden=[99999999999]"], "network.hidden.0.*less than or equal to 65536"),
        (["network.hidden=[65536, 65536]"], "at most 134217728 weights.*got 4294967296"),
        (["ppo.clip_range=1e308"], "ppo.clip_range.*from -16777216 to 16777216, got 1e\\+308"),
        (["opponents.weights={random=1e308}"], "opponents.weights.*from -16777216 to 16777216"),
        (["evaluation.final_games=10_000_001"], "final_games.*less than or equal to 10000000"),
        (["seed=4294967296"], "seed.*less than 4294967296"),
        (["threads=100000000"], "threads.*less than or equal to 1024"),
        ([f"steps={'9' * 6000}"], "steps.*got '9999"),
        ([f"network.hidden={'[' * 3000}"], "network.hidden.*got"),
        (["steps.x=1"], "expected a table before the last dot"),
    ],
)
def test_mistakes_in_settings_are_one_clear_line(settings, message):
    """The message names the key, what is expected and what came."""
    with pytest.raises(OptionsError, match=message) as caught:
        load_config("tacocat", "demo", settings)

    assert "\n" not in str(caught.value)


def test_a_file_that_is_none_lists_the_presets(tmp_path):
    """Neither a file nor a preset."""
    with pytest.raises(OptionsError, match=r"demo, standard.*got 'nothing'"):
        load_config("tacocat", "nothing")


def test_a_game_without_presets_needs_a_file(tmp_path, monkeypatch):
    """Settings alone would be a run that nobody has chosen."""
    monkeypatch.setitem(all_homes(), "bare", Home.of_package("bare", "bare"))
    with pytest.raises(OptionsError, match=r"expected a configuration file .*bare has no preset"):
        load_config("bare", None, ["steps=3"])

    file = tmp_path / "own.toml"
    file.write_text("steps = 3\n")
    assert load_config("bare", str(file)).steps == 3


def test_broken_files_are_named(tmp_path):
    """TOML that does not parse, bytes that are no text, an unknown preset inside."""
    file = tmp_path / "broken.toml"
    for content, message in [
        (b"steps = = 3", "expected TOML in .*broken.toml"),
        (b"\xff\xfe\xff", "expected text in .*broken.toml"),
        (b"steps = " + b"9" * 6000, "expected TOML in .*broken.toml"),
        (b"steps = " + b"[" * 6000, "expected TOML in .*broken.toml"),
        (b'preset = "none"', "expected a preset of tacocat .*got 'none'"),
        (b"[ppo]\nnothing = 1", "in .*broken.toml .*got 'ppo.nothing'"),
    ]:
        file.write_bytes(content)
        with pytest.raises(OptionsError, match=message):
            load_config("tacocat", str(file))


def test_the_saved_configuration_is_the_same_again(tmp_path):
    """What a run writes down can be trained from."""
    import tomllib

    for name in presets("tacocat"):
        config = load_config("tacocat", name, ["options={tie_rule='arrow'}", "seed=4"])
        assert parse_config(tomllib.loads(config.to_toml()), "saved") == config


PRESETS = [(game, name) for game in games() for name in presets(game)]


@pytest.mark.parametrize(("game", "preset"), PRESETS)
def test_every_preset_of_every_game_names_what_exists(game, preset):
    """Keys, segments, agents and a ring: a typo would only show when somebody trains."""
    config = load_config(game, preset)
    options = spec(game).parse_options(config.options)
    shaping_columns(spec(game), config.shaping, options)
    people = {*config.opponents.weights, *config.opponents.partners} - {SELF, PAST, LEARNER_TOO}
    judges = {*config.evaluation.against, *config.evaluation.final_against}
    teachers = {config.imitation.teacher} - {None}

    assert people | judges | teachers <= {"random", *baselines(game)}
    assert not config.network.windows or spec(game).windows is not None


def test_every_key_says_what_it_is():
    """The text under each field is its help."""
    sections: list[type[Section]] = [TrainConfig, *Section.__subclasses__()]
    for section in sections:
        for name, field in section.model_fields.items():
            is_table = isinstance(field.default, Section)
            assert is_table or field.description, f"{section.__name__}.{name}"
