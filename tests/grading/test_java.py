"""Java programs, graded: which Java machines a case is played in, and what one of them may not do for the other."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.results import Grade, Verdict, for_student
from grader.sessions.jvm import FRESH, SHARED, SHARED_HIDDEN, JvmProgram
from grader.sessions.session import Session
from tests.graded import graded as grade_of

pytestmark = pytest.mark.xdist_group("java")

SPEC = """
assignment: greet
title: Greets
program: {language: java, sources: ['*.java']}
limits: {cpu: 500 ms, wall: 1 s}
rubric: [{id: talk, title: Greets, points: 3}]
cases:
  - {id: ann, title: Ann, criterion: talk, VISIBILITY, dialogue: [{expect: 'Name'}, {send: Ann}, {expect: 'Hello, Ann'}, {ends: true}]}
  - {id: bob, title: Bob, criterion: talk, dialogue: [{expect: 'Name'}, {send: Bob}, {expect: 'Hello, Bob'}, {ends: true}]}
  - {id: eva, title: Eva, criterion: talk, dialogue: [{expect: 'Name'}, {send: Eva}, {expect: 'Hello, Eva'}, {ends: true}]}
"""
GREETS = """
import java.util.*;
public class Main {
    public static void main(String[] args) {
        System.out.print("Name? ");
        String name = new Scanner(System.in).next();
        System.out.println("Hello, " + name);
        MORE
    }
}
"""
REMEMBERS = """
System.out.println("after " + java.security.Security.getProperty("last"));
java.security.Security.setProperty("last", name);
"""
HANGS = """
Runtime.getRuntime().addShutdownHook(new Thread() {
    public void run() { while (true) try { Thread.sleep(1000); } catch (InterruptedException e) { } }
});
"""


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The profiles under which programs are started, in turn."""
    profiles: list[str] = []
    start = JvmProgram.start

    def noted(self: JvmProgram, profile: str, **others: object) -> Session:
        profiles.append(profile)
        return start(self, profile, **others)

    monkeypatch.setattr(JvmProgram, "start", noted)
    return profiles


def graded(folder: Path, more: str = "", visibility: str = "hidden", spec: str = SPEC) -> Grade:
    """The grade of a program that greets and does something more."""
    path = folder / "greet.yaml"
    path.write_text(spec.replace("VISIBILITY", f"visibility: {visibility}"), encoding="utf-8")
    return grade_of(path, {"Main.java": GREETS.replace("MORE", more)})


@pytest.mark.parametrize("visibility", ["hidden", "staff"])
def test_what_a_student_is_shown_comes_from_a_machine_that_saw_no_hidden_case(tmp_path, started, visibility):
    """Cases that a student sees share a machine, and all others share another; no accepted case needs a second look."""
    assert graded(tmp_path, visibility=visibility).score == 3
    assert started == [SHARED_HIDDEN, SHARED, SHARED]


def test_who_could_leave_a_trace_is_played_in_fresh_machines_alone(tmp_path, started):
    """No run finds what the one before has left, and nobody is told of profiles that there are not."""
    grade = graded(tmp_path, REMEMBERS)
    assert (grade.score, started) == (3, [FRESH] * 3)
    assert "after Bob" not in repr(grade)
    assert all(not case.findings for case in grade.cases)


def test_on_a_terminal_every_machine_is_fresh(tmp_path, started):
    """There is one profile then, which need not be mentioned."""
    grade = graded(tmp_path, spec=SPEC.replace("'*.java']", "'*.java'], terminal: true"))
    assert (grade.score, started) == (3, [FRESH] * 3)
    assert all(not case.findings for case in grade.cases)


def test_a_hole_in_the_list_of_what_leaves_a_trace_shows_no_student_a_hidden_input(tmp_path, started, monkeypatch):
    """Even a program that remembers and is not found out prints in visible cases only what it saw in such."""
    monkeypatch.setattr("grader.build.native.trace", lambda _: "")
    grade = graded(tmp_path, REMEMBERS)
    assert (grade.score, started) == (3, [SHARED_HIDDEN, SHARED, SHARED])
    assert "after Bob" in repr(grade)
    assert "Ann" not in repr([case.turns for case in for_student(grade).cases])


def test_a_shutdown_hook_that_hangs_costs_its_limit_twice(tmp_path, started):
    """It is not waited for in a shared machine first, which would be ended with it; and in later cases for a sixth."""
    grade = graded(tmp_path, HANGS)
    assert [case.verdict for case in grade.cases[1:]] == [Verdict.TIME_LIMIT] * 3
    assert ["stopped sooner" in case.findings[0].message for case in grade.cases[1:]] == [False, False, True]
    assert started == [FRESH] * 3
