"""Command lines that nobody means: one line on stderr and exit code 2, whatever is typed.

A generator with a seed draws them from the parameters that each verb has, so that a new option is
tried as soon as it exists.
"""

import random
import re

import click
import pytest

from spelkast.cli.app import VERBS, load
from spelkast.train import tuning

NUMBERS = (
    "0", "-1", "1", "2", "3", "1.5", "1e9", "nan", "inf", "-inf", "9" * 30, "9" * 6000, "1_0",
    "٣", "²", "0x10", "+3", "4294967296", "2147483648", "18446744073709551616",
)  # fmt: skip
TEXTS = (
    "", " ", "\x1b[31mred\x07", "[bold]x[/b]", ":smile:", "two\nlines", "/", "..", ".", "~",
    "x" * 300, "x" * 100_000, "é", "\udcff", "%s {} {0}", "--", "-", "null", "[]", "{}", "'", '"',
    "a=b", "=", "a.b.c=1", "[" * 3000, "{a=" * 3000, "steps", "game.json", "rows.jsonl",
    "deep.json", "long.json", "odd.toml", "binary", "folder", "run", "run@9", "run@\x1b",
    "none/such",
)  # fmt: skip
SETTINGS = ("players=", "steps=", "rows=", "tie_rule=", "network.hidden=", "seed=", "options.x=")
KNOWN = ("tacocat", "tokken", "pig", "solid", "random", "novice", "racer", "kees", "draw")
CALM = {
    "train": ("tacocat", "--config", "tiny.toml"),
    "tune": ("tacocat", "solid", "--generations", "1", "--minutes", "0.01", "--games", "2"),
    "teach": ("tacocat", "--teacher", "solid", "--games", "1"),
    "eval": ("tacocat", "solid", "random", "--games", "2"),
    "tournament": ("tokken", "--teams", "racer", "racer", "--rounds", "1"),
    "play": ("tacocat", "--against", "random"),
    "bench": ("tacocat", "--seconds", "0.01"),
    "replay": ("rows.jsonl",),
    "check": ("nothing",),  # the contract of a game takes seconds
    "new-game": ("class",),  # a name that is accepted becomes a game of this checkout
    "games": (),
}
"""A command that is quick, to which what is drawn is added."""


@pytest.fixture
def files(tmp_path, monkeypatch):
    """A folder with files that hold anything, in which the command runs."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(tuning, "MEASURED", 2)
    (tmp_path / "game.json").write_text('{"game": "tacocat"}')
    (tmp_path / "rows.jsonl").write_text('{"game": "\\u001b[2Jchess", "agents": [":x:"]}\n')
    (tmp_path / "deep.json").write_text("[" * 100_000)
    (tmp_path / "long.json").write_text(f'{{"round": {"1" * 6000}}}')
    (tmp_path / "odd.toml").write_text(f"steps = {'9' * 6000}\n")
    (tmp_path / "binary").write_bytes(bytes(range(256)))
    (tmp_path / "folder").mkdir()
    (tmp_path / "run" / "checkpoints" / "²").mkdir(parents=True)
    (tmp_path / "run" / "checkpoints" / "9").mkdir()
    (tmp_path / "run" / "checkpoints" / "9" / "manifest.json").write_text("[" * 100_000)
    (tmp_path / "run" / "config.toml").write_bytes(b"\xff")
    (tmp_path / "tiny.toml").write_text(
        "steps = 16\nrows = 2\nsteps_per_update = 4\n[network]\nhidden = [4]\n"
        '[evaluation]\ngames = 2\nfinal_games = 2\nagainst = ["random"]\n'
        'final_against = ["random"]\n'
    )
    return tmp_path


def value(choose):
    """Something for an argument or an option."""
    kind = choose.random()
    if kind < 0.4:
        return choose.choice(NUMBERS)
    if kind < 0.8:
        return choose.choice(TEXTS)
    if kind < 0.9:
        return choose.choice(SETTINGS) + choose.choice((*NUMBERS, *TEXTS))
    return choose.choice(KNOWN)


def command_line(verb, choose):
    """A quick command of *verb* with one to three things changed or added."""
    words = list(CALM[verb])
    parameters = load(verb).params
    for _ in range(choose.randint(1, 3)):
        names = [p for p in parameters if isinstance(p, click.Option) or hasattr(p, "opts")]
        drawn = choose.choice(names)
        option = next((name for name in drawn.opts if name.startswith("--")), None)
        if option is None:
            if verb in {"check", "new-game"}:
                words[0] = choose.choice([text for text in TEXTS if not re.match("[a-z_]+$", text)])
            elif words:
                words[choose.randrange(len(words))] = value(choose)
            else:
                words.append(value(choose))
        elif getattr(drawn, "is_flag", False):
            words.append(option)
        else:
            words += [option, value(choose)]
    return words


@pytest.mark.parametrize("number", [8, pytest.param(120, marks=pytest.mark.slow)])
@pytest.mark.parametrize("verb", VERBS)
def test_whatever_is_typed_ends_in_a_line(typed_words, files, verb, number):
    choose = random.Random(f"{verb} {number}")
    number = number // 2 if verb == "train" else number  # what is accepted is a run
    for _ in range(number):
        words = command_line(verb, choose)
        shown = [word[:60] for word in words]
        ran = typed_words(verb, *words, typed="".join(f"{value(choose)}\n" for _ in range(3)))
        assert ran.code in {0, 2}, (shown, ran)
        assert "went wrong inside" not in ran.err, (shown, ran.err)
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f]", ran.err + ran.out), (shown, ran)
        if ran.code:
            assert ran.err.count("\n") == 0, (shown, ran.err)
            assert len(ran.err) < 2000, (shown, len(ran.err), ran.err[:300])
