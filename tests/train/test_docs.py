"""What the page on training says is so."""

import re
from pathlib import Path
from typing import Any

import tomli_w

from spelkast.train.config import Section, TrainConfig

PAGE = Path(__file__).parents[2] / "docs" / "training.md"
START, END = "<!-- keys -->\n", "<!-- end of keys -->"


def rows(section: Section, prefix: str = "") -> list[str]:
    """Every key with its default and its help, then those of the tables within."""
    own, inner = [], []
    for name, field in type(section).model_fields.items():
        value = getattr(section, name)
        if isinstance(value, Section):
            inner += rows(value, f"{name}.")
        else:
            default = "" if value is None else f"`{as_toml(value)}`"
            own.append(f"| `{prefix}{name}` | {default} | {field.description} |")
    return own + inner


def as_toml(value: Any) -> str:
    """A value on one line."""
    if isinstance(value, dict):
        inside = ", ".join(f"{k} = {as_toml(v)}" for k, v in value.items())
        return f"{{ {inside} }}" if inside else "{}"
    if isinstance(value, tuple):
        return "[" + ", ".join(map(as_toml, value)) + "]"
    return tomli_w.dumps({"value": value}).partition("=")[2].strip()


def test_every_key_is_on_the_page(golden):
    """The table of keys is made from the code."""
    before, rest = PAGE.read_text("utf-8").split(START)
    table = "\n".join(["| key | default | |", "|---|---|---|", *rows(TrainConfig())])

    golden(PAGE, f"{before}{START}{table}\n{END}{rest.partition(END)[2]}")


def test_code_on_the_page_runs():
    """Every Python block, as it stands there."""
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)

    assert blocks
    for block in blocks:
        exec(compile(block, str(PAGE), "exec"), {})  # our own page
