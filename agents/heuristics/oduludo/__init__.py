"""The baselines of Oduludo [R12], the weakest first; nothing is hidden, so they read records."""

from ...agent import FromRecords
from .racer import racer
from .tactician import tactician

BASELINES: dict[str, FromRecords] = {
    "racer": FromRecords(racer),
    "tactician": FromRecords(tactician),
}
