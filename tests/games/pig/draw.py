"""Pig in pictures: one line of text, also as SVG."""

from __future__ import annotations

from spelkast.envs.engine.dtypes import Json


def text(position: Json, *, viewer: int | None, last_move: str | None = None) -> str:
    """The points of both seats and of this turn."""
    mine, others = position["points"]
    return f"{mine} : {others}, this turn {position['turn']}, last move {last_move or '-'}\n"


def svg(position: Json, *, viewer: int | None, last_move: str | None = None) -> str:
    """The same line on a white ground."""
    line = text(position, viewer=viewer, last_move=last_move).strip()
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 40">'
        f'<rect width="400" height="40" fill="#fff"/><text x="10" y="25">{line}</text></svg>'
    )
