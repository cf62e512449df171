"""Which Java programs may share a JVM: ordinary ones, and none that could leave a trace of one run to a later one."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from grader.build.java import Compiler
from grader.build.java_traces import trace
from grader.sessions.jvm import FRESH, SHARED, SHARED_HIDDEN, students
from grader.submission import SubmittedFile
from tests.build.conftest import built, compiled_by

pytestmark = pytest.mark.xdist_group("java")
JAVA_NIM = Path(__file__).parents[2] / "fixtures" / "java-nim"
COURSE = Path(__file__).parents[2] / "specs" / "java-nim" / "Environment.java"


def classes(compiler: Compiler, statements: str, members: str = "", heading: str = "") -> dict[str, bytes]:
    """A class Main with this body of ``main``."""
    text = (
        "import java.io.*; import java.util.*; import java.util.function.*;\n"
        f"public class Main {heading} {{ public static void main(String[] args) throws Throwable {{ {statements} }}\n{members} }}"
    )
    compiled = compiled_by(compiler, (SubmittedFile("Main.java", text.encode()),))
    assert compiled.classes, [d.render() for d in compiled.diagnostics]
    return students(compiled.classes)


ORDINARY = {
    "a Scanner that is closed": "try (Scanner in = new Scanner(System.in)) { System.out.println(in.nextInt() + 1); }",
    "a reader": "BufferedReader in = new BufferedReader(new InputStreamReader(System.in)); Integer.parseInt(in.readLine().trim());",
    "formatted output": 'System.out.printf(Locale.US, "%.1f%n", 1.5); System.out.println(String.format("%3d", 7));',
    "collections": "List<Integer> l = new ArrayList<>(List.of(3, 1)); Collections.sort(l); Map<String, int[]> m = new TreeMap<>();"
    ' m.put("a", new int[3]); for (Map.Entry<String, int[]> e : m.entrySet()) System.out.println(e.getKey() + Arrays.toString(e.getValue()));',
    "random numbers": "int n = new Random().nextInt(3) + (int) (Math.random() * 3);",
    "a shuffle by random numbers of its own": "Collections.shuffle(new ArrayList<>(List.of(1, 2)), new Random());",
    "an exception of its own": 'throw new Wrong("no");',
    "an enum, a record and a switch": 'switch (Row.A) { case A: System.out.println(new Move(Row.B, 2)); default: } switch (args[0]) { case "x": }',
    "a comparator of a class of its own": "Collections.sort(new ArrayList<Integer>(), new Comparator<>() { public int compare(Integer a, Integer b) { return a - b; } });",
    "a pause": "try { Thread.sleep(1); } catch (InterruptedException e) { }",
    "an exit": "if (args.length > 1) { System.exit(1); }",
    "numbers of all sizes": 'long l = 5_000_000_000L; double d = 0.25; float f = 1.5f; System.out.println(l * d + f); System.err.println("ß中" + l);',
    "arrays of arrays": "int[][] a = new int[3][]; a[0] = new int[] {1}.clone(); Row[] r = Row.values(); assert r.length == 2;",
}
MEMBERS = "enum Row { A, B } record Move(Row row, int n) { } static class Wrong extends Exception { Wrong(String s) { super(s); } }"


@pytest.mark.parametrize("statements", [pytest.param(text, id=name) for name, text in ORDINARY.items()])
def test_ordinary_programs_may_share_a_machine(compiler: Compiler, statements: str):
    """The classes that beginners use keep nothing beyond a run."""
    assert trace(classes(compiler, statements, MEMBERS)) == ""


KEEPING = {
    "a security property": ('java.security.Security.setProperty("x", "y");', "java.security.Security"),
    "a property": ('System.setProperty("x", "y");', "java.lang.System.setProperty"),
    "all properties": ("System.getProperties().clear();", "java.lang.System.getProperties"),
    "a locale": ("Locale.setDefault(Locale.US);", "java.util.Locale.setDefault"),
    "a time zone": ("TimeZone.setDefault(null);", "java.util.TimeZone"),
    "a logger": ('java.util.logging.Logger.getLogger("x");', "java.util.logging.Logger"),
    "a preference": ("java.util.prefs.Preferences.userRoot();", "java.util.prefs.Preferences"),
    "a shutdown hook": ("Runtime.getRuntime().addShutdownHook(null);", "java.lang.Runtime"),
    "a thread": ("new Thread().start();", "java.lang.Thread.<init>"),
    "a thread, which is numbered": ("System.out.print(Thread.currentThread());", "java.lang.Thread.currentThread"),
    "a value of a thread": ("new ThreadLocal<String>();", "java.lang.ThreadLocal"),
    "a timer": ("new Timer();", "java.util.Timer"),
    "a collection of garbage": ("System.gc();", "java.lang.System.gc"),
    "a weak reference": ("new java.lang.ref.WeakReference<>(args);", "java.lang.ref.WeakReference"),
    "a loaded class": ('Class.forName("Main");', "java.lang.Class.forName"),
    "a field by its name": ('Main.class.getDeclaredField("x");', "java.lang.Class.getDeclaredField"),
    "a file": ('new FileReader("x");', "java.io.FileReader"),
    "a file by its name alone": ('new PrintStream("/proc/self/comm");', "java.io.PrintStream.<init>"),
    "a writer to a file": ('new PrintWriter("x");', "java.io.PrintWriter.<init>"),
    "an address": ('new java.net.URL("file:x");', "java.net.URL"),
    "a text that all share": ('args[0].intern();', "java.lang.String.intern"),
    "random numbers that all share": ("Collections.shuffle(new ArrayList<>());", "java.util.Collections.shuffle"),
    "threads that all share": ("Arrays.parallelSort(new int[1]);", "java.util.Arrays.parallelSort"),
    "an error that is made beforehand": ("new Error().setStackTrace(null);", "java.lang.Error.setStackTrace"),
    "a lambda, whose name is numbered": ("Runnable r = () -> { };", "java.lang.invoke.LambdaMetafactory.metafactory"),
    "a method that is referred to": ("IntFunction<String> f = Integer::toString;", "java.lang.invoke.LambdaMetafactory.metafactory"),
    "the clock, which tells warm from cold": ("System.nanoTime();", "java.lang.System.nanoTime"),
    "a process": ('new ProcessBuilder("ls").start();', "java.lang.ProcessBuilder"),
    "the host": ('Object o = grader.host.CaseHost.class;', "grader.host.CaseHost"),
}  # fmt: skip


@pytest.mark.parametrize(("statements", "by"), [pytest.param(*one, id=name) for name, one in KEEPING.items()])
def test_who_could_leave_a_trace_has_machines_of_its_own(compiler: Compiler, statements: str, by: str):
    """Whatever is not known to keep nothing is taken to keep something, and named."""
    host = (SubmittedFile("CaseHost.java", b"package grader.host; public class CaseHost { }"),)
    if "grader.host" in statements:
        text = f"class Main {{ {statements} }}"
        made = students(compiled_by(compiler, (SubmittedFile("Main.java", text.encode()), *host)).classes)
    else:
        made = classes(compiler, f"if (args.length == 0) {{ {statements} }}")
    assert trace(made).startswith(by)


def test_an_object_that_does_something_when_it_is_thrown_away_leaves_a_trace(compiler: Compiler):
    """``finalize`` runs when nobody waits for it, maybe in a later run; a class that inherits a thread may go on for ever."""
    assert trace(classes(compiler, "", "protected void finalize() { }")) == "java.lang.Object.finalize"
    assert trace(classes(compiler, "", heading="extends Thread")) == "java.lang.Thread.<init>"


def test_the_correct_programs_of_an_assignment_share_a_machine(compiler: Compiler):
    """All of them, with the class that the course hands out: else a batch takes several times as long."""
    course = (SubmittedFile("Environment.java", COURSE.read_bytes()),)
    folders = sorted(path for path in (JAVA_NIM / "accepted").glob("*/submission"))
    found = {}
    for folder in folders:
        files = tuple(
            SubmittedFile(path.relative_to(folder).as_posix(), path.read_bytes())
            for path in sorted(folder.rglob("*.java"))
        )
        given = () if any(file.path.endswith("Environment.java") for file in files) else course
        found[folder.parent.name] = trace(students(compiled_by(compiler, files, given).classes))
    assert len(found) > 10
    assert {name: by for name, by in found.items() if by} == {}


@pytest.mark.parametrize(
    "change",
    [
        lambda data: b"",
        lambda data: data[:40],
        lambda data: b"\0" + data[1:],
        lambda data: data[:10] + b"\x63" + data[11:],
        lambda data: data[:10] + bytes([9]) + b"\xff\xff\xff\xff" + data[15:],
        lambda data: data[:8] + struct.pack(">H", 0xFFFF) + data[10:],
        lambda data: data[:10] + bytes([17]) + data[11:],
    ],
)
def test_a_class_that_cannot_be_read_shares_nothing(compiler: Compiler, change):
    """A compiler that was attacked may have written anything."""
    made = classes(compiler, "")
    assert trace({path: change(data) for path, data in made.items()}) != ""


def test_no_time_is_spent_on_very_many_classes():
    """A file that is larger than any program of a beginner is not read."""
    assert trace({"Main.class": bytes(2 << 20)}) == "too many classes to look at"


def test_a_program_is_built_for_the_machines_that_it_may_have(workshop):
    """Both decide by a fresh machine; who could leave a trace is tried in no other."""
    for statement, profiles in (("System.exit(0);", [SHARED, SHARED_HIDDEN, FRESH]), ("System.gc();", [FRESH])):
        text = f"public class Main {{ public static void main(String[] a) {{ {statement} }} }}"
        made = built(workshop, {"Main.java": text}, language="java", sources=["*.java"])
        assert (list(made.programs), made.decides, bool(made.tried)) == (profiles, FRESH, len(profiles) > 1)
        assert set(made.tried.values()) <= set(profiles)
        made.close()
