"""Facts of a physical game: a JSON file that who owns the game can correct, and its model."""

import json
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from .errors import BoardError
from .explain import explain


class Facts(BaseModel):
    """Base of what a file holds: frozen, no unknown keys; its lists are tuples here."""

    model_config = ConfigDict(frozen=True, extra="forbid")


FactsT = TypeVar("FactsT", bound=Facts)


def read_facts(file: Path, model: type[FactsT]) -> FactsT:
    """The facts in *file*, checked; raises `BoardError`: what was expected and what stands there.

    A validator of the *model* says what is wrong with several facts together by `errors.expect`.
    """
    try:
        return model.model_validate(json.loads(file.read_text("utf-8")))
    except ValidationError as error:
        where = f"in {file.name}"
        raise BoardError(explain(error, model, noun="key", where=where)) from None
    except (OSError, ValueError) as error:
        raise BoardError(f"expected the board as JSON in {file.name}, got: {error}") from None
