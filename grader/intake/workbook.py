"""Workbooks (XLSX), read and written by openpyxl if the extra ``xlsx`` is installed.

Only the first sheet matters, as texts.
"""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from contextlib import closing
from typing import Any

from grader.errors import UsageError
from grader.intake.names import clean

MAGIC = b"PK\x03\x04"  # as which a workbook is packed
_TEXT = "@"  # the format of a cell whose number is a name
# characters of a column: reasons in the review column have hundreds
_WIDEST = 40  # characters

# Errors of openpyxl for damaged workbooks, which it takes for sound. Both readers of XML raise a SyntaxError.
_OF_FILES = (zipfile.BadZipFile, zlib.error, OSError, EOFError)
_FAULTS = (*_OF_FILES, SyntaxError, LookupError, ValueError, TypeError, AttributeError, NotImplementedError)


def read_rows(data: bytes, place: str) -> list[list[str]]:
    """The cells of the first sheet as people see them: a formula gives its value.

    Raises UsageError if it is no workbook.
    """
    openpyxl = _library(place)
    try:
        with closing(openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True)) as book:
            return [[_seen(value) for value in row] for row in book.worksheets[0].iter_rows(values_only=True)]
    except _FAULTS as fault:
        raise UsageError("is no workbook that can be read", place=place, hint="save it as CSV") from fault


def new(rows: Sequence[Sequence[str]], numbers: Sequence[int] = ()) -> bytes:
    """A workbook with one sheet of texts, and of numbers in those columns; no text in it is ever a formula."""
    book = _library("").Workbook()
    sheet = book.active
    for at, row in enumerate(rows, 1):
        for column, text in enumerate(row, 1):
            _write(sheet.cell(at, column), text, is_number=at > 1 and column - 1 in numbers)
    sheet.freeze_panes = "A2"
    for column in sheet.columns:
        longest = max(len(str(cell.value or "")) for cell in column)
        sheet.column_dimensions[column[0].column_letter].width = min(_WIDEST, longest + 2)
    return _packed(book)


def changed(data: bytes, cells: Mapping[tuple[int, int], str], place: str) -> bytes:
    """A workbook with new texts in cells of its first sheet, by row and column from 0.

    All else stays, even formulas.
    """
    book = _library(place).load_workbook(io.BytesIO(data))
    for (row, column), text in cells.items():
        _write(book.worksheets[0].cell(row + 1, column + 1), text, is_number=False)
    return _packed(book)


def _library(place: str) -> Any:
    try:
        import openpyxl
    except ImportError:
        message = "workbooks are read and written only where openpyxl is installed"
        raise UsageError(message, place=place, hint="save it as CSV, or pip install 'grader[xlsx]'") from None
    return openpyxl


def _write(cell: Any, text: str, *, is_number: bool) -> None:
    if is_number and re.fullmatch(r"-?\d{1,9}(\.\d{1,9})?", text):
        cell.value = float(text) if "." in text else int(text)
    elif text:
        cell.value = text
        cell.data_type, cell.number_format = "s", _TEXT  # openpyxl takes what begins with = for a formula
    else:
        cell.value = None


def _packed(book: Any) -> bytes:
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def _seen(value: object) -> str:
    """A cell as its author sees it: a number that is a student's has no decimals."""
    if value is None:
        return ""
    # Excel keeps every number as a float: 4711 comes as 4711.0.
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    # The apostrophe is ours: it keeps a text from being read as a formula.
    return clean(str(value)).strip().removeprefix("'")
