"""Which encoding the names of an archive are in."""

from __future__ import annotations

import random

import pytest

from grader.intake.encoding import best_encoding, decode_names, readable_names

SURNAMES = (
    "王李张刘陈杨黄赵周吴徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭"
)
GIVEN = "伟佩俊信健光兰军冬凝凡凯力勇卓南博友吉善嘉坤培墨天太奇婉媛子季宁宇安宏宜实容寒尚岚峰川帆平幸康建弘彬微德怡悦捷敏旭昊晨曦朋松枫柔桐楚殿泉润渊潇"
TAIWAN_SURNAMES = "王李張劉陳楊黃趙周吳徐孫馬朱胡郭何高林羅鄭梁謝宋唐許韓馮鄧曹彭曾蕭田董袁潘蔡余杜葉程蘇魏呂丁沈姚盧"
TAIWAN_GIVEN = "偉佩俊信健光蘭軍冬凱力勇卓南博友吉善嘉坤培天奇婉媛子季寧宇安宏宜實容尚峰川帆平幸康建弘彬德怡悅捷敏旭晨朋松柔楚殿泉潤淵"


def archive_names(seed: int, surnames: str, given: str, count: int) -> list[str]:
    """Names of archives as students choose them."""
    dice = random.Random(seed)

    def name() -> str:
        person = dice.choice(surnames) + "".join(dice.choices(given, k=dice.choice([1, 2, 2])))
        return f"PB{dice.randrange(10**8):08d} {person} LAB04.zip"

    return [name() for _ in range(count)]


@pytest.mark.parametrize("count", [1, 30])
@pytest.mark.parametrize(
    ("encoding", "surnames", "given"),
    [
        ("gb18030", SURNAMES, GIVEN),
        ("utf-8", SURNAMES, GIVEN),
        ("big5", TAIWAN_SURNAMES, TAIWAN_GIVEN),
    ],
)
def test_names_of_students_are_decoded(encoding, surnames, given, count):
    """At least 198 of 200 archives of one or of thirty students are decoded as they were written."""
    archives = [archive_names(seed, surnames, given, count) for seed in range(200)]
    right = [list(decode_names([n.encode(encoding) for n in names])) == names for names in archives]
    assert sum(right) >= 198


@pytest.mark.parametrize(
    ("encoding", "names"),
    [
        ("cp932", ["01_田中さくら_レポート.zip", "02_鈴木一郎_レポート.zip"]),
        ("cp437", ["Müller_17.zip", "Nuñez_18.zip"]),
        ("gb18030", ["誠.asm", "張海博.zip", "实验报告"]),  # the second byte of a character is 0x5C
        ("utf-8", ["José.zip"]),
    ],
)
def test_other_scripts(encoding, names):
    """Japanese, western and mixed names come out as they were written."""
    assert list(decode_names([name.encode(encoding) for name in names])) == names


def test_ascii_needs_no_guess():
    """Plain names are UTF-8, and no names at all are too."""
    assert best_encoding([b"nim.asm"]) == best_encoding([]) == "utf-8"


def test_one_mangled_name_does_not_decide():
    """One name that is not GBK leaves the others as they are."""
    names = [name.encode("gb18030") for name in archive_names(1, SURNAMES, GIVEN, 20)]
    assert best_encoding([*names, b"\xff\xff.asm"]) == "gb18030"
    assert decode_names([*names, b"\xff\xff.asm"])[-1] == "\ufffd\ufffd.asm"


def test_very_many_names_are_sampled():
    """The first ones of thousands of names decide, in alphabetical order."""
    names = [f"1{name}".encode("gb18030") for name in archive_names(1, SURNAMES, GIVEN, 400)]
    others = [f"2{name}".encode("big5") for name in archive_names(1, TAIWAN_SURNAMES, TAIWAN_GIVEN, 4_000)]
    assert best_encoding([*names, *others]) == "gb18030"
    assert best_encoding([*names[:10], *others]) == "big5"


def test_names_unpacked_on_linux():
    """A folder that was unpacked without regard to encoding has its GBK bytes as surrogates, and can still be read."""
    raw = "PB07210340 张海博".encode("gb18030").decode("utf-8", "surrogateescape")
    assert readable_names([raw, "李.zip", "nim.asm"]) == ("PB07210340 张海博", "李.zip", "nim.asm")
