"""Reports of unit tests, as the frameworks write them and as programs forge them."""

from __future__ import annotations

import pytest

from grader.checks.outcomes import MOST_TESTS, RefusedError, read_googletest, read_junit, read_tap, read_unity
from grader.spec.kinds.tests import LARGEST_REPORT

PYTEST = """<?xml version="1.0" encoding="utf-8"?><testsuites name="pytest tests"><testsuite name="pytest" errors="0" failures="2"
skipped="1" tests="4" time="0.030" timestamp="2026-01-01T00:00:00" hostname="x">
<testcase classname="test_gcd" name="test_zero" time="0.001" />
<testcase classname="test_gcd.TestBig" name="test_big[3-4]" time="0.001"><failure message="assert 1 == 2">def test_big():
E   assert 1 == 2</failure></testcase>
<testcase classname="test_gcd" name="test_divides" time="0"><failure message="ZeroDivisionError: by zero">E  x</failure></testcase>
<testcase classname="test_gcd" name="test_later" time="0"><skipped type="pytest.skip" message="later">x</skipped></testcase>
</testsuite></testsuites>"""
JUNIT = """<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="JUnit Jupiter" tests="3" skipped="0" failures="1" errors="1" time="0.05" hostname="x">
<properties><property name="file.encoding" value="UTF-8"/></properties>
<testcase name="ofZero()" classname="HeapsTest" time="0.01"><system-out><![CDATA[unique-id: <1>]]></system-out></testcase>
<testcase name="ofOne()" classname="HeapsTest" time="0"><failure message="expected: &lt;1&gt; but was: &lt;2&gt;"
type="org.opentest4j.AssertionFailedError"><![CDATA[	at HeapsTest.ofOne(HeapsTest.java:9)]]></failure></testcase>
<testcase name="ofTwo()" classname="HeapsTest" time="0"><error message="/ by zero" type="java.lang.ArithmeticException"/></testcase>
</testsuite>"""
GOOGLE = """<?xml version="1.0" encoding="UTF-8"?>
<testsuites tests="4" failures="1" disabled="1" errors="0" time="0" name="AllTests">
<testsuite name="Gcd" tests="4"><testcase name="OfZero" file="t.cpp" line="4" status="run" result="completed" classname="Gcd"/>
<testcase name="OfOne" status="run" result="completed" classname="Gcd"><failure message="t.cpp:9&#x0A;Expected equality"
type=""><![CDATA[t.cpp:9]]></failure></testcase>
<testcase name="DISABLED_Big" status="notrun" result="suppressed" classname="Gcd"/>
<testcase name="Later" status="run" result="skipped" classname="Gcd"><skipped message="later"/></testcase></testsuite></testsuites>"""
CRITERION = """<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="Criterion Tests" tests="3" failures="1" errors="1" disabled="0">
<testsuite name="gcd" tests="3" failures="1" errors="1" disabled="0" skipped="0" time="0.0">
<testcase name="zero" assertions="1" status="PASSED" time="0.0"></testcase>
<testcase name="one" assertions="1" status="FAILED" time="0.0"><failure type="assert" message="1 assertion(s) failed.">t.c:9</failure>
</testcase><testcase name="two" assertions="0" status="ERRORED" time="0.0"><error type="crash" message="The test crashed.">
</error></testcase></testsuite></testsuites>"""


def told(tests):
    """The tests of a report in short."""
    return [(test.name, str(test.outcome), test.message) for test in tests]


def test_a_report_of_pytest():
    """A class is part of the name; an exception that nobody expected is an error, what is asserted a failure."""
    assert told(read_junit(PYTEST.encode())) == [
        ("test_gcd.test_zero", "passed", ""),
        ("test_gcd.TestBig.test_big[3-4]", "failed", "assert 1 == 2"),
        ("test_gcd.test_divides", "error", "ZeroDivisionError: by zero"),
        ("test_gcd.test_later", "skipped", "later"),
    ]


def test_a_report_of_junit():
    """Parentheses of a method are left out, and an error says what was thrown."""
    assert told(read_junit(JUNIT.encode())) == [
        ("HeapsTest.ofZero", "passed", ""),
        ("HeapsTest.ofOne", "failed", "expected: <1> but was: <2>"),
        ("HeapsTest.ofTwo", "error", "ArithmeticException: / by zero"),
    ]


def test_a_report_of_googletest():
    """A test that is disabled or skipped says so in an attribute, and not in the other."""
    outcomes = [(name, outcome) for name, outcome, _ in told(read_junit(GOOGLE.encode()))]
    assert outcomes == [
        ("Gcd.OfZero", "passed"),
        ("Gcd.OfOne", "failed"),
        ("Gcd.DISABLED_Big", "skipped"),
        ("Gcd.Later", "skipped"),
    ]


def test_a_report_of_criterion():
    """A test that crashed is an error."""
    outcomes = [(name, outcome) for name, outcome, _ in told(read_junit(CRITERION.encode()))]
    assert outcomes == [("zero", "passed"), ("one", "failed"), ("two", "error")]


def test_lines_of_tap():
    """Text behind # is a direction or the message of a failed test; lines of the program between them do not count."""
    text = "1..4\nok 1 - zero\nok\nheap 3\nnot ok 2 - one of two\n# expected 1, got 2\n# in t.c\nok 3 - later # SKIP not yet\n"
    tests = read_tap(text)
    assert told(tests) == [
        ("zero", "passed", ""),
        ("one of two", "failed", "expected 1, got 2"),
        ("later", "skipped", "not yet"),
    ]
    assert tests[1].details == "in t.c"


def test_a_flood_of_blanks_in_a_line_of_tap_is_read_at_once():
    """A program prints what it likes: a name may hold a # that marks nothing."""
    flood = " " * 100_000
    assert told(read_tap(f"ok 1 - heap #3{flood}#x\n")) == [(f"heap #3{flood}"[:10_000], "passed", "")]


def test_a_mark_of_tap_stands_apart():
    """Behind a blank, or where there is no name."""
    tests = read_tap("ok 1 - reads C#todo\nok 2 # SKIP\nok 3 - later #todo: write\n")
    assert told(tests) == [("reads C#todo", "passed", ""), ("", "skipped", ""), ("later", "skipped", ": write")]


def test_lines_of_googletest():
    """The list of what failed, at the end, tells no test again; the place stands before the message."""
    text = (
        "[----------] 2 tests from Gcd\n[ RUN      ] Gcd.OfZero\n[       OK ] Gcd.OfZero (0 ms)\n[ RUN      ] All/Gcd.OfOne/0\n"
        "t.cpp:9: Failure\nExpected equality of these values:\n  gcd(1)\n[  FAILED  ] All/Gcd.OfOne/0, where GetParam() = 3 (12 ms)\n"
        "[ RUN      ] Gcd.Later\n[  SKIPPED ] Gcd.Later (0 ms)\n[  FAILED  ] 1 test, listed below:\n[  FAILED  ] All/Gcd.OfOne/0, where GetParam() = 3\n"
    )
    assert told(read_googletest(text)) == [
        ("Gcd.OfZero", "passed", ""),
        ("All/Gcd.OfOne/0", "failed", "t.cpp:9\nExpected equality of these values:\n  gcd(1)"),
        ("Gcd.Later", "skipped", ""),
    ]


def test_lines_of_check():
    """Check writes file, suite and message into the name of a test."""
    text = "ok 1 - test_gcd.c:numbers:test_zero: Passed\nnot ok 2 - test_gcd.c:numbers:test_one: Assertion 'a == 1' failed\n"
    assert told(read_tap(text)) == [
        ("numbers.test_zero", "passed", ""),
        ("numbers.test_one", "failed", "Assertion 'a == 1' failed"),
    ]


def test_lines_of_unity():
    """A line of Unity has the file and the line of the test, and what was expected."""
    text = "t.c:4:test_zero:PASS\nt.c:9:test_one:FAIL: Expected 1 Was 2\nt.c:12:test_two:IGNORE: later\n\n3 Tests 1 Failures 1 Ignored\nFAIL\n"
    assert told(read_unity(text)) == [
        ("test_zero", "passed", ""),
        ("test_one", "failed", "Expected 1 Was 2"),
        ("test_two", "skipped", "later"),
    ]


BOMB = """<?xml version="1.0"?><!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]>
<testsuite><testcase name="&b;"/></testsuite>"""
OUTSIDE = """<!DOCTYPE a SYSTEM "file:///etc/passwd"><testsuite/>"""


@pytest.mark.parametrize(
    ("report", "said"),
    [
        (BOMB, "declares entities"),
        (OUTSIDE, "declares entities"),
        ("<testsuite><testcase name='a'>", "is not complete XML"),
        ("", "is not complete XML"),
        ("all passed", "is not complete XML"),
        ("<html><testcase name='a'/></html>", "begins with <html>"),
        ("<testsuite>" + "<a>" * 100, "nested more than 32"),
        ("<testsuite><testcase name='a'><testcase name='b'/></testcase></testsuite>", "a test within a test"),
        ("<testsuite>" + "<testcase name='a'/>" * (MOST_TESTS + 1), "more than 10,000 tests"),
        ("<testsuite>" + " " * LARGEST_REPORT, "more than 8 MiB"),
    ],
)
def test_what_is_no_plain_report_is_refused(report, said):
    """Entities, a flood of tests or of elements, half an XML and no XML are refused in a sentence."""
    with pytest.raises(RefusedError, match=said):
        read_junit(report.encode())


def test_a_flood_of_printed_tests_is_refused():
    """So many tests no course has."""
    with pytest.raises(RefusedError, match="more than 10,000 tests"):
        read_tap("ok 1 - a\n" * (MOST_TESTS + 1))
