"""`python -m spelkast.benchmarks`, also `python -m benchmarks` in the checkout."""

from .suite import main

if __name__ == "__main__":
    main()
