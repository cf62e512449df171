"""A guess at the encoding of the names of an archive that does not declare it.

Theory of operation. An archive from a Chinese Windows holds names as GBK bytes and does not say it. One name is too
short to tell GBK from Big5 or Shift-JIS, but one tool wrote all names of an archive, so they are judged together. The
names are decoded in each candidate encoding, and the logarithms of simple probabilities are summed. Characters fall
into classes: names and coursework, common, rare, signs. A character's probability is that of its class divided by the
size of the class, so an encoding that turns the bytes into rare characters loses. ASCII weighs the same everywhere. A
name that an encoding cannot decode costs it much but does not rule it out: one mangled name must not decide for the
others.

Decoding comes before splitting at separators: the second byte of a Chinese character can be 0x5C, a backslash.
"""

from __future__ import annotations

import math
import os
import unicodedata
from collections.abc import Callable, Sequence

# Surnames, given names and the words of coursework, in the characters of the mainland and of Taiwan.
_SIMPLIFIED = frozenset(
    "王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏钟汪田任姜范方石姚谭"
    "廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易常武乔贺赖龚文海博伟芳娜敏静丽强磊军洋勇艳杰娟涛明超秀霞平刚桂英华玉兰红"
    "建国志梅鑫波斌宇浩凯健俊帆雪琳晨婷慧莹佳颖雨欣怡晓东南西北春秋天子思心一二三四五六七八九十大小学生号姓名实验报告作业程序设计课程计算"
    "机系统原理数据结构语言汇编班级组第次提交代码源文件夹新建最终版本说明文档题目答案项目期末中上下的"
)
_TRADITIONAL = frozenset(
    "王李張劉陳楊趙黃周吳徐孫胡朱高林何郭馬羅梁宋鄭謝韓唐馮于董蕭程曹袁鄧許傅沈曾彭呂蘇盧蔣蔡賈丁魏薛葉閻余潘杜戴夏鍾汪田任姜范方石姚譚"
    "廖鄒熊金陸郝孔白崔康毛邱秦江史顧侯邵孟龍萬段雷錢湯尹黎易常武喬賀賴龔文海博偉芳娜敏靜麗強磊軍洋勇艷傑娟濤明超秀霞平剛桂英華玉蘭紅"
    "建國志梅鑫波斌宇浩凱健俊帆雪琳晨婷慧瑩佳穎雨欣怡曉東南西北春秋天子思心一二三四五六七八九十大小學生號姓名實驗報告作業程式設計課程計算"
    "機系統原理資料結構語言組合班級組第次提交代碼源檔案夾新建最終版本說明文件題目答案項目期末中上下的淑惠雅玲宜君家豪冠廷怡宗翰"
)
_WESTERN = frozenset("ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜáíóúñÑß")
_ASCII = math.log(1 / 60)
# One archive with a hundred thousand names kept the planning of a whole class waiting.
_ENOUGH = 8_192  # bytes of names
_BACKSLASH = math.log(1 / 5_000)  # rarer than it seems: most are the second bytes of characters
_UNDECODABLE = math.log(1e-9)

_Cost = Callable[[str], float]


def _share(probability: float, size: int) -> float:
    return math.log(probability / size)


def _utf8(char: str) -> float:
    code = ord(char)
    if char in _SIMPLIFIED or char in _TRADITIONAL or 0xC0 <= code < 0x180:
        return _share(0.5, 500)
    if unicodedata.category(char)[0] == "C":
        return _UNDECODABLE
    return _share(0.3, 30_000) if code >= 0x800 else _share(0.02, 1_500)


def _by_lead(char: str, codec: str, classes: Sequence[tuple[int, float, int]]) -> float:
    """The cost of a character of two bytes.

    The first byte tells its class; each class has a bound, a share and a size.
    """
    lead = char.encode(codec)[0]
    return next(_share(probability, size) for bound, probability, size in classes if lead < bound)


def _gb18030(char: str) -> float:
    if char in _SIMPLIFIED:
        return _share(0.7, len(_SIMPLIFIED))
    try:
        char.encode("gb2312")
    except UnicodeEncodeError:
        return _share(0.005, 25_000)
    return _by_lead(char, "gb18030", ((0xB0, 0.015, 600), (0xD8, 0.25, 3_755), (0x100, 0.03, 3_008)))


def _big5(char: str) -> float:
    if char in _TRADITIONAL:
        return _share(0.7, len(_TRADITIONAL))
    return _by_lead(char, "big5", ((0xA4, 0.015, 400), (0xC9, 0.25, 5_401), (0x100, 0.03, 7_652)))


def _shift_jis(char: str) -> float:
    if "\u3041" <= char <= "\u30ff":
        return _share(0.5, 170)
    if "\uff61" <= char <= "\uff9f":
        return _share(0.02, 63)
    return _by_lead(char, "cp932", ((0x88, 0.05, 500), (0x98, 0.4, 2_965), (0x100, 0.03, 3_390)))


# In the order in which they are preferred; the number is the logarithm of how often such an archive comes in.
_CANDIDATES: tuple[tuple[str, float, _Cost], ...] = (
    *(("utf-8", 0.0, _utf8), ("gb18030", -0.1, _gb18030), ("big5", -2.0, _big5)),
    ("cp932", -2.0, _shift_jis),
    ("cp437", -1.0, lambda char: _share(0.93, len(_WESTERN)) if char in _WESTERN else _share(0.01, 90)),
)


def best_encoding(names: Sequence[bytes]) -> str:
    """The encoding that makes the most sense of all these names together; ``utf-8`` where they are plain ASCII."""
    foreign, size = [], 0
    for name in sorted({name for name in names if not name.isascii()}):
        foreign.append(name)
        size += len(name)
        if size > _ENOUGH:
            break
    scores = {codec: prior + sum(_score(n, codec, cost) for n in foreign) for codec, prior, cost in _CANDIDATES}
    return max(scores, key=scores.__getitem__)  # of equal ones the first


def _score(name: bytes, codec: str, cost: _Cost) -> float:
    try:
        text = name.decode(codec)
    except UnicodeDecodeError:
        return len(name) * _UNDECODABLE
    return sum((_BACKSLASH if char == "\\" else _ASCII) if char.isascii() else cost(char) for char in text)


def decode_names(names: Sequence[bytes]) -> tuple[str, ...]:
    """The names of one archive as text; what cannot be decoded becomes U+FFFD."""
    encoding = best_encoding(names)
    return tuple(name.decode(encoding, errors="replace") for name in names)


def readable_names(names: Sequence[str]) -> tuple[str, ...]:
    """The names of one folder as text: on Linux an unpacked GBK name arrives as surrogates that stand for its bytes."""
    # Python gives bytes that are no UTF-8 as lone surrogates.
    odd = [name for name in names if any("\ud800" <= char <= "\udfff" for char in name)]
    decoded = dict(zip(odd, decode_names([_raw(name) for name in odd]), strict=True))
    return tuple(decoded.get(name, name) for name in names)


def _raw(name: str) -> bytes:
    try:
        return os.fsencode(name)
    except UnicodeEncodeError:  # a lone surrogate that Windows let through
        return name.encode("utf-8", "replace")
