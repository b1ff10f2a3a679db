"""Pictures; being written."""


def text(position, *, viewer, last_move=None):
    return ""
