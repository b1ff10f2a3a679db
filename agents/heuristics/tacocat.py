"""The baselines of Tacocat [R12], the weakest first."""

from __future__ import annotations

from ..agent import Choice
from .tacocat_search import strong
from .tacocat_simple import novice, solid

BASELINES: dict[str, Choice] = {"novice": novice, "solid": solid, "strong": strong}
