"""Java programs: each test runs under the shared JVM and in fresh ones, which must agree."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator

import pytest

from grader.build.java import Compiled, Compiler
from grader.sandbox import Cage, best_tier
from grader.sessions import jdk
from grader.sessions.jvm import FRESH, SHARED, SHARED_HIDDEN, JvmProgram
from grader.sessions.session import END_OF_INPUT, play
from grader.source import SourceFile
from grader.spec.model import Limits
from grader.submission import SubmittedFile
from grader.transcript import EndingKind, Transcript
from tests.build.conftest import compiled_by

pytestmark = pytest.mark.xdist_group("java")
both = pytest.mark.parametrize("profile", [SHARED, pytest.param(FRESH, marks=pytest.mark.share(3))])

Make = Callable[..., JvmProgram]


@pytest.fixture(scope="module")
def compile_once(compiler: Compiler) -> Callable[[SubmittedFile], Compiled]:
    """The classes of a file, which most tests need twice: under both profiles."""
    return functools.cache(lambda source: compiled_by(compiler, (source,)))


@pytest.fixture
def make(compile_once: Callable[[SubmittedFile], Compiled]) -> Iterator[Make]:
    """Makes a program of a source with a class Main."""
    programs = []

    def another() -> Cage:
        return Cage(best_tier(), readable=jdk.readable())

    def make(body: str, *, terminal: bool = False, main: str = "Main", **limits: object) -> JvmProgram:
        source = SubmittedFile("src/Main.java", f"import java.io.*;\nimport java.util.*;\n\n{body}\n".encode())
        compiled = compile_once(source)
        assert compiled.classes, [d.render() for d in compiled.diagnostics]
        sources = (SourceFile.from_bytes(source.path, source.data),)
        bounds = Limits.model_validate(limits)
        files = {"words/hello.txt": b"hello", "one.txt": b"one"}
        program = JvmProgram(another, compiled.classes, main, bounds, sources=sources, files=files, terminal=terminal)
        programs.append(program)
        return programs[-1]

    yield make
    for program in programs:
        program.close()


def main(statements: str, members: str = "") -> str:
    """A class Main with this body of ``main``, beginning on line 5; ``members`` begin on line 7."""
    return f"public class Main {{ public static void main(String[] args) throws Throwable {{\n{statements}\n}}\n{members}}}"


def printed(transcript: Transcript) -> list[str]:
    """The output in each turn."""
    return [turn.output for turn in transcript.turns]


GAME = main(
    """
    Scanner in = new Scanner(System.in);
    for (int left = 3; left > 0; ) {
        System.out.print(left + " left, take? ");
        left -= in.nextInt();
    }
    System.out.println("over");
    """
)


@both
def test_a_turn_is_what_was_printed_up_to_a_wait(make, profile):
    """A prompt without a line end is there when the program waits, and each input is given when it is asked for."""
    transcript = play(make(GAME).start(profile), ["1\n", "2\n"])
    assert printed(transcript) == ["3 left, take? ", "2 left, take? ", "over\n"]
    assert transcript.ending.kind is EndingKind.ENDED


@both
@pytest.mark.parametrize(
    "read",
    [
        "new Scanner(System.in).nextLine()",
        "new BufferedReader(new InputStreamReader(System.in)).readLine()",
        "byLetter()",
    ],
)
def test_every_way_of_reading_gets_every_line(make, profile, read):
    """A reader made anew for each line loses nothing, since no line comes before it is asked for."""
    source = main(
        f'for (int i = 0; i < 3; i++) {{ System.out.print("? "); System.out.println("<" + {read} + ">"); }}',
        "static String byLetter() throws IOException { StringBuilder line = new StringBuilder();"
        " for (int c = System.in.read(); c != '\\n'; c = System.in.read()) line.append((char) c); return line.toString(); }",
    )
    assert printed(play(make(source).start(profile), ["a\n", "b c\n", "d\n"])) == [
        "? ",
        "<a>\n? ",
        "<b c>\n? ",
        "<d>\n",
    ]


@both
def test_several_lines_can_be_one_input(make, profile):
    """A program asks again only when what it was given is used up."""
    assert printed(play(make(GAME).start(profile), ["1\n2\n"])) == ["3 left, take? ", "2 left, take? over\n"]


@both
def test_text_is_utf_8_both_ways(make, profile):
    """Letters of any language are read and printed as they are, on standard input and output."""
    source = main('System.out.println(new Scanner(System.in).nextLine() + "ß中" + "ü".length());')
    assert printed(play(make(source).start(profile), ["äö石\n"])) == ["", "äö石ß中1\n"]


@both
def test_the_end_of_input_is_found_after_what_was_typed(make, profile):
    """A loop over hasNextLine ends."""
    source = main(
        "int n = 0; for (Scanner in = new Scanner(System.in); in.hasNextLine(); n++) in.nextLine(); System.out.print(n);"
    )
    assert printed(play(make(source).start(profile), ["a\n", "b\n", END_OF_INPUT])) == ["", "", "", "2"]


@both
def test_each_run_has_new_statics(make, profile):
    """Values that one run wrote into static fields are gone in the next."""
    program = make(
        main(
            "System.out.print(++runs + list.size()); list.add(1);",
            "static int runs; static List<Integer> list = new ArrayList<>();",
        )
    )
    assert [printed(play(program.start(profile), [])) for _ in range(3)] == [["1"]] * 3


@both
def test_each_run_has_new_settings(make, profile):
    """Changes of one run to the properties, the locale and the time zone of Java are gone in the next."""
    program = make(
        main(
            'System.out.printf("%s %.1f %s", System.getProperty("seen"), 1.5, TimeZone.getDefault().getID().equals("Asia/Tokyo"));'
            'System.setProperty("seen", "yes"); Locale.setDefault(Locale.GERMANY); TimeZone.setDefault(TimeZone.getTimeZone("Asia/Tokyo"));'
        )
    )
    assert [printed(play(program.start(profile), [])) for _ in range(2)] == [["null 1.5 false"]] * 2


def test_no_run_can_tell_by_random_numbers_and_hash_codes_how_many_there_were(make):
    """Random numbers begin anew in each run, by a seed of their own, and all objects have one hash code."""
    program = make(
        main(
            """
            var seeds = Random.class.getDeclaredField("seedUniquifier");
            seeds.setAccessible(true);
            var numbers = Class.forName("java.lang.Math$RandomNumberGeneratorHolder").getDeclaredField("randomNumberGenerator");
            numbers.setAccessible(true);
            var seed = Random.class.getDeclaredField("seed");
            seed.setAccessible(true);
            String state = seed.get(numbers.get(null)).toString();
            System.out.print(seeds.get(null) + " " + new Object().hashCode());
            System.out.print(state.equals(java.security.Security.getProperty("state")) ? " goes on" : " is new");
            new Random();
            Math.random();
            java.security.Security.setProperty("state", seed.get(numbers.get(null)).toString());
            """
        )
    )
    assert [printed(play(program.start(SHARED), [])) for _ in range(3)] == [["8682522807148012 1 is new"]] * 3


def test_numbers_drawn_by_math_are_the_same_in_each_run_and_others_where_others_are_asked_for(make):
    """No grade hangs on the numbers that one run happened to draw; another seed shows that a program draws some."""
    program = make(main('System.out.print(Math.random() + " " + Math.random());'))
    first, other, again = (printed(play(program.start(SHARED, seed=seed), [])) for seed in (None, 1, None))
    assert first == again != other


def test_a_shared_machine_has_seen_the_runs_of_one_profile_alone(make):
    """Leftovers of a hidden case in Java itself are not found by a run for a visible case."""
    program = make(
        main(
            'System.out.print(java.security.Security.getProperty("left")); java.security.Security.setProperty("left", "it");'
        )
    )
    runs = [SHARED_HIDDEN, SHARED_HIDDEN, SHARED, FRESH, SHARED, SHARED_HIDDEN]
    assert [printed(play(program.start(profile), [])) for profile in runs] == [
        ["null"],
        ["it"],
        ["null"],
        ["null"],
        ["it"],
        ["it"],
    ]


@both
def test_each_run_has_an_empty_folder(make, profile):
    """A file that one run left is not there in the next."""
    program = make(main('System.out.print(new File("scores").exists()); new FileWriter("scores").close();'))
    assert [printed(play(program.start(profile), [])) for _ in range(2)] == [["false"]] * 2


@both
@pytest.mark.parametrize(
    ("code", "kind"), [(0, EndingKind.ENDED), (3, EndingKind.EXIT_CODE), (-1, EndingKind.EXIT_CODE)]
)
def test_exit_ends_a_run_at_once(make, profile, code, kind):
    """Nothing of the program runs after System.exit: no finally block, no handler, no other run either."""
    program = make(
        main(
            f'try {{ System.out.print("a"); System.exit({code}); }} catch (Throwable t) {{ System.out.print("b"); }} finally {{ System.out.print("c"); }}'
        )
    )
    for _ in range(3):
        transcript = play(program.start(profile), [])
        assert (printed(transcript), transcript.ending.kind) == (["a"], kind)


def test_a_program_that_always_exits_still_shares_a_machine(make):
    """Four hundred runs in a row end by System.exit, with as many parked threads as a JVM takes and a new JVM after that."""
    program = make(main("System.out.print(new Scanner(System.in).nextLine()); System.exit(0);"))
    assert {tuple(printed(play(program.start(SHARED), ["x\n"]))) for _ in range(400)} == {("", "x")}


def test_runs_that_are_left_waiting_still_share_a_machine(make):
    """A hundred and fifty runs in a row are left where they wait, and the next is not disturbed."""
    program = make(GAME)
    assert {tuple(printed(play(program.start(SHARED), ["1\n"]))) for _ in range(150)} == {
        ("3 left, take? ", "2 left, take? ")
    }


def test_runs_that_are_left_take_no_memory_from_the_next(make):
    """Forty runs that hold a quarter of their memory each are left where they wait, and each finds the memory that it may have."""
    program = make(main('byte[] held = new byte[16 << 20]; System.out.print("?"); System.in.read();'), memory="64 MiB")
    assert {tuple(printed(play(program.start(SHARED), []))) for _ in range(40)} == {("?",)}


@both
def test_exit_through_a_reference_or_from_a_thread(make, profile):
    """System.exit ends a run as well when it is called through a method reference, or while another thread waits."""
    program = make(
        main(
            'java.util.function.IntConsumer end = System::exit; new Thread(() -> { System.out.print("t"); end.accept(2); }).start();'
            "while (true) Thread.sleep(1000);"
        )
    )
    for _ in range(2):
        transcript = play(program.start(profile), [])
        assert (printed(transcript), transcript.ending.kind) == (["t"], EndingKind.EXIT_CODE)


@both
def test_a_run_lasts_as_long_as_its_threads(make, profile):
    """The output of a thread after main has returned belongs to the run, and that of a daemon later does not."""
    program = make(
        main(
            "Thread d = new Thread(() -> { while (true) try { Thread.sleep(50); } catch (InterruptedException e) {} }); d.setDaemon(true); d.start();"
            'new Thread(() -> { try { Thread.sleep(100); } catch (InterruptedException e) {} System.out.print("late"); }).start();'
        )
    )
    for _ in range(2):
        transcript = play(program.start(profile), [])
        assert (printed(transcript), transcript.ending.kind) == (["late"], EndingKind.ENDED)


@both
def test_shutdown_hooks_run(make, profile):
    """The output of a hook at the end is printed, once in each run."""
    program = make(
        main(
            'Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.print("bye"))); System.out.print("hi ");'
        )
    )
    assert [printed(play(program.start(profile), [])) for _ in range(2)] == [["hi bye"]] * 2


@both
def test_an_exception_has_a_place_in_the_source(make, profile):
    """The ending says what was thrown, where in the student's file, and through which methods it came."""
    transcript = play(
        make(main("int[] rows = new int[3];\nrows[new Scanner(System.in).nextInt()]--;")).start(profile), ["7\n"]
    )
    ending = transcript.ending
    assert ending.kind is EndingKind.EXCEPTION
    assert ending.message == ("uncaught exception: ArrayIndexOutOfBoundsException: Index 7 out of bounds for length 3")
    assert ending.place == "src/Main.java:6"
    assert "rows[new Scanner(System.in).nextInt()]--;" in ending.excerpt
    assert ending.last_steps == ("Main.main (Main.java:6)",)


@both
def test_an_exception_inside_of_java_points_at_the_caller(make, profile):
    """Letters for a number: the place is the student's line, not one of Scanner's."""
    ending = play(make(GAME).start(profile), ["x\n"]).ending
    assert ending.message.startswith("uncaught exception: InputMismatchException")
    assert ending.place == "src/Main.java:9"


@both
def test_an_exception_of_a_static_field_is_named_by_its_cause(make, profile):
    """ExceptionInInitializerError says nothing to a beginner; its cause does."""
    ending = play(make(main("", 'static int n = Integer.parseInt("one");')).start(profile), []).ending
    assert ending.message == 'uncaught exception: NumberFormatException: For input string: "one"'
    assert ending.place == "src/Main.java:7"


@both
def test_a_cause_is_told(make, profile):
    """A wrapped exception is named with what it wraps."""
    ending = play(
        make(main('throw new RuntimeException("outer", new IOException("inner"));')).start(profile), []
    ).ending
    assert ending.message == "uncaught exception: RuntimeException: outer, caused by IOException: inner"


@both
def test_an_exception_of_another_thread_is_no_end(make, profile):
    """As in plain Java, only the main thread's exception makes a run fail."""
    source = main(
        'Thread t = new Thread(() -> { throw new IllegalStateException(); }); t.start(); t.join(); System.out.print("on");'
    )
    transcript = play(make(source).start(profile), [])
    assert (printed(transcript), transcript.ending.kind) == (["on"], EndingKind.ENDED)


@both
def test_a_recursion_without_end_is_said_in_words(make, profile):
    """StackOverflowError has its words, and the student's line; a recursion of 20,000 calls is no such thing."""
    program = make(
        main(
            "down(new Scanner(System.in).nextInt());", "static int down(int n) { return n == 0 ? 0 : 1 + down(n - 1); }"
        )
    )
    assert play(program.start(profile), ["20000\n"]).ending.kind is EndingKind.ENDED
    ending = play(program.start(profile), ["-1\n"]).ending
    assert (ending.kind, ending.place) == (EndingKind.EXCEPTION, "src/Main.java:7")
    assert ending.message == "a method calls itself without end (StackOverflowError)"


@both
def test_memory_is_limited(make, profile):
    """An array that fits into the limit is made; a list that grows without end is over it."""
    program = make(
        main(
            "byte[] a = new byte[24 << 20]; List<byte[]> l = new ArrayList<>(); new Scanner(System.in).next(); while (true) l.add(new byte[1 << 20]);"
        ),
        memory=64 << 20,
    )
    session = program.start(profile)
    assert session.advance() is None
    session.send("x\n")
    ending = session.advance()
    assert ending is not None
    assert (ending.kind, ending.place) == (EndingKind.MEMORY_LIMIT, "src/Main.java:5")


@both
def test_output_is_limited(make, profile):
    """Up to the limit all is kept; of ten megabytes what fits is kept, and the run is over."""
    program = make(
        main(
            'int n = new Scanner(System.in).nextInt(); StringBuilder s = new StringBuilder(); for (int i = 0; i < n; i++) System.out.print("1234567890");'
        ),
        output=100_000,
    )
    within = play(program.start(profile), ["10000\n"])
    assert (within.usage.output_bytes, within.ending.kind) == (100_000, EndingKind.ENDED)
    over = play(program.start(profile), ["1000000\n"])
    assert (over.usage.output_bytes, over.ending.kind) == (100_000, EndingKind.OUTPUT_LIMIT)


@both
def test_a_loop_without_end_is_stopped(make, profile):
    """The run is over its time, and the next one is as ever."""
    program = make(
        main('if (new Scanner(System.in).next().equals("loop")) while (true); System.out.print("fine");'),
        cpu=0.2,
        wall=3,
    )
    assert play(program.start(profile), ["loop\n"]).ending.kind is EndingKind.TIME_LIMIT
    assert printed(play(program.start(profile), ["end\n"])) == ["", "fine"]


@both
def test_many_threads_are_stopped(make, profile):
    """Six hundred threads are more than sixteen processes, also where threads of runs before are kept; ten are not."""
    program = make(
        main(
            "int n = new Scanner(System.in).nextInt(); Thread[] all = new Thread[n];"
            "for (int i = 0; i < n; i++) { all[i] = new Thread(() -> { try { Thread.sleep(1500); } catch (InterruptedException e) {} }); all[i].start(); }"
            'for (Thread t : all) t.join(); System.out.print("done");'
        )
    )
    assert printed(play(program.start(profile), ["10\n"])) == ["", "done"]
    assert play(program.start(profile), ["600\n"]).ending.kind is EndingKind.PROCESS_LIMIT


@both
def test_a_program_may_replace_its_streams(make, profile):
    """Text on a stream of the program's own is shown when it is flushed, and the next run has new streams."""
    program = make(
        main(
            'System.setOut(new PrintStream(new BufferedOutputStream(System.out), false)); System.out.print("kept "); System.out.flush();'
            'System.setIn(new ByteArrayInputStream("own\\n".getBytes())); System.out.print(new Scanner(System.in).nextLine()); System.out.flush();'
        )
    )
    assert [printed(play(program.start(profile), [])) for _ in range(2)] == [["kept own"]] * 2


@both
def test_a_program_may_close_its_streams(make, profile):
    """Closing System.in loses the input of this run alone, and closing System.out its output."""
    program = make(
        main(
            "Scanner in = new Scanner(System.in); System.out.print(in.next()); in.close();\n"
            'try { new Scanner(System.in).next(); } catch (NoSuchElementException e) { System.out.print(" none"); }'
            'System.out.close(); System.out.print("lost");'
        )
    )
    assert [printed(play(program.start(profile), ["x\n"])) for _ in range(2)] == [["", "x none"]] * 2


@both
def test_there_is_no_console_without_a_terminal(make, profile):
    """Over pipes System.console() is null, as Java has it."""
    assert printed(play(make(main("System.out.print(System.console());")).start(profile), [])) == ["null"]


def test_a_terminal_has_a_console(make):
    """A program on a terminal reads from its console, and an exception that it shows there is found."""
    source = main(
        'String s = System.console().readLine("name? "); System.console().printf("hello %s", s); int n = 1 / (s.length() - 3);'
    )
    transcript = play(make(source, terminal=True).start(FRESH), ["Eva\n"])
    assert transcript.turns[0].output == "name? "
    assert "hello Eva" in transcript.turns[1].output
    assert transcript.ending.message == "uncaught exception: ArithmeticException: / by zero"


FORGER = main(
    """
    var make = FileDescriptor.class.getDeclaredConstructor(int.class);
    make.setAccessible(true);
    var socket = new FileOutputStream((FileDescriptor) make.newInstance(3));
    socket.write(new Scanner(System.in).nextLine().getBytes());
    while (true) Thread.sleep(1000);
    """
)


@pytest.mark.parametrize(
    ("forged", "kind"),
    [
        ("?", EndingKind.SIGNAL),
        ("AA", EndingKind.SIGNAL),
        ("L", EndingKind.SIGNAL),
        ("X", EndingKind.TIME_LIMIT),
        ("X" * 1000, EndingKind.SIGNAL),
        ("\0" * 8, EndingKind.SIGNAL),
    ],
)
def test_a_forged_report_ends_at_most_the_run(make, forged, kind):
    """A JVM that says nonsense is killed, one that stops in the middle of a word runs out of time, and the next run is as ever."""
    program = make(FORGER, cpu=0.2)
    session = program.start(SHARED)
    assert session.advance() is None
    session.send(forged + "\n")
    ending = session.advance()
    assert ending is not None
    assert ending.kind is kind
    assert program.start(SHARED).advance() is None


@pytest.mark.parametrize("profile", [FRESH, ""])
def test_a_fresh_machine_has_no_host(make, profile):
    """Under the profile that decides, and where none is named, nothing of ours is in the JVM, and descriptor 3 leads nowhere."""
    source = main(
        'try { Class.forName("grader.host.CaseHost"); System.out.print("there"); } catch (ClassNotFoundException e) { System.out.print("no"); }'
    )
    assert printed(play(make(source).start(profile), [])) == ["no"]


def test_profiles_can_be_mixed(make):
    """A run under one profile does not end the JVM of the other, and nobody mistakes whose turn it is."""
    program = make(GAME)
    for profile in (SHARED, FRESH, SHARED, FRESH, SHARED):
        assert printed(play(program.start(profile), ["1\n"])) == ["3 left, take? ", "2 left, take? "]


@both
def test_a_main_that_is_inherited_or_nested_can_be_started(make, profile):
    """``main`` may come from a superclass, and the class may be nested and not public."""
    source = 'class Top { public static void main(String[] a) { System.out.print("top"); } }\nclass Main extends Top { static class Low extends Top {} }'
    assert printed(play(make(source).start(profile), [])) == ["top"]
    assert printed(play(make(source, main="Main$Low").start(profile), [])) == ["top"]


@both
def test_files_lie_beside_the_program(make, profile):
    """A program can read what was handed in with it, in folders too, and each run finds it as it was."""
    reads = """
    System.out.print(new Scanner(new File("words/hello.txt")).next());
    new File("words/hello.txt").delete();
    try (PrintStream out = new PrintStream("one.txt")) { out.print("two"); } catch (IOException e) { }
    System.out.print(new Scanner(new File("one.txt")).next());
    """
    program = make(main(reads))
    told = [printed(play(program.start(profile), [])) for _ in range(3)]
    assert told in ([["helloone"]] * 3, [["hellotwo"]] * 3)
