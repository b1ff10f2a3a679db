"""`python -m spelkast.cli` is the command `spelkast`."""

from . import main

main()
