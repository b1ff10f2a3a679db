"""Slow second opinions: each game once more in plain Python, written from its rules text."""
