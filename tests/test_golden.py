"""Golden files fail when they differ, and only `--rewrite-golden` writes them."""

import subprocess
import sys
from pathlib import Path

PROBE = """
from pathlib import Path

FILE = Path(__file__).with_suffix(".txt")

def test_text(golden):
    golden(FILE, "second\\n")

def test_without_a_golden_file():
    raise AssertionError("ran although only golden files were to be rewritten")
"""


def run_pytest(checkout: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments]
    return subprocess.run(command, cwd=checkout, capture_output=True, text=True, check=False)


def test_golden_file_is_compared_then_rewritten(copied_checkout: Path):
    probe = copied_checkout / "tests" / "test_probe.py"
    file = probe.with_suffix(".txt")
    probe.write_text(PROBE, "utf-8")
    file.write_text("first\n", "utf-8")

    different = run_pytest(copied_checkout, f"{probe}::test_text")
    untouched = file.read_text("utf-8")
    rewritten = run_pytest(copied_checkout, str(probe), "--rewrite-golden", "-s")
    written = file.read_text("utf-8")
    same = run_pytest(copied_checkout, f"{probe}::test_text")
    probe.unlink()
    file.unlink()

    assert different.returncode == 1
    assert "-first\n" in different.stdout
    assert "+second\n" in different.stdout
    assert untouched == "first\n"
    assert rewritten.returncode == 0
    assert "1 passed, 1 deselected" in rewritten.stdout
    assert written == "second\n"
    assert same.returncode == 0
