"""Two teaching machines and what they share. Imports only ``errors`` and ``source``, and is usable alone.

A simulated machine has no way to the host: no file, process, clock or network is wired through.
"""
