"""Who plays: agents that choose a move for each decision of a batch."""
