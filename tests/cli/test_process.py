"""The command as its own process: the script, pipes, Ctrl-C, and how quick its help is."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

SCRIPT = Path(sys.executable).with_name("spelkast")
MODULE = (sys.executable, "-m", "spelkast.cli")


def run(command, **keywords):
    return subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, timeout=300, **keywords
    )


def wait_until_busy(process):
    """Wait until a process has used some CPU time, so that it is past its start."""
    used, deadline = 0.0, time.monotonic() + 100
    while used < 1.5 and time.monotonic() < deadline and process.poll() is None:
        time.sleep(0.1)
        fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
        used = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def words(arguments):
    return arguments.split()


@pytest.mark.parametrize("arguments", [["--help"], ["eval", "--help"], ["games", "chess"]])
def test_the_script_and_the_module_are_the_same(arguments):
    script, module = run([SCRIPT, *arguments]), run([*MODULE, *arguments])

    assert (script.returncode, script.stdout, script.stderr) == (
        module.returncode,
        module.stdout,
        module.stderr,
    )


@pytest.mark.parametrize("verb", [[], ["train"], ["eval"], ["play"], ["tournament"]])
def test_help_loads_nothing_heavy(verb):
    """And so is quick: the imports are counted, not the seconds of a busy machine."""
    code = (
        "import sys\nfrom spelkast.cli import main\n"
        f"try: main({[*verb, '--help']!r})\nexcept SystemExit: pass\n"
        "print(sorted({m.partition('.')[0] for m in sys.modules}), file=sys.stderr)"
    )
    loaded = run([sys.executable, "-c", code]).stderr

    heavy = ("gymnasium", "networkx", "numba", "numpy", "pettingzoo", "stable_baselines3", "torch")
    for module in heavy:
        assert f"'{module}'" not in loaded


def test_help_takes_less_than_a_second():
    seconds = []
    for _ in range(3):
        before = os.times()
        run([SCRIPT, "--help"])
        after = os.times()
        seconds.append(
            after.children_user + after.children_system
            - before.children_user - before.children_system
        )  # fmt: skip

    assert min(seconds) < 1.0


@pytest.mark.parametrize("arguments", ["games tacocat", "eval --help", "play tacocat --seed 1"])
def test_a_reader_who_leaves_is_no_error(arguments):
    """What `| head -1` does, with a reader that has left before the first line."""
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "wb") as closed:
        ran = subprocess.run(
            [str(SCRIPT), *arguments.split()],
            stdin=subprocess.DEVNULL, stdout=closed, stderr=subprocess.PIPE, text=True,
            timeout=300,
        )  # fmt: skip

    assert "Traceback" not in ran.stderr
    assert "Exception" not in ran.stderr
    assert "Broken pipe" not in ran.stderr


@pytest.mark.parametrize(
    ("arguments", "started", "number", "said"),
    [
        ("bench tacocat --seconds 100", "", signal.SIGTERM, ""),
        (
            "eval tacocat random novice --games 1000000", "", signal.SIGTERM,
            "spelkast: stopped: no game is kept; --record FILE keeps each as it ends",
        ),
        ("tournament tokken --teams racer kees --rounds 1000 --json", "", signal.SIGINT, ""),
        ("play tacocat --against random", "Your move> ", signal.SIGINT, ""),
    ],
)  # fmt: skip
def test_ctrl_c_is_quiet(arguments, started, number, said):
    """Ctrl-C and SIGTERM show nobody where Python was; what they say is what is kept."""
    process = subprocess.Popen(
        [str(SCRIPT), *words(arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # Tests that run in the background of a shell ignore Ctrl-C and hand that down.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    try:
        if started:
            assert process.stdout is not None
            text = ""
            while not text.endswith(started) and process.poll() is None:
                text += process.stdout.read(1)
        else:
            wait_until_busy(process)
        process.send_signal(number)
        # The compiler is not interrupted in the middle of a kernel: seconds, or minutes if busy.
        _, err = process.communicate(timeout=300)
    finally:
        process.kill()  # else a failure leaves a command behind that runs for minutes

    assert process.returncode == 130
    assert [line for line in err.splitlines() if "compiling" not in line] == said.splitlines()


PLAY, MISTAKE = "play tacocat --against random --seed 3", "games chess"
VERBS = {
    "eval tacocat random random --games 2 --json": 0,
    "tournament tokken --teams kees racer --rounds 1": 0,
    "bench tacocat --signature": 0,
    "check tacocat --games 2": 0,
    "train tacocat --config none": 2,
    "new-game": 2,
    "replay none": 2,
    "--version": 0,
}
CLOSED = ("<&-", ">&-", "2>&-", "<&- >&- 2>&-", "2>/dev/full")


@pytest.mark.parametrize(
    ("arguments", "how", "code"),
    [
        (PLAY, "<&- >&- 2>&-", 0),
        (PLAY, "</dev/null >/dev/full", 1),
        (MISTAKE, "2>/dev/full", 2),
        *(
            pytest.param(verb, how, code, marks=pytest.mark.slow)
            for verb, code in VERBS.items()
            for how in CLOSED
        ),
    ],
)
def test_a_stream_that_is_not_there_is_no_fault(arguments, how, code):
    """Closed is nothing in and nothing out; results that a full disk lost are an error, with 1."""
    ran = run(["sh", "-c", f"{SCRIPT} {arguments} {how}"])

    assert ran.returncode == code
    assert "Traceback" not in ran.stderr
    assert "inside" not in ran.stderr


def test_a_game_can_be_played_through_a_pipe():
    ran = run(
        [SCRIPT, *["play", "tacocat", "--against", "random", "--seed", "3"]], input="?\nxx\nq\n"
    )

    assert (ran.returncode, ran.stderr.replace("compiling", "")[:9]) in {(0, ""), (0, "spelkast:")}
    assert "Your move> ?\n  1 x1 " in ran.stdout
    assert "DUEL" in ran.stdout


def test_letters_the_terminal_lacks_ended_the_game():
    """Neither lines and backs on a terminal of 7 bits nor a byte that is no letter."""
    ran = subprocess.run(
        [str(SCRIPT), *words("play tacocat --against random --seed 3")],
        input=b"\xff\nq\n", capture_output=True, timeout=300,
        env={**os.environ, "PYTHONIOENCODING": "ascii:strict"},
    )  # fmt: skip

    assert ran.returncode == 0
    assert b"Traceback" not in ran.stderr
    assert b"inside" not in ran.stderr
    assert b"You have left the table" in ran.stdout


def test_piped_results_go_to_stdout_alone():
    ran = run([SCRIPT, *words("eval tacocat random random --games 2 --json")])

    assert ran.stdout.startswith("{")
    assert [line for line in ran.stderr.splitlines() if "compiling" not in line] == []
