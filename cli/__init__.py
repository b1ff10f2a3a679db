"""The spelkast command: parses, calls, prints."""
