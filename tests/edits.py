"""Damage done to positions, for the tests that broken ones are refused."""

from collections.abc import Callable
from typing import Any

Edit = Callable[[dict[str, Any]], Any]
"""Changes a JSON position in place."""


def put(*path: Any) -> Edit:
    """Set what lies at the path but for its last item to that item."""
    *keys, last, value = path

    def edit(position: dict[str, Any]) -> None:
        place: Any = position
        for key in keys:
            place = place[key]
        place[last] = value

    return edit
