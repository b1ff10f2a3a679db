"""Tacocat Spelled Backwards."""
