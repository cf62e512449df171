"""grader: an autograding harness for student console programs.

A course writes one YAML spec per assignment; the harness runs what students hand in and says how many points it earns
and why. ``docs/ARCHITECTURE.md`` has the map.
"""

__version__ = "0.1.0"
