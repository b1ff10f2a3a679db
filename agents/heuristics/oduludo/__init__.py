"""The baselines of Oduludo [R12], the weakest first; nothing is hidden, so they read records."""

from pathlib import Path

from ...agent import FromRecords
from ...tuned import AnyChoice, read_agent_file
from .racer import racer
from .tactician import tactician

BASELINES: dict[str, AnyChoice] = {
    "racer": FromRecords(racer),
    "tactician": FromRecords(tactician),
}
BASELINES["tuned"] = read_agent_file(Path(__file__).with_name("tuned.toml"), "oduludo", BASELINES)
