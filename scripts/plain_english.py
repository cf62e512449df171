"""Finds hard English in code, documents and messages.

A hit is one of the fixed phrases of ``PHRASES``, or a sentence of more than LONGEST words. ``plain_english.yaml`` beside this file has the
exceptions, at most MOST of them, each with its reason. Any other hit is an error, and so is an exception without a hit.

    scripts/plain_english.py                every error (`make words`; `make test` checks the same)
    scripts/plain_english.py PATH ...       every hit in these files and folders
    scripts/plain_english.py --openings ... sentences that begin with What, Who, Where, Of ...: a list to review, no error

The result depends on the files alone.
"""

from __future__ import annotations

import argparse
import ast
import inspect
import re
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[1]
LIST = Path(__file__).with_suffix(".yaml")
LONGEST = 30
"""Maximum words of a sentence. CONTRIBUTING asks for about 20; longer ones than this must be read twice."""

MOST = 20
"""Maximum exceptions: with more of them the list would be a second place to hide in."""

PHRASES = re.compile(
    r"\b(?:(?:[Ii]s|[Aa]re) none|(?i:of which|by which|no other than|all the same|but for))\b"  # None is a word of Python's
    r"|, too(?=[.:;!?)]|\Z)|\bbesides(?=[.:;!?)]|\Z)"
)
OPENINGS = re.compile(r"(?:What|Who|Where|Of|By|Whether)\b")

_MADE = frozenset(("build", "dist", "reports"))
"""Folders of the root that commands write."""

_NOT_OURS = frozenset(("catalogues", "fixtures", "golden", "vectors", "__pycache__"))
"""Folders at any depth with the words of programs, of other languages, or that tests write."""

_QUOTING = frozenset(("scripts/plain_english.py", "scripts/plain_english.yaml", "tests/test_plain_english.py"))
"""Files that must write the phrases to speak of them."""

_SUFFIXES = frozenset((".c", ".css", ".h", ".html", ".java", ".js", ".md", ".py", ".toml", ".yaml", ".yml"))
_SMALL = re.compile(
    r"(?:an?|the|is|are|was|be|been|of|to|in|on|at|by|for|from|with|as|that|which|what|where|its?|not?|and|or|but)",
    re.IGNORECASE,
)
"""Small words: every sentence has them, and tables and programs do not."""

_FEWEST = 4
"""Words of the shortest sentence."""

_WORD = re.compile(r"[^\W_][\w’'-]*")
_PART = "\f"
"""A sign for the end of a text that others follow."""

_END = re.compile(
    r"(?<=[.!?])[\"”’)\]]*\s+(?=[\"“(\[‘`*_]*[A-Z0-9])|\f|\n[ \t]*\n|\n(?=[ \t]*(?:[-*+>•]|\d+\.)[ \t])|\n(?=    )"
)
_BLANK = " \t\n\r\f"
_CODE = re.compile(r"``[^`]*``|`[^`\n]*`")
_IN_C = re.compile(
    r"(?P<comment>/\*.*?\*/|//[^\n]*)|\"(?P<text>(?:\\.|[^\"\\\n])*)\"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`", re.DOTALL
)
_TAG = re.compile(r"</?(?:a|abbr|b|code|em|i|kbd|small|span|strong)\b[^>]*>")

Text = tuple[int, str]
"""A stretch of prose, and the line that it begins on. Lines within it are kept."""


@dataclass(frozen=True, order=True)
class Hit:
    """One thing to mend: the file, the line, its kind, and the sentence."""

    path: str
    line: int
    what: str
    sentence: str

    def __str__(self) -> str:
        """One line, with a place that editors follow."""
        return f"{self.path}:{self.line}: {self.what}: {self.sentence[:120]}"


# ------------------------------------------------------------------------------------------------- prose in files of each kind


def _python(text: str) -> Iterator[Text]:
    """Docstrings, comments, and literals that read like a sentence."""
    masked = [line.encode() for line in text.split("\n")]
    known: set[int] = set()  # parts of f-strings, and docstrings
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            known.add(id(node.value))
            _mask(masked, node.value)
            yield node.lineno, inspect.cleandoc(node.value.value)
        elif isinstance(node, ast.JoinedStr) and id(node) not in known:
            known.update(map(id, ast.walk(node)))
            _mask(masked, node)
            yield node.lineno, "".join(str(one.value) if isinstance(one, ast.Constant) else "7" for one in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in known:
            _mask(masked, node)
            yield node.lineno, node.value.replace("\n", f"\n{_PART}")
    yield from _comments([line.decode() for line in masked], re.compile(r"#+!?:? ?"))


def _mask(lines: list[bytes], node: ast.expr) -> None:
    """Blank a literal in the lines, so that no hash in it begins a comment."""
    last = (node.end_lineno or node.lineno) - 1
    for number in range(node.lineno - 1, last + 1):
        line = lines[number]
        start = node.col_offset if number == node.lineno - 1 else 0
        end = (node.end_col_offset or 0) if number == last else len(line)
        lines[number] = line[:start] + b" " * (end - start) + line[end:]


def _comments(lines: list[str], mark: re.Pattern[str]) -> Iterator[Text]:
    """The text behind a mark; lines that hold only a mark and text belong together."""
    found = [mark.search(line) for line in lines]
    texts = [line[mark.end() :] if mark else "" for line, mark in zip(lines, found, strict=True)]
    behind = [bool(mark and line[: mark.start()].strip()) for line, mark in zip(lines, found, strict=True)]
    return _blocks([f"{_PART}{text}{_PART}" if code else text for text, code in zip(texts, behind, strict=True)])


def _blocks(lines: list[str]) -> Iterator[Text]:
    """Lines that stand below each other, up to one that is empty."""
    begun, block = 0, list[str]()
    for number, line in enumerate([*lines, ""], start=1):
        if line.strip():
            begun = begun if block else number
            block.append(line)
        elif block:
            yield begun, "\n".join(block)
            block = []


def _markdown(text: str) -> Iterator[Text]:
    """All but fences of code; the cells of a table one by one."""
    lines, fenced = [], False
    for line in text.split("\n"):
        fence = line.lstrip().startswith(("```", "~~~"))
        fenced = fenced != fence
        plain = "" if fence or fenced else re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", line)
        apart = plain.startswith(("|", "#", ">"))
        lines.append("" if re.fullmatch(r"[\s|:#>-]*", plain) else f"{plain.replace('|', _PART)}{_PART * apart}")
    return _blocks(lines)


def _c(text: str) -> Iterator[Text]:
    """Comments and texts of C, Java, JavaScript and CSS; comments that are lines below each other are one text."""
    lines = [""] * (text.count("\n") + 2)
    for found in _IN_C.finditer(text):
        first = text.count("\n", 0, found.start())
        if not found["comment"]:
            yield first + 1, found["text"] or ""
            continue
        behind = text[text.rfind("\n", 0, found.start()) + 1 : found.start()].strip()
        for number, line in enumerate(found["comment"].split("\n"), start=first):
            lines[number] = re.sub(r"^\s*(?:/\*+|\*+/?|//+)|\*/$", "", line)
        if behind:
            lines[first] = f"{_PART}{lines[first]}{_PART}"
    yield from _blocks(lines)


def _hashed(text: str) -> Iterator[Text]:
    """Comments behind a hash."""
    return _comments(text.split("\n"), re.compile(r"(?:^|(?<=\s))#+ "))


def _yaml(text: str) -> Iterator[Text]:
    """Comments, and the sentences of a spec; transcripts are the words of programs."""
    yield from _hashed(text)
    try:
        waiting = [yaml.compose(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))]
    except yaml.YAMLError:  # a form that a command fills in
        return
    while waiting:
        node = waiting.pop()
        if isinstance(node, yaml.ScalarNode) and node.style != "|":
            yield node.start_mark.line + 1, node.value
        elif isinstance(node, yaml.SequenceNode):
            waiting += node.value
        elif isinstance(node, yaml.MappingNode):
            waiting += [value for _, value in node.value]


def _html(text: str) -> Iterator[Text]:
    """The text between tags that part paragraphs."""
    bare = re.sub(r"<(script|style)\b.*?</\1>", lambda found: "\n" * found[0].count("\n"), text, flags=re.DOTALL)
    bare = re.sub(r"\{[{%#].*?[}%#]\}", lambda found: "7" + "\n" * found[0].count("\n"), bare, flags=re.DOTALL)
    bare = re.sub(r"<[^>]*>", lambda found: "\0" + "\n" * found[0].count("\n"), _TAG.sub("", bare))
    begun = 1
    for piece in bare.split("\0"):
        yield begun, piece
        begun += piece.count("\n")


_READERS: Mapping[str, Callable[[str], Iterable[Text]]] = {
    ".md": _markdown, ".html": _html, ".yaml": _yaml, ".yml": _hashed, ".toml": _hashed, ".py": _python,
    **dict.fromkeys((".c", ".h", ".java", ".js", ".css"), _c),
}  # fmt: skip


# ---------------------------------------------------------------------------------------------------------------- sentences


def sentences(texts: Iterable[Text]) -> Iterator[Text]:
    """The sentences of texts, each on one line, with the line of the file that it begins on."""
    for begun, text in texts:
        plain = _CODE.sub(lambda found: "Code" + "\n" * found[0].count("\n"), text)
        at = 0
        for end in [*(found.end() for found in _END.finditer(plain)), len(plain)]:
            sentence = plain[at:end]
            lead = len(sentence) - len(sentence.lstrip(_BLANK))
            if lead < len(sentence):
                yield begun + plain.count("\n", 0, at + lead), " ".join(sentence.strip(_BLANK).split())
            at = end


def _reads_as_prose(words: list[str]) -> bool:
    """Whether words are a sentence rather than a table, a program or a list of names."""
    return len(words) >= _FEWEST and 8 * sum(bool(_SMALL.fullmatch(word)) for word in words) >= len(words)


def hits_in(path: str, text: str) -> list[Hit]:
    """The hits in a file."""
    found = []
    for line, sentence in sentences(_READERS[Path(path).suffix](text)):
        words = _WORD.findall(sentence)
        if not _reads_as_prose(words):
            continue
        found += [Hit(path, line, f"“{phrase[0].strip(', ')}”", sentence) for phrase in PHRASES.finditer(sentence)]
        if len(words) > LONGEST:
            found.append(Hit(path, line, f"{len(words)} words", sentence))
    return found


def openings_in(path: str, text: str) -> list[Hit]:
    """Sentences that begin with a word that points instead of naming."""
    told = sentences(_READERS[Path(path).suffix](text))
    return [
        Hit(path, line, "opening", one)
        for line, one in told
        if OPENINGS.match(one) and not one.endswith("?") and _reads_as_prose(_WORD.findall(one))
    ]


# ------------------------------------------------------------------------------------------------------ files and exceptions


def files(root: Path = ROOT) -> Iterator[str]:
    """The files of ours that people read, from the root."""
    for path in sorted(root.iterdir()):
        if path.name.startswith(".") or path.name in _NOT_OURS or path.name.endswith(".egg-info"):
            continue
        if root == ROOT and path.name in _MADE:
            continue
        if path.is_dir():
            yield from (f"{path.name}/{one}" for one in files(path))
        elif path.suffix in _SUFFIXES:
            yield path.name


@dataclass(frozen=True)
class Allowed:
    """An exception: hits in this file whose sentence holds this text are no errors, for this reason."""

    path: str
    text: str
    why: str

    def covers(self, hit: Hit) -> bool:
        """Whether it allows a hit."""
        return hit.path == self.path and self.text in hit.sentence


def allowed() -> list[Allowed]:
    """The exceptions beside this file."""
    return [Allowed(**one) for one in yaml.safe_load(LIST.read_text(encoding="utf-8")) or ()]


def errors(hits: Iterable[Hit], exceptions: Collection[Allowed]) -> list[str]:
    """Lines on every hit without an exception, every exception without a hit or a reason, and a list that is too long."""
    found = list(hits)
    lines = [str(hit) for hit in found if not any(one.covers(hit) for one in exceptions)]
    lines += [f"{LIST.name}: no hit any more: {one.text}" for one in exceptions if not any(map(one.covers, found))]
    lines += [f"{LIST.name}: no reason: {one.text}" for one in exceptions if not one.why]
    if len(exceptions) > MOST:
        lines.append(f"{LIST.name}: {len(exceptions)} exceptions, and {MOST} are the most")
    return lines


def every(look: Callable[[str, str], list[Hit]], paths: Iterable[str]) -> list[Hit]:
    """The hits in files."""
    return [
        hit for path in paths if path not in _QUOTING for hit in look(path, (ROOT / path).read_text(encoding="utf-8"))
    ]


def main() -> int:
    """The command line; 1 if anything is an error."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="*", type=Path)
    parser.add_argument("--openings", action="store_true")
    options = parser.parse_args()
    wanted = [path.resolve().relative_to(ROOT) for path in options.paths]
    chosen = [one for one in files() if not wanted or any(Path(one).is_relative_to(path) for path in wanted)]
    hits = sorted(every(openings_in if options.openings else hits_in, chosen))
    review = options.openings or bool(options.paths)
    lines = list(map(str, hits)) if review else errors(hits, allowed())
    print("\n".join([*lines, f"{len(hits)} hits in {len(chosen)} files"]))
    return 0 if review else bool(lines)


if __name__ == "__main__":
    sys.exit(main())
