"""The docs page of the evaluation: its example runs, and it explains every number."""

import re
from dataclasses import fields
from pathlib import Path

import pytest

from spelkast.cli.app import VERBS
from spelkast.eval.match import MatchResult

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "evaluation.md").read_text("utf-8")


def test_the_example_runs(capsys):
    for code in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL):
        exec(compile(code, "docs/evaluation.md", "exec"), {})

    score, low, high, illegal = map(float, capsys.readouterr().out.split())
    assert low < score < high
    assert illegal == 0


@pytest.mark.parametrize("number", [f.name for f in fields(MatchResult)] + ["games_per_second"])
def test_every_number_is_explained(number):
    if number not in {"first", "second"}:
        assert f"`{number}`" in PAGE


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_is_on_the_page_of_the_command(verb):
    assert f"| `{verb} " in (DOCS / "cli.md").read_text("utf-8")
