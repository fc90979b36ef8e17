"""What a Chinese or Korean clause is about: its words, or pairs of signs where nothing stands between words."""

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise

from clawgit.domain.quantity import Amount, tokens
from clawgit.domain.statement_cjk import bare, figures, is_korean
from clawgit.domain.statement_gist import Gist


def read(clause: str) -> Gist:
    """The gist of a clause; what a part of it denies beside another is past."""
    found = [_part(part) for part in _COMMA.split(_BEFORE_FIGURES.sub(" ", figures(clause))) if part.strip(" .。!！")]
    told = [one for one in found if not one.denied] or found
    gone = [one for one in found if one.denied] if len(told) < len(found) else []
    return Gist(
        things=_all(one.things for one in told),
        nouns=_all(one.nouns for one in told),
        acts=_all(one.acts for one in told),
        amounts=tuple(x for one in told for x in one.amounts),
        old=_all((*(one.things for one in gone), *(one.old for one in told))),
        focus=_all(one.things for one in told if one.denied),
        denied=all(one.denied for one in told),
        fresh=bool(_FRESH.search(clause)),
        head=told[0].head if told else "",
    )


def _part(text: str) -> Gist:
    amounts = [*_persons(text), *(token.amount for token in tokens(text) if token.amount)]
    plain = _PERSON.sub(" ", text)
    for one in amounts:
        plain = plain.replace(one.said.strip(), " ")
    old: frozenset[str] = frozenset()
    if moved := _MOVED.search(plain):
        past = moved["ko"] or moved["zh"]
        old, plain = frozenset(_words(past)), plain.replace(past, " ")
    words = [*_words(plain)]
    acts = frozenset(words[-1:] if is_korean(text) and len(words) > 1 else ())
    return Gist(
        things=frozenset(words),
        nouns=frozenset(words) - acts,
        acts=acts,
        amounts=tuple(amounts),
        denied=len(_NOT.findall(text)) % 2 == 1,
        old=old,
        head=words[0] if words else "",
    )


def _persons(text: str) -> Iterator[Amount]:
    """Who has a part, as a value: a surname with its title."""
    if _IS.search(text):
        for found in _PERSON.finditer(text):
            yield Amount("person", (float(ord((found[1] or found[2] or found[3])[0])), 0.0), found[0])


def _words(text: str) -> Iterator[str]:
    for run in _BETWEEN.split(text.casefold()):
        if is_korean(run):
            if (word := bare(run)) and word not in _LIGHT and not _NOT.fullmatch(run):
                yield word
        elif run.isascii() or len(run) < _PAIR:
            if run.strip("-./ ") and not run.isdigit():
                yield run
        else:
            yield from ("".join(two) for two in pairwise(run))


def _all(found: Iterable[frozenset[str]]) -> frozenset[str]:
    return frozenset[str]().union(*found)


_PAIR = 2
_BEFORE_FIGURES = re.compile(r"(?<=[\u4e00-\u9fff\uac00-\ud7af])(?=\d)")
_COMMA = re.compile("[,，;；]")
_PERSON = re.compile(
    "([\u4e00-\u9fff])(?:老师|先生|女士|医生|教授|经理|阿姨|工(?!作|程|具|资))|姓([\u4e00-\u9fff])"
    "|([\uac00-\ud7af]) (?:교수|선생|과장|부장|팀장|대리|원장|씨)님?"
)
_IS = re.compile("是|为|姓|归|由|找|负责|이다|입니다|담당|님\\W*$")
_MOVED = re.compile(
    "(?P<ko>[\uac00-\ud7af\\w]{1,20})에서 [^.]{1,30}?(?:바꿨|바뀌|변경|옮겼|옮김|이전|교체)"
    "|从(?P<zh>[^,，]{1,12}?)(?=换|改|切换|迁|搬)"
)
_NOT = re.compile(
    "不再|没有|不|没|别(?!人|的)|无(?!线)|勿|停用|取消|않\\S*|못\\S*|(?<!\\S)안(?!\\S)|없(?!는)\\S*|말[고아]\\S*"
)
_FRESH = re.compile("现在|开始|起|改|换|搬|이제|지금|부터|바꿨|옮겼|변경")
_BETWEEN = re.compile(
    r"[\s,，、。.()]+|[的了是在要把给用从和与或才就都也还再我们你他她它个这那有起不没由归向往走到为定报上来只请先]"
    "|一律|任何|现在|目前|已经|时间|日期|价格|公司|时候|全部"
)
_LIGHT = frozenset(("가격", "시간", "날짜", "이제", "지금", "현재", "우리", "매", "매주", "원", "명", "개"))
