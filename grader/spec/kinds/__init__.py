"""The keys of each kind of case, a module each: what a TA writes below `game:`, `machine:`, `source:` and so on."""
