"""Names of files: noise that systems leave behind, the owner of a submission, and identifiers safe as file names."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable
from pathlib import PurePosixPath

from grader.submission import ARCHIVE_SUFFIXES, without_suffix
from grader.values import dataclass

# A file with any other ending lies beside a program, or is not a submission.
PROGRAM_SUFFIXES = (".asm", ".s", ".c", ".cc", ".cpp", ".cxx", ".java", ".py")

# Files that macOS, Windows and network shares put into each folder that somebody opens.
_NOISE_FILES = (".ds_store", "thumbs.db", "ehthumbs.db", "desktop.ini", "icon\r")
_NOISE_FOLDERS = ("__macosx", "__pycache__", ".git", ".svn", ".hg", ".idea", ".vscode", ".trashes", ".fseventsd")
_NOISE_PREFIXES = ("._", "~$", ".nfs")
# A hyphen between letters belongs to a name, as in Jean-Luc; Chinese tools write wide brackets and commas.
_SEPARATORS = re.compile(r"[\s_+,;.()\[\]{}（）【】《》、，—–]+|(?<![A-Za-z])-|-(?![A-Za-z])")
# Words of the assignment that students put before and behind their names, in English and Chinese.
_WORK = re.compile(
    r"lab|hw|homework|assignment|project|submissions?|report|final|late|实验|实验报告|报告|作业|大作业|课程设计",
    re.IGNORECASE,
)
# a number, or a word with one: PB07210340, LAB04, v2, 4a
_NUMBERED = re.compile(r"\A[^\W\d_]*[\d.#-]+[a-z]?", re.IGNORECASE)
# 第一次实验, 实验二, 大作业: the number of a lab in Chinese numerals.
_NUMBERED_WORK = re.compile(r"\A(第?[一二三四五六七八九十]+[次个]?)?(实验|作业|报告|大)+第?[一二三四五六七八九十]*次?")
# Windows opens a device for such a name, whatever stands behind its first dot.
_RESERVED = re.compile(r"(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?", re.IGNORECASE)
# Characters of an identifier, which names pages: ext4 takes 255 bytes of a name, and a Chinese character has three.
_LONGEST_ID = 60
_LONGEST_SHOWN = 120  # characters of a name in a sentence: a member of an archive may have one of thousands
_LONGEST_NUMBER = 7  # digits that tell equal names apart


def is_noise(path: str) -> bool:
    """Whether a path (with forward slashes) is a leftover of a system or a tool, at any level."""
    return any(
        part.lower() in (*_NOISE_FILES, *_NOISE_FOLDERS) or part.startswith(_NOISE_PREFIXES) for part in path.split("/")
    )


def joined(folder: str, name: str) -> str:
    """The path of a name in a folder; the path of the root is empty."""
    return f"{folder}/{name}" if folder else name


def is_archive(name: str) -> bool:
    """Whether a file has the name of an archive."""
    return name.lower().endswith(ARCHIVE_SUFFIXES)


def is_program(name: str) -> bool:
    """Whether a file has the name of a source file."""
    return name.lower().endswith(PROGRAM_SUFFIXES)


def clean(text: str) -> str:
    """The text in composed form, with U+FFFD for control, format and surrogate characters and for line separators."""
    composed = unicodedata.normalize("NFC", text)
    bad = ("Cc", "Cf", "Cs", "Zl", "Zp")
    return "".join("\ufffd" if unicodedata.category(c) in bad else c for c in composed)


def shown(name: str) -> str:
    """A name of any origin as it may stand in a sentence: clean, and not longer than a line."""
    text = clean(name)
    return text if len(text) <= _LONGEST_SHOWN else text[: _LONGEST_SHOWN - 1] + "…"


@dataclass(frozen=True, slots=True)
class Identity:
    """The owner of a submission, read from its name: a person's name, and a number or login. Both may be empty."""

    student: str
    student_id: str


def identify(name: str, pattern: str | None, *, loose_file: bool = False) -> Identity:
    """The owner of an archive, folder or file of this name.

    ``pattern`` is the spec's regular expression for student numbers; its first group counts if it has one. The
    student's name is the file name without the number and without words such as ``LAB04``; a loose file also loses
    words in lower case, which name the program. A word with digits within it, such as ``r5py``, is an account or a
    drawn lot: then nothing is removed.
    """
    text = clean(name).strip()
    stem = (stem_of(text) if loose_file else without_suffix(text)).strip() or text
    match = re.search(pattern, stem) if pattern else None
    student_id = (match.group(1 if match.re.groups else 0) or "") if match else ""
    rest = stem.replace(student_id, " ") if student_id else stem
    parts = [word for word in _SEPARATORS.split(rest) if word]
    # Accounts such as r5py and lots such as x9Y2a would lose their middle to the words of a name.
    if any(map(_is_account, parts)):
        return Identity(rest.strip(" _-") if student_id else stem, student_id)
    words = [
        word
        for word in parts
        if not (any(map(str.isdigit, word)) or _WORK.fullmatch(word) or _NUMBERED_WORK.fullmatch(word))
        and not (loose_file and word.isascii() and word.islower())
    ]
    return Identity(" ".join(words) or student_id or stem, student_id)


def stem_of(name: str) -> str:
    """The name of a file or an archive without its suffix."""
    bare = without_suffix(name)
    return PurePosixPath(name).stem if bare == name else bare


def _is_account(word: str) -> bool:
    """Whether digits stand within a word of letters; a number with a few letters, such as 2021CS0012, is a number."""
    # 2021CS0012 has more digits than letters and is a number; r5py has fewer and is an account.
    digits = sum(char.isdigit() for char in word)
    return 0 < digits <= len(word) / 2 and not _NUMBERED.fullmatch(word)


def safe_id(text: str) -> str:
    """The text as an identifier that any system takes as a file name: letters of any script, digits, ``-``, ``_``, ``.``."""
    kept = "".join(c if unicodedata.category(c)[0] in "LMN" or c in "-_." else "-" for c in clean(text))
    name = re.sub(r"-{2,}", "-", kept).strip("-.") or "submission"
    if len(name) > _LONGEST_ID:
        digest = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:8]
        name = f"{name[: _LONGEST_ID - 9].rstrip('-.')}-{digest}"
    return f"_{name}" if _RESERVED.fullmatch(name) else name


def is_safe_id(text: str) -> bool:
    """Whether a text is an identifier made by `safe_id` and `unique_ids`, and so names one file in any folder."""
    stem, number = text.rpartition("-")[::2]
    numbered = stem if number.isdecimal() and len(number) < _LONGEST_NUMBER else text
    return bool(text) and text in (safe_id(text), f"{safe_id(numbered)}-{number}")


def unique_ids(wanted: Iterable[str]) -> tuple[str, ...]:
    """The identifiers in their order, made different (also where case is ignored) by ``-2``, ``-3`` … on later ones."""
    requests = list(wanted)
    taken: set[str] = set()
    reserved = {name.casefold() for name in requests}
    ids: list[str] = []
    for name in requests:
        candidate, number = name, 1
        # macOS and Windows take a.html and A.html for one file.
        while candidate.casefold() in taken or (number > 1 and candidate.casefold() in reserved):
            number += 1
            candidate = f"{name}-{number}"
        taken.add(candidate.casefold())
        ids.append(candidate)
    return tuple(ids)
