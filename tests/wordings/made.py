"""Programs made again from their names, such as ``pile-known-1-17``, and programs written to folders."""

from __future__ import annotations

from pathlib import Path
from random import Random

import yaml

from tests.wordings import board, known, pile
from tests.wordings.board import BoardWording
from tests.wordings.pile import PileWording

Wording = PileWording | BoardWording


def made(name: str) -> Wording:
    """The wording of a name: game, part of the vocabulary, seed, number. Every third program has no defect."""
    game, part, seed, number = name.split("-")
    random = Random(name)
    defects = sorted(pile.DEFECTS if game == "pile" else board.DEFECTS)
    Random(seed).shuffle(defects)
    count = int(number)
    defect = "" if count % 3 == 0 else defects[(count - 1 - count // 3) % len(defects)]
    if part == "known":
        vocabulary = known
    else:
        from tests.wordings import set_aside as vocabulary  # type: ignore[no-redef]
    if game == "pile":
        return pile.draw(name, vocabulary.PILE_TONGUES, vocabulary.PILE_MANNERS, random, defect)
    return board.draw(name, vocabulary.BOARD_TONGUES, vocabulary.BOARD_MANNERS, random, defect)


def write(wording: Wording, folder: Path) -> Path:
    """Write a program as a folder of its name, with what must come of it."""
    home = folder / wording.name
    (home / "submission").mkdir(parents=True, exist_ok=True)
    (home / "submission" / wording.file).write_text(wording.source(), encoding="utf-8")
    expected = {
        "assignment": "pile-nim" if isinstance(wording, PileWording) else "mips-connect4",
        "defect": wording.defect or None,
        "fails": list(wording.fails),
        "may_fail": list(wording.may_fail),
        "wording": in_words(wording),
    }
    text = yaml.safe_dump(expected, sort_keys=False, allow_unicode=True, width=130)
    (home / "expected.yaml").write_text(text, encoding="utf-8")
    return home


def in_words(wording: Wording) -> dict[str, object]:
    """The drawn part, without the rest."""
    found: dict[str, object] = {}
    for name in wording.__slots__:
        value = getattr(wording, name)
        if name in ("name", "plural", "numbers", "defect") or value in ("", None, (), False):
            continue
        if hasattr(value, "__slots__"):
            value = {key: getattr(value, key) for key in value.__slots__}
        found[name] = _plain(value)
    return found


def _plain(value: object) -> object:
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items() if one not in ("", None, False)}
    return list(value) if isinstance(value, tuple) else value
