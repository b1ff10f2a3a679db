def text(position, *, viewer, last_move=None): return str(position)
