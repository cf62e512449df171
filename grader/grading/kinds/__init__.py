"""The kinds of cases, a module each: run what must be run, ask the checks, word the result.

Every kind that runs the program has the same shape: ``judge(trial, case, profile)`` returns a ``Judgement``. The others look
at what was handed in, and know no profile.
"""
