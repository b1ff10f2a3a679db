"""Tokken: a race with cards for two teams of two, after the rules of the Texel tournament."""
