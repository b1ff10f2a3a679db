"""Who is better: matches over both sides of the same deals, with intervals.

from spelkast.eval.match import play_match
"""
