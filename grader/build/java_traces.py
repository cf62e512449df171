"""Java programs that may share a JVM between their runs: those whose classes let no run leave a trace to a later one.

A program can change the classes of Java itself (a security property, a logger, a default). In a shared JVM such a change outlives its
run, and a later run could tell from it which cases came before. No list of such places is ever complete. So there is a list of
what ordinary console programs use and what keeps nothing. A program that refers to anything else has a fresh JVM for each run.
A class file names all classes and members that it refers to in its constant pool (JVMS 4.4), so nothing need be executed.

A run can still measure a shared JVM: how long something takes, and how much room the heap has.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Iterator, Mapping
from typing import Final, NamedTuple

_MOST: Final = 1 << 20
"""Bytes of classes that are looked at. Programs of beginners have a few thousand."""

_MAGIC: Final = 0xCAFEBABE
_FIRST: Final = 10
"""The place where the constants of a class file begin."""

_UTF8, _CLASS = 1, 7
_MEMBERS: Final = (9, 10, 11)
"""A field, a method, a method of an interface."""

_TWICE: Final = (5, 6)
"""A long and a double have two indices."""

_LAYOUTS: Final = {
    3: ">4x",  # an int
    4: ">4x",  # a float
    5: ">8x",
    6: ">8x",
    _CLASS: ">H",
    8: ">2x",  # a String: its text is a constant of its own
    **dict.fromkeys(_MEMBERS, ">HH"),
    12: ">HH",  # a name and a type
    15: ">3x",  # a method handle: what it leads to is a constant of its own
    16: ">2x",  # a method type
    18: ">4x",  # invokedynamic: its bootstrap method is a constant of its own
}
"""The bytes that follow the tag of a constant; javac makes no others of ordinary programs."""

_FREE: Final = frozenset(
    f"java/{package}/{name}"
    for package, names in {
        "lang": "Appendable AutoCloseable Boolean Byte CharSequence Character Cloneable Comparable Double Enum Float Integer Iterable"
        " Long Math Number Object Record Runnable Short StrictMath String StringBuffer StringBuilder Throwable Void",
        "io": "BufferedInputStream BufferedOutputStream BufferedReader BufferedWriter ByteArrayInputStream ByteArrayOutputStream"
        " Closeable DataInputStream DataOutputStream FilterInputStream FilterOutputStream Flushable InputStream InputStreamReader"
        " OutputStream OutputStreamWriter PrintStream PrintWriter PushbackReader Reader Serializable StreamTokenizer StringReader"
        " StringWriter Writer",
        "math": "BigDecimal BigInteger MathContext RoundingMode",
        "nio/charset": "StandardCharsets",
        "text": "DecimalFormat",
        "util": "AbstractCollection AbstractList AbstractMap AbstractMap$SimpleEntry AbstractQueue AbstractSet ArrayDeque ArrayList"
        " Arrays BitSet Collection Collections Comparator Deque EnumMap EnumSet Enumeration HashMap HashSet Hashtable Iterator"
        " LinkedHashMap LinkedHashSet LinkedList List ListIterator Map Map$Entry NavigableMap NavigableSet Objects Optional"
        " PriorityQueue Queue Random RandomAccess Scanner Set SortedMap SortedSet Stack StringJoiner StringTokenizer TreeMap TreeSet"
        " Vector",
        "util/regex": "MatchResult Matcher Pattern",
    }.items()
    for name in names.split()
)
"""Classes whose members may all be used but those that ``_KEEPING`` matches."""

_FREE_KINDS: Final = re.compile(r"java/(?:lang|io|util)/\w*(?:Exception|Error)")
"""And all that can be thrown."""

_KEEPING: Final = re.compile(
    r"\A(?:java/lang/Object\.finalize\b.*"  # runs when nobody waits for it, maybe in a later run
    r"|java/lang/String\.intern\b.*"  # tells what was interned before
    r"|java/util/Collections\.shuffle\(Ljava/util/List;\)V"  # by random numbers that all runs share
    r"|java/util/Arrays\.parallel.*"  # by threads that all runs share
    r"|java/io/Print(?:Stream|Writer)\.<init>\(Ljava/(?:lang/String|io/File);.*"  # opens a file
    r"|.*\.(?:setStackTrace|fillInStackTrace)\b.*)"  # of an error that the JVM has made beforehand
)

_IN_PART: Final = {
    "java/lang/Class": "desiredAssertionStatus getName getSimpleName",
    "java/lang/System": "arraycopy err exit in lineSeparator out setErr setIn setOut",  # the host gives each run new streams
    "java/lang/Thread": "sleep",
    "java/lang/invoke/MethodHandles": "",  # javac names both beside whatever is found at run time
    "java/lang/invoke/MethodHandles$Lookup": "",
    "java/lang/invoke/StringConcatFactory": "makeConcat makeConcatWithConstants",
    "java/lang/runtime/ObjectMethods": "bootstrap",
    "java/lang/runtime/SwitchBootstraps": "enumSwitch typeSwitch",
    "java/util/Locale": "CHINA CHINESE ENGLISH GERMAN GERMANY ROOT UK US",
}
"""Classes with some members that may be used. Lambdas are not among them: their names are numbered in the whole JVM."""


_REACHING: Final = re.compile(
    r"java/lang/(?:reflect|management|instrument|foreign)/.*|java/lang/(?:ClassLoader|Process\w*|StackWalker)\b.*"
    r"|java/lang/Class\.(?:forName|get(?:Declared)?(?:Method|Field|Constructor|Classe)s?|newInstance)"
    r"|java/lang/invoke/MethodHandles(?:\$Lookup)?\.\w+"
    r"|java/lang/Runtime\.(?:addShutdownHook|halt)|java/lang/System\.(?:setOut|setErr|inheritedChannel)"
    r"|java/io/(?:File\w*|RandomAccessFile)\b.*|java/nio/(?:file|channels)/.*|(?:sun|jdk|com/sun|org/junit)/.*"
)
"""Names that no lab of classes needs, and that a program needs to find its tests or to write their results."""


class _Reference(NamedTuple):
    """A reference of a class file: a class, and a member of it with its type, empty if only the class is meant."""

    owner: str
    member: str = ""
    type: str = ""

    def __str__(self) -> str:
        return ".".join(filter(None, (self.owner, self.member))).replace("/", ".")


def trace(classes: Mapping[str, bytes]) -> str:
    """Name a class or method through which these classes, given by path, could leave a trace for a later run in the same JVM.

    Returns an empty text if no name is found. Classes that cannot be read are named in words.
    """
    if sum(map(len, classes.values())) > _MOST:
        return "too many classes to look at"
    own = {path.removesuffix(".class") for path in classes}
    return _named(classes, lambda reference: not _is_free(reference, own))


def reach(classes: Mapping[str, bytes]) -> str:
    """Name a class or method through which these classes, given by path, could reach tests in the same JVM.

    Returns an empty text if no name is found.
    """
    return _named(classes, lambda one: _REACHING.fullmatch(f"{one.owner}{'.' * bool(one.member)}{one.member}"))


def _named(classes: Mapping[str, bytes], meant: Callable[[_Reference], object]) -> str:
    """The first reference of classes that is ``meant``."""
    try:
        references = (reference for data in classes.values() for reference in _references(data))
        return next((str(reference) for reference in references if meant(reference)), "")
    except (ValueError, LookupError, struct.error):  # no javac wrote it
        return "a class that cannot be read"


def _is_free(reference: _Reference, own: set[str]) -> bool:
    owner, member, kind = reference
    # The contents of an array are a class that is made elsewhere; its members are those of Object.
    if owner in own or owner.startswith("["):
        return True
    if owner in _IN_PART:
        return not member or member in _IN_PART[owner].split()
    if owner not in _FREE and not _FREE_KINDS.fullmatch(owner):
        return False
    return not _KEEPING.fullmatch(f"{owner}.{member}{kind}")


def _references(data: bytes) -> Iterator[_Reference]:
    """The references of a class file. Raises ValueError, LookupError or struct.error for other data."""
    texts: dict[int, str] = {}
    others: dict[int, tuple[int, ...]] = {}
    magic, count = struct.unpack_from(">I4xH", data)
    if magic != _MAGIC:
        raise ValueError("no class file")
    index, at = 1, _FIRST
    while index < count:
        tag = data[at]
        if tag == _UTF8:
            (length,) = struct.unpack_from(">H", data, at + 1)
            texts[index] = data[at + 3 : at + 3 + length].decode("utf-8", "replace")
            at += 3 + length
        else:
            others[index] = (tag, *struct.unpack_from(_LAYOUTS[tag], data, at + 1))
            at += 1 + struct.calcsize(_LAYOUTS[tag])
        index += 2 if tag in _TWICE else 1
    for tag, *fields in others.values():
        if tag == _CLASS:
            yield _Reference(texts[fields[0]])
        elif tag in _MEMBERS:
            owner, (_, member, kind) = others[fields[0]], others[fields[1]]
            yield _Reference(texts[owner[1]], texts[member], texts[kind])
    if "finalize" in texts.values():
        yield _Reference("java/lang/Object", "finalize")
