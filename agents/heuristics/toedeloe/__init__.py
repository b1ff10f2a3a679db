"""The baselines of ToedeLoe [R12.3, R12.4], weaker first; nothing is hidden: they read records."""

from ...agent import FromRecords
from .endings import hoarder, scorer

BASELINES: dict[str, FromRecords] = {
    "scorer": FromRecords(scorer),
    "hoarder": FromRecords(hoarder),
}
