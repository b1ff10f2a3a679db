"""ToedeLoe: cards, pawns and an offer on a round board, for two players or two teams."""
