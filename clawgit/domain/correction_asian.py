"""Chinese and Korean corrections, as “是柏林，不是巴黎” and “파리가 아니라 베를린이야”."""

import re
from collections.abc import Iterator
from functools import cache

from clawgit.domain.correction_objection import Objection


def is_asian(text: str) -> bool:
    """Whether some of a text is written in Chinese or Korean."""
    return _ASIAN.search(text) is not None


def is_denied(text: str) -> bool:
    """Whether a Chinese or Korean message says that something is wrong, be it that it names nothing right."""
    return _WRONG.search(text) is not None


def asian(text: str) -> Iterator[Objection]:
    """“是柏林，不是巴黎”, “파리가 아니라 베를린이야”, “不对，端口是 9090”."""
    for pattern in _contrasts():
        if found := pattern.search(text):
            wrong = next(iter(found["wrong"].split()[-1:]), "")
            yield Objection(found["value"].strip(), found["value"].strip(), wrong, firm=True)
            return
    firm = _ASIAN_FIRM.search(text) is not None
    for clause in _ASIAN_CLAUSE.split(text):
        bare_clause = _BY_NOW.sub("", _ASIAN_OPENING.sub("", clause.strip()))
        found = (
            _KOREAN_STATED.search(bare_clause)
            or (_KOREAN_VALUE.search(bare_clause) if firm else None)
            or _ASIAN_STATED.search(bare_clause)
        )
        if found and not clause.rstrip().endswith(("?", "？", "吗", "까")):
            yield Objection(found[0].strip(), found["value"].strip(), firm=firm, whole=bool(found["subject"].strip()))


@cache
def _contrasts() -> tuple[re.Pattern[str], ...]:
    return (
        re.compile(r"不是(?P<wrong>[^，,。而]{1,30})[，,]?(?:而)?是(?P<value>[^，,。！]{1,40})"),
        re.compile(r"是(?P<value>[^，,。不]{1,30})[，,]?不是(?P<wrong>[^，,。！]{1,40})"),
        re.compile(
            r"不再?(?:用|在|住|去|吃|喝)\s?(?P<wrong>[^，,。了]{1,30}?)\s?了?[，,]\s?(?:我们|我|已经|现在|都|而是)*(?:换成|改成|改用|换到|搬到|改为|用|在|去)"
            r"\s?(?P<value>[^，,。！了]{1,40})"
        ),
        re.compile(
            r"(?:改用|换成|改成|换到|搬到)(?P<value>[^，,。了]{1,30})了?[，,]不再?(?:用|是|在)?(?P<wrong>[^，,。！了]{1,30})"
        ),
        re.compile(
            r"(?P<verb>[\u4e00-\u9fff])\s?(?P<value>[^，,。了不]{1,20})了?[，,]不再?(?P=verb)\s?(?P<wrong>[^，,。！了]{1,20})"
        ),
        re.compile(
            r"不再?(?P<verb>[\u4e00-\u9fff])\s?(?P<wrong>[^，,。了]{1,20}?)\s?了?[，,](?:我们|我|已经|现在|都|改)*(?P=verb)\s?"
            r"(?P<value>[^，,。！了]{1,20})"
        ),
        re.compile(
            r"(?:从|把)\s?(?P<wrong>[^，,。]{1,30}?)\s?(?:换成|改成|改为|搬到|换到)了?\s?(?P<value>[^，,。！了]{1,40})"
        ),
        re.compile(
            r"(?P<wrong>[^,.]{1,30}?)(?:이|가)? 아니(?:라|고),? (?P<value>[^\s,.!]{1,20}?)"
            r"(?:이에요|예요|이야|야|입니다|이다|으로|로|에서|에)?(?=[\s,.!]|$)"
        ),
        re.compile(
            r"(?P<wrong>[^\s,.]{1,20}?)(?:에서|말고|대신) (?P<value>[^\s,.!]{1,20}?)"
            r"(?:으로|로|에)? ?(?:바꿨|옮겼|변경|바뀌|갈아탔)"
        ),
        re.compile(
            r"(?P<wrong>[^\s,.]{1,20}?)(?:에서|으로|로)? (?:말고|대신(?:에)?) (?P<value>[^\s,.!]{1,20}?)"
            r"(?:으로|에서|한테|로|에|을|를|이|가)?(?=[\s,.!]|$)"
        ),
    )


_ASIAN = re.compile(r"[\u3400-\u9fff\uac00-\ud7af]")
_ASIAN_FIRM = re.compile(r"不对|错了|记错|说过|讲过|告诉过|忘了|不是这样|아니|틀렸|말했|잊었|잊어|얘기했|그게 아니")
_WRONG = re.compile(r"(?<!对)不对(?!劲|起)|错了|记错|搞错|不是这样|틀렸|잘못 (?:알|기억)|그게 아니")
_ASIAN_CLAUSE = re.compile(r"[，,。！!.;；](?=\s|[^\d\w]|[\u3400-\u9fff\uac00-\ud7af]|$)|\n")
_ASIAN_OPENING = re.compile(r"^(?:不|不对|不是|其实|对了|啊|哦|我说过|现在|아니요?|사실|참)+\s?")
_BY_NOW = re.compile(r"(?<=[\u4e00-\u9fff])(?:早就|早已|早|已经)(?=改成|改到|换成|搬到|是|叫|在)")
_ASIAN_STATED = re.compile(
    r"^(?P<subject>[^是在叫]{0,30}?)(?:是|在|叫|改成|改到|换成|搬到)了?\s?(?P<value>[^了吗呢吧]{1,40})"
)
_KOREAN_VALUE = re.compile(
    r"^(?P<subject>)(?P<value>\S.{0,20}?)(?:이에요|예요|이야|야|입니다|에요|(?:이)?라고 \S*[했말]\S*)[.!]?$"
)
_KOREAN_STATED = re.compile(
    r"^(?P<subject>\S.{0,30}?(?:은|는|이|가)) (?P<value>[^\s].{0,30}?)"
    r"(?:이에요|예요|이야|야|입니다|이다|에요|임|으로 바뀌\S*|로 바뀌\S*)[.!]?$"
)
