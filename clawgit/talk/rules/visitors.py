"""Who writes: in the operator's place, somebody else may, or the part that the operator plays."""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from functools import cache
from itertools import chain

from clawgit.language.clauses import core, is_small_talk
from clawgit.language.lexicon import has_any, lexicons_for
from clawgit.language.tokens import fold, tokens
from clawgit.talk.rules.chat import ANOTHER, USER, Message, unwrapped
from clawgit.talk.rules.passages import LONGEST, own
from clawgit.talk.rules.wording import is_article, pattern, table

VISIT = timedelta(hours=6)
"""So long after saying who they are, somebody else may still write in a session."""

PLAY = timedelta(hours=1)
"""So long after the beginning of a play, a practice or a dream, nobody may speak of themselves."""

_LONGEST_GREETING = 3  # words: “Dear Ms Keller”

_CAPITAL = r"(?-i:[A-ZÀ-ÖØ-Þ])[^\W\d_]+"
_NAME = rf"({_CAPITAL}(?: {_CAPITAL})?|[\u30a1-\u30fc]{{2,}}|(?-i:[가-힣\u3400-\u9fff]){{1,3}}?)"


def told_apart(messages: Iterable[Message], names: Sequence[str]) -> Iterator[Message]:
    """The messages, in the order of time. Where the writer says that they are not the operator, or
    opens a play, a message has another role, and so has what follows in its session until the
    operator is named or the visit is over. `names` are the operator's.
    """
    ends: dict[str, datetime] = {}
    for message in messages:
        now, is_user = message.time, message.role == USER
        end = ends.get(message.session, now)
        visit = _visit(own(unwrapped(message.text)[:LONGEST]), names) if is_user else None
        if visit is not None:
            end = ends[message.session] = max(end, now + visit) if visit else now
        yield message._replace(role=ANOTHER) if is_user and now < end else message


def _visit(text: str, names: Sequence[str]) -> timedelta | None:
    """How long the operator does not speak from this message on, as it opens a play or begins by
    saying who writes; None if it does not.
    """
    if pattern("plays").search(text):
        return PLAY
    if not names:
        return None
    text = text.lstrip(" (（")
    if _denies_being(names, text):
        return VISIT
    at = _introductions().search(text)
    if at is None:
        return timedelta.resolution if _is_letter(names, text) else None
    before = text[: at.start()]
    if not is_small_talk(before) and core(text[: at.end()]).start != at.start():
        return None
    *_, name = filter(None, at.groups())
    first = fold(name).split()[0]
    is_operator = any(first in fold(each) or fold(each) in first for each in names)
    name = first if at["plain"] else ""
    return timedelta() if is_operator else _stay(before, name, text[at.end() :], names)


def _stay(before: str, name: str, after: str, names: Sequence[str]) -> timedelta | None:
    """The same for somebody with this name. What may be a place, or a letter to the operator, is
    only left alone.
    """
    knows = _speaks_of(names, after)
    if not knows and (not name or _is_thing(name, after)):
        return None
    is_met = knows or has_any(before, "greetings", "courtesies") or has_any(after, "persons", "kin")
    return VISIT if is_met and not _speaks_of(names, before) else timedelta.resolution


def _is_letter(names: Iterable[str], text: str) -> bool:
    """Whether a line opens a letter to the operator: “Dear Ms Keller,”."""
    owns = tuple(chain.from_iterable(fold(name).split() for name in names))
    heads = (fold(re.split("[,，!！、]", line.strip())[0]) for line in text.splitlines())
    return any(
        head.endswith(owns)
        and len(tokens(head)) <= _LONGEST_GREETING
        and has_any(head, "greetings")
        for head in heads
    )


def _denies_being(names: Iterable[str], text: str) -> bool:
    """Whether a text begins with who the writer is to the operator, or that they are another:
    “I'm Judith's brother”.
    """
    rows = "|".join(chain(*table("strangers").values()))
    at = re.search(rf"(?<!\w)(?:{rows})(?!\w)".replace("NAME", _owns(names)), fold(text))
    return at is not None and (not at.start() or is_small_talk(text[: at.start()]))


def _owns(names: Iterable[str]) -> str:
    owns = "|".join(re.escape(fold(name).split()[0]) for name in names)
    return f"(?:{owns})"


def _speaks_of(names: Iterable[str], text: str) -> bool:
    return re.search(rf"(?<![a-zß-ÿ]){_owns(names)}s?(?![a-zß-ÿ])", fold(text)) is not None


def _is_thing(name: str, after: str) -> bool:
    """Whether a name is a word, or what follows describes it: “This is Harbor, the new project”."""
    is_word = any(name in each.known for each in lexicons_for(name + after))
    return is_word or any(is_article(token.text) for token in tokens(after)[:1])


@cache
def _introductions() -> re.Pattern[str]:
    kinds = table("introductions").values()
    plain, others, behind = ("|".join(chain(*rows.values())) for rows in kinds)
    ends = rf"(?=\s*(?:[,.;:!，。、！…—–-]|\Z)|\s(?:{behind})\b)"
    rows = rf"(?<!\w)(?:(?P<plain>{plain})|{others}){ends}"
    return re.compile(rows.replace("NAME", _NAME), re.IGNORECASE)
