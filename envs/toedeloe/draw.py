"""placeholder"""
from typing import Any
def svg(position: Any, *, viewer: Any, last_move: Any = None) -> str:
    return "<svg></svg>"
