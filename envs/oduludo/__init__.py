"""Oduludo: Ludo in space with stacks, abductions, a special die and UFOs, for two to four."""
