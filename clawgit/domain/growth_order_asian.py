"""How two orders in Chinese or in Korean stand to each other: a start, by their signs without the small words."""

import re
from functools import cache
from typing import NamedTuple

from clawgit.domain.growth_order_words import CONTRARY, OTHER, SAME, VALUE


class _Told(NamedTuple):
    denies: bool
    matter: str


def is_asian(text: str) -> bool:
    return _compiled(_SCRIPT).search(text) is not None


def asian(rule: str, line: str) -> str:
    """How the newer one stands to the older one."""
    new, old = _read(rule), _read(line)
    if not new.matter or not old.matter:
        return SAME if rule == line else OTHER
    if new.matter == old.matter:
        return SAME if new.denies == old.denies else CONTRARY
    if new.denies and not old.denies and len(new.matter) > 1 and new.matter in old.matter:
        return CONTRARY
    return VALUE if not new.denies and not old.denies and _excludes(new.matter, old.matter) else OTHER


def asian_denies(rule: str) -> bool:
    return _read(rule).denies


def asian_permits(rule: str) -> bool:
    return not _read(rule).denies and _compiled(_PERMITS).search(rule) is not None


def _excludes(mine: str, theirs: str) -> bool:
    """The same but for one word of a kind."""
    return any(
        mine.replace(one, "\0", 1) == theirs.replace(other, "\0", 1)
        for kind in _KINDS
        for one in kind
        for other in kind
        if one != other and one in mine and other in theirs
    )


def _read(text: str) -> _Told:
    for pattern, sign in _SAYS_THE_SAME:
        text = _compiled(pattern).sub(sign, text)
    bare, denials = _compiled(_DENIES).subn("", text)
    return _Told(denials % 2 == 1, _compiled(f"{_PERMITS}|{_SILENT}").sub("", bare))


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


_SCRIPT = "[\u3400-\u9fff\uac00-\ud7af]"
_DENIES = r"不可以?|不要|不准|不许|不能|不得|别|別|勿|禁止|지 ?마(?:세요|라)?|지 ?말(?:아|고|것)?[^\s.]{0,3}|금지|않"
_SILENT = (
    r"[\s.,。，！!、]|你|您|请|都|一定|务必|永远|千万|绝对|再|了|要|总是|每次|就|항상|언제나|절대로?|다시는|매번|앞으로"
    r"|(?:해|하여)? ?(?:줘|주세요|주십시오)|하세요|해라?(?=$|[.\s])|을|를|는|은|[으]?로(?=[\s.])"
)
_PERMITS = r"可以|能够|允许|[도되] ?돼|[도] ?(?:된다|괜찮)"
_SAYS_THE_SAME = (
    (r"英文|英语|英語", "英"), (r"德文|德语|德語", "德"), (r"中文|汉语|漢語|普通话", "中"), (r"法文|法语|法語", "法"),
    (r"日文|日语|日語", "日"), (r"韩文|韩语|韓語", "韩"), (r"西班牙文|西班牙语", "西"), (r"回复|答复|作答", "回答"),
    (r"대답|답변|응답|답(?!변)", "답"), (r"이모지|이모티콘", "이모지"), (r"表情符号", "表情"),
    (r"써|쓰|사용하?", "쓰"),
)  # fmt: skip
_KINDS = ("英德中法日韩西", ("영어", "독일어", "한국어", "중국어", "일본어", "프랑스어", "스페인어"),
               ("반말", "존댓말"), ("公制", "英制"), ("正式", "随意"))  # fmt: skip
