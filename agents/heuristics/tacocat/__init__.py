"""The baselines of Tacocat [R12], the weakest first."""

from ...agent import Choice
from .search import strong
from .simple import novice, solid

BASELINES: dict[str, Choice] = {"novice": novice, "solid": solid, "strong": strong}
