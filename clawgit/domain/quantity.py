"""The numbers of a sentence with what they count: a day, a time, money, a duration, a size, a version, five users."""

import re
from functools import lru_cache
from typing import NamedTuple

from clawgit.domain.quantity_words import (
    BOUNDS_1,
    BOUNDS_2,
    BOUNDS_3,
    CHANGES,
    CURRENCIES,
    EACH,
    MONTHS,
    NUMBERS,
    OFTEN,
    PERIODS,
    SCALES,
    TO,
    UNITS,
    WEEKDAYS,
)


class Amount(NamedTuple):
    """`kind` says what it can be compared with, `value` is in one unit for all of that kind.

    `bound` is "<" or ">" where the text gives a limit, "~" where it is only about so much.
    """

    kind: str
    value: tuple[float, ...]
    said: str
    bound: str = ""


class Token(NamedTuple):
    """A word, folded, or an amount. `named`: written with a capital that no sentence begins with."""

    word: str
    amount: Amount | None = None
    named: bool = False


SCHEDULE = ("day", "weekday", "month", "clock", "year", "hours", "every", "number dayofmonth")
"""The kinds that tell when something is."""


def tokens(text: str) -> list[Token]:
    """The words and amounts of a text in order, and the commas between them."""
    return [*_tokens(text)]


@lru_cache(maxsize=16384)
def _tokens(text: str) -> tuple[Token, ...]:
    text = _DEGREES.sub(" degrees", text)
    found = [token for match in _TOKEN.finditer(text) if (token := _token(match, text))]
    return tuple(_joined(found))


def differ(mine: tuple[Amount, ...], theirs: tuple[Amount, ...]) -> tuple[Amount, Amount] | None:
    """Two amounts of one kind that cannot both be right, where the texts share none of that kind."""
    for one in mine:
        same = [other for other in theirs if other.kind == one.kind]
        if not same or any(_agree(a, b) for a in mine if a.kind == one.kind for b in same):
            continue
        return one, same[0]
    return None


def _agree(one: Amount, other: Amount) -> bool:
    if one.bound != other.bound and "~" not in (one.bound, other.bound):
        return True
    if one.kind == "day":
        return one.value[1:] == other.value[1:] and (
            one.value[0] == other.value[0] or 0 in (one.value[0], other.value[0])
        )
    if one.kind in ("version", "month"):
        shorter = min(len(one.value), len(other.value))
        return one.value[:shorter] == other.value[:shorter]
    if len(one.value) > 1:
        return one.value == other.value
    a, b = one.value[0], other.value[0]
    slack = _ABOUT if "~" in (one.bound, other.bound) else _MONTHS if _is_long(one) and _is_long(other) else _ROUNDING
    return abs(a - b) <= slack * max(abs(a), abs(b))


def _is_long(amount: Amount) -> bool:
    """A month is thirty days, and the twelfth of a year."""
    return amount.kind in ("duration", "every") and amount.value[0] >= _MONTH


def _token(match: re.Match[str], text: str) -> Token | None:
    kind, said = str(match.lastgroup), match[0]
    if kind == "word":
        word = said.casefold()
        if word in NUMBERS:
            return Token(said, Amount("number", (NUMBERS[word],), said))
        if word in OFTEN:
            return Token(word, Amount("every", (OFTEN[word],), said))
        named = said[:1].isupper() and _inside(text, match.start())
        return Token(said if named and word == "a" else word, named=named)
    if kind == "place":
        return Token(word) if (word := said.casefold().rstrip(".,/")) else None
    if kind == "comma":
        return Token("-" if said in "-–" else ",")
    amount = _READERS[kind](match)
    return Token(said.casefold(), amount) if amount else None


def _inside(text: str, at: int) -> bool:
    before = text[:at].rstrip()
    return before.endswith(_TITLES) or before[-1:] not in ("", ".", "!", "?", ":")


def _joined(found: list[Token]) -> list[Token]:
    """Numbers with the unit, the noun or the limit that stands beside them."""
    made: list[Token] = []
    for token in found:
        before = made[-1] if made else Token("")
        if token.amount is None:
            merged = _unit(before, token.word) or _dated(before, token.word)
            made[len(made) - bool(merged) :] = [merged or token]
            continue
        amount = token.amount
        if (
            amount.kind == "number"
            and before.word in MONTHS
            and amount.value[0] <= _MOST_DAYS
            and "." not in token.word
        ):
            made[-1] = Token(
                before.word, Amount("day", (0, MONTHS[before.word], amount.value[0]), f"{before.word} {token.word}")
            )
            continue
        if amount.kind == "number" and before.amount and before.amount.kind == "day" and _is_year(amount):
            made[-1] = Token(before.word, before.amount._replace(value=(amount.value[0], *before.amount.value[1:])))
            continue
        if amount.kind == "number" and before.word in MONTHS and _is_year(amount):
            made[-1] = Token(
                before.word, Amount("month", (MONTHS[before.word], amount.value[0]), f"{before.word} {token.word}")
            )
            continue
        if amount.kind == "number" and before.word in ("in", "since", "of", "year") and _is_year(amount):
            amount = amount._replace(kind="year")
        bound = _bound(made)
        made.append(Token(token.word, amount._replace(bound=bound)))
    return _spanned([_lone(token) for token in made])


def _spanned(found: list[Token]) -> list[Token]:
    """`9 to 17` as one span, and `every two weeks` as how often; but what went from 9 to 17 has changed."""
    if any(token.word in CHANGES for token in found):
        return found
    made: list[Token] = []
    for token in found:
        if token.amount and len(made) > 1 and made[-1].word in TO and (span := _span(made[-2].amount, token.amount)):
            del made[-2:]
            if made and made[-1].word in ("from", "between"):
                made.pop()
            made.append(Token(span.said, span))
        elif token.amount and token.amount.kind == "duration" and made and made[-1].word in EACH:
            made[-1] = Token(token.word, token.amount._replace(kind="every"))
        elif token.word in PERIODS and len(made) > 1 and (often := _often(made[-2], made[-1].word, token.word)):
            del made[-2:]
            made.append(Token(often.said, often))
        elif token.word in PERIODS and made and made[-1].word in EACH:
            made[-1] = Token(token.word, Amount("every", (PERIODS[token.word],), f"every {token.word}"))
        else:
            made.append(token)
    return made


def _often(first: Token, second: str, period: str) -> Amount | None:
    """`every other week`, `twice a day`."""
    length, said = PERIODS[period], f"{first.word} {second} {period}"
    if first.word in EACH and second in ("other", "second"):
        return Amount("every", (length * 2,), said)
    if first.word.casefold() in ("once", "twice") and first.amount and second in (*EACH, "a", "an"):
        return Amount("every", (length / first.amount.value[0],), said)
    return None


def _span(first: Amount | None, last: Amount) -> Amount | None:
    if first is None or {first.kind, last.kind} - {"number", "clock"}:
        return None
    begin = first.value[0] * (60 if first.kind == "number" and last.kind == "clock" else 1)
    kind = "hours" if "clock" in (first.kind, last.kind) else "span"
    return Amount(kind, (begin, last.value[0]), f"{first.said} to {last.said}")


def _unit(before: Token, word: str) -> Token | None:
    """A number and the unit behind it."""
    amount = before.amount
    if amount and amount.kind == "version" and len(amount.value) == 2 and word in UNITS:  # noqa: PLR2004 (a fraction)
        amount = amount._replace(kind="number", value=(float(amount.said.lstrip("vV")),))
    if amount is None or amount.kind != "number" or word not in UNITS:
        return None
    kind, factor = UNITS[word]
    said = f"{amount.said} {word}"
    if kind == "clock":
        hour = amount.value[0] % 12 + (12 if word in ("pm", "p.m") else 0)
        return Token(said, Amount("clock", (hour * 60,), said, amount.bound))
    if kind == "times":
        return Token(said, amount._replace(value=(amount.value[0] * factor,), said=said))
    return Token(said, Amount(kind, (amount.value[0] * factor,), said, amount.bound))


def _dated(before: Token, word: str) -> Token | None:
    """`5 March`, and a time of the day that goes on with am or pm."""
    amount = before.amount
    if amount and amount.kind == "number" and word in MONTHS and amount.value[0] <= _MOST_DAYS:
        return Token(
            f"{amount.said} {word}", Amount("day", (0, MONTHS[word], amount.value[0]), f"{amount.said} {word}")
        )
    if amount and amount.kind == "clock" and word in ("am", "pm", "a.m", "p.m") and amount.value[0] < _NOON + 60:
        late = _NOON if word.startswith("p") else 0
        return Token(
            before.word, amount._replace(value=(amount.value[0] % _NOON + late,), said=f"{amount.said} {word}")
        )
    return None


def _lone(token: Token) -> Token:
    """A weekday or a month that stands by itself tells when, too."""
    word = token.word
    if token.amount is None and (day := word.removesuffix("s")) in WEEKDAYS and word not in ("sun", "sat", "wed"):
        return token._replace(amount=Amount("weekday", (WEEKDAYS[day],), word))
    if (token.amount is None and word in MONTHS and word not in ("may", "march", "mar")) or (
        token.named and word in ("may", "march")
    ):
        return token._replace(amount=Amount("month", (MONTHS[word],), word))
    if token.amount is None and word in ("noon", "midday", "midnight"):
        return token._replace(amount=Amount("clock", (0 if word == "midnight" else _NOON,), word))
    return token


def _bound(made: list[Token]) -> str:
    """What stands right before a number and limits it; these words are used up."""
    for count, words in ((3, BOUNDS_3), (2, BOUNDS_2), (1, BOUNDS_1)):
        last = " ".join(token.word for token in made[-count:])
        if len(made) >= count and last in words:
            del made[-count:]
            return words[last]
    return ""


def _is_year(amount: Amount) -> bool:
    return 1900 <= amount.value[0] < 2100 and amount.value[0] == int(amount.value[0])  # noqa: PLR2004 (years of our time)


def _plain(said: str) -> float:
    return float(said.replace(",", "").replace("_", "").rstrip("."))


def _money(match: re.Match[str]) -> Amount:
    factor = SCALES.get((match["scale"] or "").casefold(), 1)
    return Amount(f"money {CURRENCIES[match['sign']]}", (_plain(match["sum"]) * factor,), match[0])


def _number(match: re.Match[str]) -> Amount:
    value, suffix = _plain(match["digits"]), (match["suffix"] or "").casefold()
    if suffix in ("am", "pm"):
        return Amount("clock", ((value % 12 + (12 if suffix == "pm" else 0)) * 60,), match[0])
    if suffix in SCALES:
        return Amount("number", (value * SCALES[suffix],), match[0])
    if suffix in UNITS:
        kind, factor = UNITS[suffix]
        return Amount(kind, (value * factor,), match[0])
    return Amount("number" if suffix in ("", "st", "nd", "rd", "th") else f"number {suffix}", (value,), match[0])


def _clock(match: re.Match[str]) -> Amount | None:
    hour, minute = int(match["hour"]), int(match["minute"])
    late = (match["half"] or "").casefold()
    hour = hour % 12 + (12 if late == "pm" else 0) if late else hour
    return Amount("clock", (hour * 60 + minute,), match[0]) if hour <= 24 and minute < 60 else None  # noqa: PLR2004


def _spoken(match: re.Match[str]) -> Amount:
    """`half past eight`, `quarter to nine`, and `half six`, which is half past."""
    hour, part = _plain_number(match["of"]) % 12, 30 if match["part"].casefold() == "half" else 15
    before = (match["side"] or "").casefold() == "to"
    return Amount("clock", ((hour * 60 - part if before else hour * 60 + part),), match[0])


def _plain_number(said: str) -> float:
    return float(said) if said.isdecimal() else NUMBERS[said.casefold()]


def _phone(match: re.Match[str]) -> Amount:
    groups = match[0].lstrip("+").replace("-", " ").split()
    return Amount("phone", tuple(map(float, groups)), match[0])


def _versioned(match: re.Match[str]) -> Amount:
    return Amount("version", tuple(float(part) for part in match["parts"].split(".")), match[0])


def _ratio(match: re.Match[str]) -> Amount:
    return Amount("percent", (_plain(match["share"]),), match[0])


def _iso(match: re.Match[str]) -> Amount:
    return Amount("day", tuple(float(part) for part in match[0].split("-")), match[0])


def _cjk_weekday(match: re.Match[str]) -> Amount:
    sign = match[0][0] if match[0].endswith("요일") else match[0][-1]
    days = "월화수목금토일" if match[0].endswith("요일") else "一二三四五六日"
    return Amount("weekday", (float(days.index(sign.replace("天", "日"))),), match[0])


def _cjk_day(match: re.Match[str]) -> Amount:
    return Amount("day", (float(match["y"] or 0), float(match["m"]), float(match["d"])), match[0])


_TITLES = ("Mr.", "Mrs.", "Ms.", "Dr.", "Prof.")
_ABOUT, _ROUNDING, _MONTHS = 0.2, 1e-6, 0.015
_MONTH = 28 * 86400
_NOON = 720
_MOST_DAYS = 31

_DEGREES = re.compile(r"\s?°\s?C?\b|\s?°(?!\w)")
_HOURS = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
_TOKEN = re.compile(
    r"(?P<iso>(?<!\d)\d{4}-\d{2}-\d{2}(?!\d))"
    r"|(?P<day>(?:(?P<y>\d{4})[年년] ?)?(?P<m>\d{1,2})[月월] ?(?P<d>\d{1,2})[日号號일])"
    r"|(?P<week>(?:星期|周|礼拜)[一二三四五六日天]|[월화수목금토일]요일)"
    r"|(?P<clock>(?<![\d.:])(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::\d{2})?(?:\s?(?P<half>[ap]m)\b)?)"
    rf"|(?P<spoken>\b(?P<part>half|quarter) (?:(?P<side>past|to) )?(?P<of>1?\d|{_HOURS})\b(?![:.]\d))"
    r"|(?P<phone>(?<![\w.])(?:\+\d|0)\d{1,4}[ -]\d{3,8}(?:[ -]\d{2,5}){0,3}(?![\w-]))"
    r"|(?P<money>(?P<sign>[$€£¥₩])\s?(?P<sum>\d[\d,]*(?:\.\d+)?)\s?(?:(?P<scale>k|m|mio|bn|thousand|million|billion)\b)?)"
    r"|(?P<place>[\w.+-]+@[\w.-]+\w|https?://\S+|(?<!\w)[~.]?/[\w./-]+|(?<![\w/])[\w-]+(?:/[\w.-]+)+"
    r"|(?<![\w-])[\w-]+(?:\.[\w-]+)*\.[a-z][\w-]*(?::\d+)?|\d+(?:x\d+)+)"
    r"|(?P<version>(?<![\w.])v?(?P<parts>\d+(?:\.\d+)+)(?![\w%])(?!\s*(?:%|percent|hours?|days?|km|kg|million|[gmt]b)\b))"
    r"|(?P<percent>(?<!\w)(?P<share>\d+(?:[.,]\d+)?)\s?%)"
    r"|(?P<number>(?<![^\W\d_])v?(?P<digits>\d[\d,_]*(?:\.\d+)?)(?P<suffix>[a-z]{1,5})?(?![a-z]))"
    r"|(?P<word>[^\W\d_](?:\w|['’&+#-](?=\w)|\+\+|#)*)"
    r"|(?P<comma>[,()]|[-–](?=\s?\d))",
    re.IGNORECASE,
)
_READERS = {
    "iso": _iso, "day": _cjk_day, "week": _cjk_weekday, "clock": _clock, "spoken": _spoken, "phone": _phone,
    "money": _money, "version": _versioned, "percent": _ratio, "number": _number,
}  # fmt: skip
