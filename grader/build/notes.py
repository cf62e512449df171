"""Where in its source a program in C or C++ broke, or goes round and round: notes that it takes of itself in a run of their own.

Theory of operation. A few lines of ours are linked into every program. They do nothing unless a variable of the environment
asks for notes, which no run does by which anything is judged: a verdict cannot hang on them. Where it asks, the program
writes to its control socket the addresses from which the functions that are active were called: when a signal breaks it,
and, where samples are wanted, every few milliseconds that it computes. The compiler's own ``addr2line`` makes lines of the addresses, in a cage,
since what it reads was made of what a student wrote. Nobody traces the program, so that the walls of its cage stay as they are.

What a note says can be forged by the program. It is shown beside a finding, and nothing else is done with it.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from grader.build.tool import TOOL_LIMITS
from grader.sandbox import Cage, Command, complete
from grader.sessions.noted import Active, Note

WANTED: Final = "GRADER_NOTES"
BROKEN: Final = "broken"
SAMPLES: Final = "samples"
"""The variable of the environment: ``broken`` asks for a note where a signal breaks the program, ``samples`` for samples as well."""

DEEPEST: Final = 48
"""So many calls are told of each place, the innermost ones."""

LINKED: Final = b"""#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#ifdef __GLIBC__
#include <errno.h>
#include <execinfo.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
#endif

/* Over pipes the C library would keep a prompt back until the program ends. */
__attribute__((constructor)) static void as_on_a_terminal(void)
{
    setvbuf(stdin, NULL, _IOLBF, BUFSIZ);
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
}

#ifdef __GLIBC__
/* Who seeds random numbers by the time would do something else in each run: each run begins at the same time, and another one only
   where other random numbers are asked for. Weak, since a program may call a thing of its own so. */
static long drawn(void)
{
    const char *seed = getenv("GRADER_SEED");
    return seed ? atol(seed) : 0;
}

__attribute__((weak)) time_t time(time_t *place)
{
    static struct timespec began;
    struct timespec now;
    time_t passed;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (!began.tv_sec)
        began = now;
    passed = now.tv_sec - began.tv_sec - (now.tv_nsec < began.tv_nsec) + 100003 * drawn();
    if (place)
        *place = 1700000000 + passed;
    return 1700000000 + passed;
}

__attribute__((constructor)) static void draw_otherwise(void)
{
    if (drawn())
        srand((unsigned)drawn() + 1);
}

#define DEEPEST 48
#define OURS 2                  /* this handler, and what the system calls it by */
#define CHANNEL 3

extern const char __executable_start[];

struct note {
    int signal, depth;
    unsigned long start;
    void *at[DEEPEST];
};

static void take_note(int number)
{
    int error = errno;
    void *frames[DEEPEST + OURS];
    struct note note;
    ssize_t told;
    memset(&note, 0, sizeof note);
    note.signal = number;
    note.start = (unsigned long)__executable_start;
    if (number != SIGPROF)      /* where the way back is damaged, looking for it breaks the program again */
        told = write(CHANNEL, &note, sizeof note);
    note.depth = backtrace(frames, DEEPEST + OURS) - OURS;
    if (note.depth > 0)
        memcpy(note.at, frames + OURS, (size_t)note.depth * sizeof *frames);
    told = write(CHANNEL, &note, sizeof note);
    (void)told;
    errno = error;
}

__attribute__((constructor)) static void take_notes(void)
{
    static const int broken[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP};
    static char room[1 << 16];  /* a stack of its own: a recursion without end leaves none */
    const char *wanted = getenv("GRADER_NOTES");
    void *loaded[1];
    stack_t other;
    struct sigaction action;
    struct itimerval tick = {{0, 4000}, {0, 4000}};
    size_t i;
    if (!wanted)
        return;
    memset(&other, 0, sizeof other);
    other.ss_sp = room;
    other.ss_size = sizeof room;
    memset(&action, 0, sizeof action);
    action.sa_handler = take_note;
    action.sa_flags = SA_ONSTACK | SA_RESETHAND;        /* the second time the signal does what it always does */
    backtrace(loaded, 1);       /* the first call loads a library, which no handler may do */
    sigaltstack(&other, NULL);
    for (i = 0; i < sizeof broken / sizeof *broken; i++)
        sigaction(broken[i], &action, NULL);
    if (*wanted != 's')
        return;
    action.sa_flags = SA_ONSTACK | SA_RESTART;
    sigaction(SIGPROF, &action, NULL);
    setitimer(ITIMER_PROF, &tick, NULL);
}
#endif
"""
"""Linked into every program; any edition of the language must take it, and without a warning."""

_NOTE: Final = struct.Struct(f"=iiQ{DEEPEST}Q")
_MOST_NOTES: Final = 200
_EXECUTABLE: Final = 2  # the type of an ELF file that lies where its addresses say
_FAR: Final = 1 << 30  # no program of a student is so large: what lies behind is a library
_BLOCK: Final = re.compile(r"^0x([0-9a-f]+)$")
_SOURCE: Final = re.compile(r"^(?P<file>.*):(?P<line>\d{1,7})(?: \(discriminator \d+\))?$")
_ENVIRONMENT: Final = {"PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8"}


def read(data: bytes, program: bytes, cage: Cage) -> tuple[Note, ...]:
    """What a program noted, with the lines of its source; ``cage`` is an empty one, for the tool. None that makes no sense.

    Raises JudgeError where the tool cannot be run.
    """
    fixed = program[16:18] == struct.pack("=H", _EXECUTABLE)
    raw = [
        _addresses(data[at : at + _NOTE.size], fixed=fixed) for at in range(0, len(data) - _NOTE.size + 1, _NOTE.size)
    ]
    if len(raw) > _MOST_NOTES:
        step = len(raw) / _MOST_NOTES
        raw = [raw[int(number * step)] for number in range(_MOST_NOTES)]
    wanted = sorted({address for _, addresses in raw for address in addresses if address is not None})
    lines = _looked_up(wanted, program, cage) if wanted else {}
    return tuple(
        Note(
            signal,
            tuple(
                one for address in addresses for one in (lines.get(address) or (Active(),) if address else (Active(),))
            ),
            deep=len(addresses) == DEEPEST,
        )
        for signal, addresses in raw
    )


def _addresses(note: bytes, *, fixed: bool) -> tuple[int, list[int | None]]:
    """The signal of a note, and the addresses in the program's file; None for one that lies elsewhere.

    But for the innermost they are those to which calls return: the call itself stands before.
    """
    signal, depth, start, *frames = _NOTE.unpack(note)
    base = 0 if fixed else start
    found: list[int | None] = []
    for number, frame in enumerate(frames[: max(0, depth)]):
        inside = 0 < frame - start < _FAR
        found.append(frame - base - (number > 0) if inside else None)
    return signal, found


def _looked_up(addresses: Sequence[int], program: bytes, cage: Cage) -> Mapping[int, tuple[Active, ...]]:
    """The functions at these addresses; where one was put into another, both, the inner one first."""
    cage.put("program", program)
    words = ("addr2line", "-e", "program", "-a", "-f", "-i", "-C")
    lines: dict[int, tuple[Active, ...]] = {}
    asked = Command((*words, *map(hex, addresses)), TOOL_LIMITS, _ENVIRONMENT, watch_reads=False)
    told = complete(cage, asked).output.decode("utf-8", "replace").splitlines()
    starts = [number for number, line in enumerate(told) if _BLOCK.match(line)]
    for start, end in zip(starts, [*starts[1:], len(told)], strict=True):
        pairs = told[start + 1 : end]
        lines[int(told[start], 16)] = tuple(_read_active(pairs))
    return lines


def _read_active(told: Sequence[str]) -> Iterator[Active]:
    for function, place in zip(told[::2], told[1::2], strict=False):
        match = _SOURCE.match(place)
        known = match is not None and match["file"] != "??"
        yield Active(function.partition("(")[0], match["file"], int(match["line"])) if match and known else Active()
