"""`spelkast teach`: it asks, goes on where it was stopped, and says in a line what is wrong."""

import pytest

from spelkast.train import teaching


def test_a_file_of_lessons_is_made(spelkast, tmp_path):
    """It says where, and a second time that the file is there."""
    words = f"teach tacocat --teacher solid --games 2 --jobs 1 --out {tmp_path}/l.npz"
    first, second = spelkast(words), spelkast(words)

    assert (first.code, first.err) == (0, "")
    assert first.out.split() == f"2 games in {tmp_path}/l.npz".split()
    assert second.code == 2
    assert "expected a new file, got" in second.err


def test_who_stops_it_hears_what_is_kept(spelkast, tmp_path, monkeypatch):
    def stopped(plan, out, *, jobs):
        yield 1
        yield 2
        raise KeyboardInterrupt

    monkeypatch.setattr(teaching, "make_lessons", stopped)
    ran = spelkast(f"teach tacocat --teacher solid --games 9 --out {tmp_path}/l.npz")

    assert ran.code == 130
    assert ran.err == "spelkast: stopped: 2 of 9 games are kept; the same command continues"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("tacocat --teacher solid --games 1 --share 0.5", "--player with --share"),
        ("tacocat --teacher sollid --games 1", "did you mean 'solid'"),
        ("tacocat --teacher solid --games 1 --player kees", "got 'kees'"),
        ("tacocat --teacher search:ismcts --games 1", "got no simulations"),
        ("tacocat --teacher solid --games 0", "--games"),
        ("tacocat --teacher solid --games 1 --out .", "a new file"),
        ("tacocat --games 1", "--teacher"),
    ],
)
def test_impossible_lessons_are_refused(spelkast, tmp_path, monkeypatch, words, said):
    monkeypatch.chdir(tmp_path)
    ran = spelkast(f"teach {words}")

    assert ran.code == 2
    assert said in ran.err
    assert "\n" not in ran.err
    assert not list(tmp_path.iterdir())
