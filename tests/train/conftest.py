"""A finished run that the tests of training share."""

import pytest
from tiny_runs import quiet, tiny

from spelkast.train.run import train


@pytest.fixture(scope="session")
def finished_run(tmp_path_factory):
    """A folder in which the tiny run was made from start to end."""
    folder = tmp_path_factory.mktemp("runs") / "tiny"
    train("tacocat", config=tiny(), out=folder, console=quiet())
    return folder
