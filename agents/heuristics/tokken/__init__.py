"""The baselines of Tokken [R12], the weaker first."""

from ...agent import FromRecords
from .kees import kees
from .racer import racer

BASELINES: dict[str, FromRecords] = {
    "racer": FromRecords(racer),
    "kees": FromRecords(kees),
}
