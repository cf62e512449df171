"""The judges of the kinds of cases, found by the names of the kinds: run what must be run, ask the checks, word the result.

Every module has ``judge(trial, case, profile)``, which returns a ``Judgement``. The profile is empty for kinds that do not run the program.
"""
