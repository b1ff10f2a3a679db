"""Slag: its page is README.md."""
