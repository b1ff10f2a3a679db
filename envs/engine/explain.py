"""What is wrong with values that a model refuses, in one line for the person who wrote them."""

from collections.abc import Sequence
from difflib import get_close_matches

from pydantic import BaseModel, ValidationError

from .errors import shown


def explain(error: ValidationError, model: type[BaseModel], *, noun: str, where: str) -> str:
    """The first fault that *error* found in values for *model*: its name and what is expected.

    *noun* is what a field is called ("option", "key"), and *where* says of what or in which file.
    """
    first = error.errors()[0]
    path = [str(part) for part in first["loc"]]
    name = ".".join(path)
    if first["type"] == "extra_forbidden":
        fields = _table(model, path[:-1]).model_fields.items()
        known = sorted(field.alias or name for name, field in fields)
        table = f" of table {'.'.join(path[:-1])!r}" if path[:-1] else ""
        article = "an" if noun[0] in "aeiou" else "a"
        close = get_close_matches(path[-1], known, n=1)
        hint = f"; did you mean {close[0]!r}?" if close else ""
        names = ", ".join(known)
        return f"expected {article} {noun}{table} {where} ({names}), got {name!r}{hint}"
    if first["type"] == "missing":
        return f"expected {noun} {name!r} {where}, got none"
    message = first["msg"].removeprefix("Value error, ")
    if not name and ", got " in message:  # a check of all fields together that says what it found
        return f"{message}, {where}"
    # Without a name it is a check of all fields together; its message has one.
    what = f"{noun} {name!r}" if name else f"{noun}s"
    return f"{what} {where}: {message}, got {shown(first['input'])}"


def _table(model: type[BaseModel], path: Sequence[str]) -> type[BaseModel]:
    """The model of the table at *path*."""
    for name in path:
        field = model.model_fields.get(name)
        inner = field.annotation if field else None
        if not (isinstance(inner, type) and issubclass(inner, BaseModel)):
            return model
        model = inner
    return model
