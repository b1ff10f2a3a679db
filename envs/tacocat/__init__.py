"""Tacocat Spelled Backwards: a tug of war with hidden hands, duels and tricks, for two."""
