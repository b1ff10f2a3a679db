"""The baselines of ToedeLoe [R12.3, R12.4], weaker first; nothing is hidden: they read records."""

from pathlib import Path

from ...agent import FromRecords
from ...tuned import AnyChoice, read_agent_file
from .endings import hoarder, scorer

BASELINES: dict[str, AnyChoice] = {
    "scorer": FromRecords(scorer),
    "hoarder": FromRecords(hoarder),
}
BASELINES["tuned"] = read_agent_file(Path(__file__).with_name("tuned.toml"), "toedeloe", BASELINES)
