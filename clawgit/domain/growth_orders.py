"""How two orders to the agent stand to each other: the same, one within the other, another value, the contrary.

To lose an order is worse than to keep it twice: what differs in a word that carries meaning is another order.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from operator import ge, le
from typing import NamedTuple

from clawgit.domain.contradiction import contradiction
from clawgit.domain.growth_order_asian import asian, asian_denies, asian_permits, is_asian
from clawgit.domain.growth_order_words import (
    CONTRARY,
    DENIES,
    DIRECTED,
    EXACTER,
    EXCEPTION,
    KINDS,
    NAMES,
    NARROWER,
    NARROWS,
    OTHER,
    SAME,
    SAYS_THE_SAME,
    SILENT,
    VALUE,
    WIDER,
)
from clawgit.domain.growth_themes import own_words, theme_of
from clawgit.domain.quantity import Amount, Token, differ, tokens
from clawgit.domain.statement_pair import kinds
from clawgit.domain.statement_words import PREPOSITIONS
from clawgit.domain.stems import stem


class Order(NamedTuple):
    """`matter` are the words that carry meaning, each with its part in the order; `cases` are those of them that may
    tell in which cases it is meant, `about` those that its theme does not say. `verb` is what it begins with,
    `names` are the words that are written like one.
    """

    denies: bool
    permits: bool
    theme: str
    verb: str
    matter: frozenset[str]
    about: frozenset[str]
    cases: frozenset[str]
    names: frozenset[str]
    amounts: tuple[Amount, ...]


def stands(rule: str, line: str) -> str:
    """How a newer order stands to an older one."""
    found = _by_words(rule, line)
    if found != OTHER or is_asian(rule) or is_asian(line):
        return found
    return VALUE if _excludes(rule, line) else OTHER


def same(one: str, other: str) -> bool:
    """Whether two orders ask for the same behaviour, in whatever words."""
    return _by_words(one, other) == SAME


def permits(rule: str) -> bool:
    """Whether it only takes back an order: “you may …”, “you need not …”."""
    return asian_permits(rule) if is_asian(rule) else _compiled(_PERMITS).match(rule) is not None


@lru_cache(maxsize=1 << 12)
def read(rule: str) -> Order:
    """What an order asks for."""
    plain = _plain(rule)
    found = tokens(plain)
    words = [token.word for token in found]
    theme = theme_of(rule)
    parts = list(_parts(found))
    matter = frozenset(f"{role}{word}" for role, word, _ in parts)
    own = own_words(theme)
    verb = next((word for role, word, _ in parts if not role), "")
    return Order(
        denies=sum(word in DENIES for word in words) % 2 == 1,
        permits=permits(rule),
        theme=theme,
        verb=verb,
        matter=matter - {"answer"} or matter,
        about=frozenset(f"{role}{word}" for role, word, _ in parts if word not in own),
        cases=frozenset(f"{role}{word}" for role, word, narrows in parts if narrows),
        names=frozenset(stem(token.word) for token in found if token.named),
        amounts=tuple(_amounts(found)),
    )


def _by_words(rule: str, line: str) -> str:
    if is_asian(rule) or is_asian(line):
        return _foreign(rule, line)
    new, old = read(rule), read(line)
    if new.denies != old.denies:
        return _denied(new, old)
    if new.theme and new.theme == old.theme:
        return _of_one_theme(new, old)
    if not new.matter or not old.matter:
        return SAME if rule.casefold() == line.casefold() else OTHER
    if new.matter == old.matter:
        return _measured(new, old)
    return _of_bans(new, old) if new.denies else OTHER


def _foreign(rule: str, line: str) -> str:
    found = asian(rule, line) if is_asian(rule) and is_asian(line) else OTHER
    one_theme = theme_of(rule) == theme_of(line) != "" and _bans(rule) == _bans(line)
    return SAME if one_theme and found == OTHER else found


def _denied(new: Order, old: Order) -> str:
    """A ban takes back whatever it holds within; an order for some cases only makes an exception of a ban."""
    ban, order = (new, old) if new.denies else (old, new)
    if not new.matter or not old.matter or _apart(ban, order):
        return OTHER
    if ban.amounts and not order.amounts and not new.permits:
        return EXCEPTION if new.denies else OTHER
    if new.matter == old.matter:
        return CONTRARY
    if new.matter < old.matter:
        return CONTRARY if _lifts(new, old) else OTHER
    if old.matter < new.matter:
        return CONTRARY if old.permits else EXCEPTION
    return OTHER


def _lifts(new: Order, old: Order) -> bool:
    """Whether the general takes the special back: a ban does, and what is allowed in all cases."""
    if new.permits:
        return old.matter - new.matter <= old.cases | _SOFT
    return new.denies and not old.permits


def _apart(ban: Order, order: Order) -> bool:
    """“Not before 9” and “at 11” go together, and “at 8” does not."""
    return differ(ban.amounts, order.amounts) is not None or any(
        _BEYOND[role](one.value, limit.value)
        for limit in ban.amounts
        for one in order.amounts
        if (role := limit.kind.removeprefix(f"{one.kind} ")) in _BEYOND
    )


def _bans(rule: str) -> bool:
    return asian_denies(rule) if is_asian(rule) else read(rule).denies


def _of_one_theme(new: Order, old: Order) -> str:
    if new.about == old.about:
        return _measured(new, old)
    if old.about < new.about and (new.denies or new.about - old.about <= new.cases):
        return NARROWER
    return WIDER if new.about < old.about else OTHER


def _measured(new: Order, old: Order) -> str:
    """Two orders in the same words, but for their numbers."""
    if differ(new.amounts, old.amounts):
        bound = all(one.bound or " " in one.kind for one in (*new.amounts, *old.amounts))
        return VALUE if bound or not new.denies else OTHER
    mine, theirs = ({(one.kind, one.value) for one in order.amounts} for order in (new, old))
    if mine == theirs:
        return SAME
    if mine and theirs and not mine < theirs and not theirs < mine:
        return OTHER
    if new.denies:
        return NARROWER if theirs < mine else WIDER
    return EXACTER if theirs < mine else SAME


def _of_bans(new: Order, old: Order) -> str:
    if old.matter < new.matter and not any(word.startswith("unless ") for word in new.matter - old.matter):
        return NARROWER
    return WIDER if new.matter < old.matter else OTHER


def _excludes(rule: str, line: str) -> bool:
    """Whether two orders of one matter differ in one value, of which there can be one only."""
    new, old = read(rule), read(line)
    mine, theirs = new.matter - old.matter, old.matter - new.matter
    if not mine or not theirs or _bans_or_permits(new) or _bans_or_permits(old) or differ(new.amounts, old.amounts):
        return False
    if new.verb == old.verb in NAMES and _names_anew(rule, line):
        return True
    if new.verb == old.verb == "prefer" and set(map(_bare, new.matter)) == set(map(_bare, old.matter)):
        return True
    if len(mine) != 1 or len(theirs) != 1 or _is_apart(*mine, *theirs):
        return False
    [x], [y] = map(_bare, mine), map(_bare, theirs)
    if KINDS.get(x, frozenset()) & KINDS.get(y, frozenset()) or kinds(x, y):
        return True
    named = x in new.names and y in old.names and new.matter & old.matter
    return bool(named) and _contradict(_anonymous(rule, x, _SOMEBODY), _anonymous(line, y, _ANOTHER))


def _names_anew(rule: str, line: str) -> bool:
    """“Sign mails with Best” and “sign mails with Cheers”: the same up to the name or formula at the end."""
    mine, theirs = (
        [word for word in _plain(one).rstrip(".").lower().split() if word not in _ARTICLES] for one in (rule, line)
    )
    at = next((at for at, (x, y) in enumerate(zip(mine, theirs, strict=False)) if x != y), 0)
    if at < _FRAME:
        return False
    if mine[0] in ("call", "name", "title"):
        return not {mine[at - 1], mine[at], theirs[at]} & PREPOSITIONS
    return mine[at - 1] in ("with", "as", "by")


@lru_cache(maxsize=1 << 12)
def _contradict(rule: str, line: str) -> bool:
    """As notes would: “we use Firefox for screenshots” against “we use Chrome for screenshots”."""
    if not all(_compiled(_TAKES).match(one) for one in (rule, line)):
        return False
    found = contradiction(_stated(rule), _stated(line))
    return found is not None and found.rule in _EXCLUDING


def _anonymous(rule: str, name: str, other: str) -> str:
    """With another name: which one it is changes nothing."""
    return _compiled(r"\w+").sub(lambda word: other if stem(word[0].casefold()) == name else word[0], rule)


def _bans_or_permits(order: Order) -> bool:
    return order.denies or order.permits


def _bare(word: str) -> str:
    return word.rpartition(" ")[2]


def _is_apart(one: str, other: str) -> bool:
    """Whether two words have not the same part in their orders."""
    return one.rpartition(" ")[0] != other.rpartition(" ")[0]


def _stated(rule: str) -> str:
    plain = rule.removeprefix("Always ")
    return f"We {plain[:1].lower()}{plain[1:]}"


def _plain(rule: str) -> str:
    """“Never push without asking” as “ask before push”; what is to be done no more is left out, and that it is to be
    done everywhere.
    """
    text = _compiled(_PERMITS).sub(lambda found: "not " if found["not"] else "", rule)
    text = _compiled(_EVERYWHERE).sub("", _compiled(_INSTEAD).sub("", text))
    if found := _compiled(_WITHOUT).match(text):
        return f"{found['care']} before {found['deed']}"
    return text


def _parts(found: list[Token]) -> Iterator[tuple[str, str, bool]]:
    """Each word that carries meaning, with its part in the order, and whether it may tell in which cases."""
    role, narrows, preferred = "", False, any(token.word == "prefer" for token in found)
    for token in found:
        if token.word == ",":
            role, narrows = "", False
        elif token.amount is None:
            role = f"{DIRECTED[token.word]} " if token.word in DIRECTED else role
            if token.word in ("to", "over"):
                role = "than " if preferred else ""
            narrows = narrows or token.word in NARROWS
            word = SAYS_THE_SAME.get(token.word) or SAYS_THE_SAME.get(stem(token.word)) or stem(token.word)
            if (
                not {token.word, word} & (SILENT | DENIES | PREPOSITIONS)
                and token.word not in DIRECTED
                and word.strip("-'’")
            ):
                yield role, word, narrows


def _amounts(found: list[Token]) -> Iterator[Amount]:
    """Each with what limits it, and a bare hour as the time that it is."""
    for at, token in enumerate(found):
        one = token.amount
        if one is None:
            continue
        before = found[at - 1].word if at else ""
        behind = found[at + 1] if at + 1 < len(found) else Token(",")
        counted = behind.amount is None and behind.word.isalpha() and behind.word not in SILENT | set(DIRECTED)
        if one.kind == "number" and before in _AT and not counted and one.value[0] <= _HOURS:
            one = one._replace(kind="clock", value=(one.value[0] * 60,))
        role = DIRECTED.get(before, "")
        yield one._replace(kind=f"{one.kind} {role}") if role else one


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_SOMEBODY, _ANOTHER = "Adlib", "Quorn"
_EXCLUDING = ("value", "antonym")
_SOFT = frozenset(("first", "again", "twice"))
_ARTICLES = frozenset(("a", "an", "the", "your", "human's", "their", "always"))
_FRAME = 2
_AT = frozenset(("at", "before", "after", "until", "till", "by", "than", "from"))
_HOURS = 24
_BEYOND: dict[str, Callable[[tuple[float, ...], tuple[float, ...]], bool]] = {"before": ge, "after": le}
"""What keeps clear of a ban that holds before, or after, a value."""

_TAKES = r"(?:always )?(?:use|take|pick|choose|store|save|keep|put|host|run) "
_PERMITS = r"^you (?:may|can|(?P<not>need not|do not need to|do not have to)) "
_INSTEAD = r"(?:,? (?:instead of|rather than|in place of|and not)|, ?not) [^,.]+"
_EVERYWHERE = (
    r" (?:(?:in|with|to|at|on|for) )?(?:every|each|all(?: of)?|any)(?: single)?(?: one of)?(?: of)?(?: your| the)?"
    r" (?:messages?|replies|reply|answers?|responses?|texts?|conversations?|times?|cases?|situations?)\b"
    r"| everywhere\b| all the time\b| at all times\b"
)
_WITHOUT = (
    r"^(?:always )?(?:never|do not) (?P<deed>.+?) without (?P<care>asking|checking with|telling|confirming|showing)"
    r"(?: (?:your human|them|it|first|before))*\W*$"
)
