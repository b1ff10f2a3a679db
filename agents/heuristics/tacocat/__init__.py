"""The baselines of Tacocat [R12], the weakest first."""

from pathlib import Path

from ...tuned import AnyChoice, read_agent_file
from .search import strong
from .simple import novice, solid

BASELINES: dict[str, AnyChoice] = {"novice": novice, "solid": solid, "strong": strong}
BASELINES["tuned"] = read_agent_file(Path(__file__).with_name("tuned.toml"), "tacocat", BASELINES)
