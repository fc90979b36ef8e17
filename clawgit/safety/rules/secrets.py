"""Keys, tokens and passwords in a text: found by shape or by what they are called, and reported
without being shown.
"""

import binascii
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise

from clawgit.core import NamedTuple
from clawgit.core.doors import html
from clawgit.git.rules.common_ends import common_start
from clawgit.git.rules.ids import digest
from clawgit.language.files import matcher
from clawgit.language.lazily import lazily
from clawgit.safety.rules.rules import Rule, allowed, rules_in, samples

FINGERPRINT = 12

PRIVATE_KEY = "private-key"

KEY_BEGINS = "-----BEGIN "
"""The keyword of its rule, the only one that is no word of a secret."""

SHORTEST = 20
"""No shape is shorter, and none has a blank in it: what is shorter between two blanks need not be
looked at."""

MASK = lazily(r"\[secret:[0-9a-f]{12}\\?\]")
"""Also with the bracket escaped, as some Markdown writers do."""

_NAMED = 1000
"""The order of what is known by its name only: any shape is surer."""

_SHORTEST_TEXT = 11
"""“a://b:cde@f” is the shortest text with a secret; most values of a result are shorter."""

_CODE = lazily(r"(?i)\.(?:py|m?js|[tj]sx?|go|rs|java|rb|php|c|cpp|cs|swift)$")
"""Where a value without quotes is the name of a variable."""

_QUOTES = "\"'`“„«"

_STOPS = ".,:!?)]}\\*_"
"""What may stand after a value and end its sentence or close its markup."""

_ENDS_SENTENCE = ".,:)]}\\"
"""The stops that no password ends with. The others are no part of the value, whose fingerprint a
text may have without them, but are masked with it."""

_OTHER_SCRIPT = (
    "[\u0590-\u08ff\u0900-\u0e7f\u1100-\u11ff\u3000-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef…]"
)
"""Where a sentence goes on in Chinese, Japanese, Korean, Thai, Hindi, Arabic or Hebrew, the value
has ended."""

_PASSWORD_ENDS = lazily(f";|{_OTHER_SCRIPT}")
_TOKEN_ENDS = lazily(f"[&,;)]|{_OTHER_SCRIPT}")
_WORD = lazily(r"\w+")
_BLANKS = lazily(r"\\+[rn]|[\s>]")
_KEY_REST = lazily(
    r"[A-Za-z0-9+/=\s>\\]*+-----END [A-Z0-9 ]{1,40}-----"
    r"|[A-Za-z0-9+/=]*+(?:[\\\s>]++[A-Za-z0-9+/=]{20,}+)*"
)
_KEY_LINE = lazily(
    r"(?m)^[ \t>+-]{0,12}?(?=[^a-z\n]*[a-z])(?=[^A-Z\n]*[A-Z])(?=[^0-9\n]*[0-9])"
    r"([A-Za-z0-9+/]{64}(?:[A-Za-z0-9+/]{6}){0,2})$"
)
"""What PEM, OpenSSH and PGP wrap a key into: 64, 70 or 76 signs, and nothing else on the line. A
hash has letters of one case, a rule repeats one character."""

_LONG = lazily(r"(?<!\S)\S{12,8000}+")
_NOISE = lazily(
    r"\\(?=[^a-zA-Z0-9\s])|[*`\ufffd\ud800-\udfff\0-\x1f\x7f\u00ad\u200b-\u200f\u2060]|~~"
)
"""What Markdown writes into a word, and what nobody sees."""

_MARKUP = lazily(r"[\\*`~\ufffd&\uff10-\uff19\uff21-\uff3a\uff3f\uff41-\uff5a]")
"""Those of them that can be printed, and letters written as entities or in full width. Most texts
have none."""


class Secret(NamedTuple):
    """Where a secret stands in a text. `shown` can be printed and logged; `fingerprint` is the same
    wherever the secret stands. Of two that overlap, the one of the lower `order` is right.
    """

    start: int
    end: int
    order: int
    rule: str
    shown: str
    fingerprint: str
    line: int = 1


def findings(path: str, text: str, allowed: frozenset[str] = frozenset()) -> tuple[Secret, ...]:
    """The secrets of a text by line, apart from those whose fingerprint is allowed. `path` tells
    code from prose.
    """
    found: list[Secret] = []
    line, counted = 1, 0
    for one in _found(path, text):
        line, counted = line + text.count("\n", counted, one.start), one.start
        found.append(one._replace(line=line))
    return tuple(one for one in found if one.fingerprint not in allowed)


def new_findings(path: str, before: str, after: str) -> tuple[Secret, ...]:
    """What a change brings in: only the lines that differ are read, and what stood there before
    does not count.
    """
    start = after.rfind("\n", 0, common_start(before, after)) + 1
    same = common_start(before[start:][::-1], after[start:][::-1])
    stop = after.find("\n", len(after) - same)
    found = findings(path, after[start : stop if stop >= 0 else len(after)])
    if not found:
        return ()
    known = {one.fingerprint for one in findings(path, before)}
    above = after.count("\n", 0, start)
    return tuple(
        one._replace(line=one.line + above) for one in found if one.fingerprint not in known
    )


def places(text: str) -> list[Secret]:
    """The secrets in the order of the text. Each is whole, so that nothing of it is left where it
    is masked: a private key reaches to the line that ends it, and lines of one whose beginning was
    cut off count as well.
    """
    found = [one._replace(end=_whole_end(text, one)) for one in _found("", text)]
    for line in _KEY_LINE.finditer(text):
        start, end = line.span(1)
        if not any(one.start < end and start < one.end for one in found):
            found.append(Secret(start, end, _NAMED, PRIVATE_KEY, "…", fingerprint(line[1])))
    return sorted(found)


def masked(text: str, allowed: frozenset[str] = frozenset()) -> str:
    """The text with `[secret:FINGERPRINT]` in the place of each secret, apart from those that are
    allowed. A secret of several lines becomes a mask on each, so that lines keep their numbers.
    """
    parts, at = list[str](), 0
    for place in places(text):
        if place.fingerprint in allowed or place.start < at:
            continue
        mask = f"[secret:{place.fingerprint}]"
        _, *more = text[place.start : place.end].split("\n")
        parts += text[at : place.start], mask, *(f"\n{_margin(line)}{mask}" for line in more)
        at = place.end
    return "".join([*parts, text[at:]]) if parts else text


def fingerprint(value: str) -> str:
    """Enough to recognise a secret, far too little to get it back."""
    return digest(value)[:FINGERPRINT]


def _whole_end(text: str, hit: Secret) -> int:
    """A key is known by how it begins; it goes on to its last line."""
    rest = _KEY_REST.match(text, hit.end) if hit.rule == PRIVATE_KEY else None
    return rest.end() if rest else hit.end


def _margin(line: str) -> str:
    """The marks of a quotation or a patch before a line."""
    return line[: len(line) - len(line.lstrip(" \t>+"))]


def _found(path: str, text: str) -> list[Secret]:
    """The secrets in the order of the text, one for each place."""
    if len(text) < _SHORTEST_TEXT:
        return []
    # No secret has a quotation mark in it: so none reaches into a mask, which could not be read.
    bare = MASK.sub(lambda mask: '"' * len(mask[0]), text) if "[secret:" in text else text
    hits = [*_shaped(bare), *_named(bare, path)]
    hits += _disguised(bare, hits)
    kept: list[Secret] = []
    for hit in sorted(hits):
        if not kept or kept[-1].end <= hit.start:
            kept.append(hit)
        elif hit.order < kept[-1].order:
            kept[-1] = hit
    return kept


def _shaped(text: str) -> Iterator[Secret]:
    """Secrets that show by themselves what they are."""
    words = "\n".join(filter(lambda word: len(word) >= SHORTEST, {*text.split()}))
    said = words + (KEY_BEGINS if KEY_BEGINS in text else "")
    for rule in rules_in(said, by_shape=True) if said else ():
        if rule.regex.search(text if rule.id == PRIVATE_KEY else words):
            yield from _issued(text, rule)


def _issued(text: str, rule: Rule) -> Iterator[Secret]:
    """What has the shape of a rule, and is more than a sample."""
    for match in rule.regex.finditer(text):
        mark = next(filter(match[0].__contains__, rule.keywords))
        # Samples are only those that a vendor's own documents print, and what is all placeholder.
        if not (is_filler(match[0].replace(mark, "", 1)) or is_sample(match[0])):
            value = _BLANKS.sub("", match["key"]) if rule.id == PRIVATE_KEY else match[0]
            yield Secret(*match.span(), rule.order, rule.id, f"{mark}…", fingerprint(value))


def _is_found(word: re.Match[str], hits: Iterable[Secret]) -> bool:
    return any(hit.start < word.end() and word.start() < hit.end for hit in hits)


def _named(text: str, path: str) -> Iterator[Secret]:
    """Secrets by what is before them, as in `password: …`; in code, only in quotation marks."""
    # Of all characters, only this one has a lower case that is longer.
    lower = text.replace("İ", "I").lower()
    for rule in rules_in(lower):
        for match in rule.regex.finditer(text):
            before = text[match.start("value") - 1]
            if rule.check == "url":
                yield from _in_url(rule, match)
            elif not _CODE.search(path) or (before in _QUOTES and rule.check != "drawn"):
                yield from _valued(text, rule, match, before)


def _in_url(rule: Rule, match: re.Match[str]) -> Iterator[Secret]:
    if is_url_password(match["user"], match["value"]):
        found = fingerprint(match["value"])
        yield Secret(*match.span("value"), _NAMED, rule.id, "://…:…@", found)


def _valued(text: str, rule: Rule, match: re.Match[str], before: str) -> Iterator[Secret]:
    """The value that a name is given, where it can be meant. The last characters of a password are
    masked with it, but not what ends a sentence, nor what closes markup that opened before it.
    """
    start, end = match.span("value")
    name = text[match.end() : start]
    if _is_harmless(match[0], name) or match["value"].endswith(("...", "…", "***")):
        return
    ends = _TOKEN_ENDS if rule.check in ("token", "login") else _PASSWORD_ENDS
    value = ends.split(match["value"], 1)[0].rstrip(_STOPS)
    if not CHECKS[rule.check](value):
        return
    rest = text[start + len(value) : end]
    signs = rest[: len(rest) - len(rest.lstrip(_STOPS))].rstrip(_ENDS_SENTENCE)
    signs = signs.rstrip(before) if before in "*_" else signs
    stop = start + len(value) + len(signs)
    yield Secret(start, stop, _NAMED, rule.id, f"{rule.id}: …", fingerprint(value))


def _is_harmless(label: str, name: str) -> bool:
    """Whether a name speaks of a secret but holds none, as “password policy” does."""
    names = allowed("names")
    return bool(names.search(label)) or any(map(names.fullmatch, _WORD.findall(name)))


def _undisguised(word: str) -> str:
    signs = html.unescape(word) if "&" in word else word
    return _NOISE.sub("", unicodedata.normalize("NFKC", signs))


def _disguised(text: str, hits: list[Secret]) -> Iterator[Secret]:
    """Shaped secrets in words with markup, escapes, invisible characters or other forms of letters
    in them.
    """
    if text.replace("\n", "").isprintable() and not _MARKUP.search(text):
        return
    for word in _LONG.finditer(text):
        plain = _undisguised(word[0])
        if plain != word[0] and len(plain) >= SHORTEST and not _is_found(word, hits):
            for hit in sorted(_shaped(plain))[:1]:
                yield hit._replace(start=word.start(), end=word.end())


# Whether a value is a real secret, or a word, a reference, a placeholder or a known sample.

_TOKEN_LENGTH = 16

_PASSWORD_LENGTH = 10
_PASSWORD_KINDS = 3
"""With as many kinds of characters, a shorter password is believed too."""

_SHORTEST_PASSWORD = 8
_FEWEST_SIGNS = 3
_FEWEST_LEFT = 5
_LONGEST_FILLER = 128
"""Nobody types a longer placeholder, and to look for its parts takes time."""

_LETTER, _DIGIT = lazily("[A-Za-z]"), lazily("[0-9]")
_NO_HEX, _OCTET = lazily("[g-zG-Z]"), lazily("%[0-9A-Fa-f]{2}")
_KINDS = (lazily("[a-z]"), lazily("[A-Z]"), _DIGIT, lazily("[!@#$%^&*?+~=;]|[^\x00-\x7f]"))
_PLAIN = lazily(r"(?:[A-Za-z]?\d?[a-z]*(?:[A-Z][a-z]+)*\d{0,5}|[A-Z]+\d{0,4}|\d{1,12}[a-z]{0,2})")
_SIGNS = lazily("[^A-Za-z0-9]+")

_SYLLABLE = lazily("(?=[a-z]{4})[a-z]{0,3}[aeiouy]|[A-Za-z]{6}")


def is_token(value: str) -> bool:
    """Whether a value that is called a token, key or secret was generated by a machine."""
    if len(value) < _TOKEN_LENGTH or not value.isascii() or not _LETTER.search(value):
        return False
    return not _is_said(value) and not is_plain(value)


def is_password(value: str) -> bool:
    """Whether a value that is called a password can be one, generated or thought up."""
    if len(value) < _SHORTEST_PASSWORD:
        return False
    kinds = sum(kind.search(value) is not None for kind in _KINDS)
    if kinds < _PASSWORD_KINDS and (len(value) < _PASSWORD_LENGTH or kinds == 1 or is_plain(value)):
        return False
    return not _is_said(value)


def is_drawn(value: str) -> bool:
    """Whether a password is one that only a generator makes up: letters and digits mixed, with
    nothing in it that could be a word. Such a value is a password amid a sentence, too; a hash is
    not.
    """
    has_both = _NO_HEX.search(value) and _DIGIT.search(value)
    return bool(has_both) and is_password(value) and not _SYLLABLE.search(value)


def is_login(value: str) -> bool:
    """Whether a value that is sent as `Basic` has a name and a password."""
    try:
        user, colon, password = binascii.a2b_base64(value).decode().partition(":")
    except (binascii.Error, UnicodeDecodeError):
        return False
    return bool(colon) and (user + password).isprintable() and is_url_password(user, password)


def is_url_password(user: str, value: str) -> bool:
    """Whether a value in a URL's place for a password is more than a default or a placeholder."""
    value = _OCTET.sub("-", value)
    if allowed("defaults").fullmatch(value) or value == user or len(set(value)) < _FEWEST_SIGNS:
        return False
    return not _is_said(value)


CHECKS: dict[str, Callable[[str], bool]] = {
    "password": is_password,
    "drawn": is_drawn,
    "token": is_token,
    "login": is_login,
    "phrase": lambda value: not is_sample(value),
}


def is_plain(value: str) -> bool:
    """Whether it is words and numbers joined by punctuation: a path, a version, an identifier."""
    return all(map(_PLAIN.fullmatch, _SIGNS.split(value)))


def is_filler(value: str) -> bool:
    """Whether it is all placeholder words and runs such as `12345`, `abcdef` or `xxxx`."""
    if len(value) > _LONGEST_FILLER:
        return False
    left = allowed("fillers").sub(" ", _without_runs(value))
    return sum(map(str.isalnum, left)) < min(_FEWEST_LEFT, max(1, len(value) // 4))


def is_sample(value: str) -> bool:
    """Whether a vendor's own documents print exactly this value."""
    return digest(value) in samples()


def _without_runs(value: str) -> str:
    """The value with blanks for each run of three and more, such as `aaa`, `abc` or `321`."""
    steps = [ord(after) - ord(sign) for sign, after in pairwise(value.lower())]
    runs = {
        at
        for first, (step, following) in enumerate(pairwise(steps))
        if step == following and step in (-1, 0, 1)
        for at in range(first, first + 3)
    }
    return "".join(" " if at in runs else sign for at, sign in enumerate(value))


def _is_said(value: str) -> bool:
    """Whether it is a placeholder, a reference to the real secret, a time or a known sample."""
    if allowed("references").match(value) or allowed("cut").search(value):
        return True
    return is_filler(value) or is_sample(value)


# What only the words beside it give away: “the password is …”, the code of a door.

_CODES = lazily(r"(?<![\d.,:/-])\d(?:[ -]?\d){2,11}(?![\d.,:/-]*\d)")
"""A code of three to twelve digits, and no date, time or sum."""

_TOLD = (
    r"(?![^\W_]*-)[^.;,\n]{0,24}?(?:\bis\b|\bist\b|\bes\b|[=:：是为は는은])"
    r"\s*`?(?=\S{0,80}\d)(?=\S{0,80}[^\W\d]|\S{0,80}[!@#$%])\S{6}"
)
"""“The pin of the door is 7a!4821.”"""

_WORD_ALONE = (
    r"(?:\s+(?:for|of|to|on|vom|von|zum|für|im|del?|du|do|da|des)\b[^.;,\n]{1,30}?)?"
    r"(?:\s*(?:\b(?:is|ist|es|est|é)\b|[=:：])\s*[^\s\w]?\S{4,80}|\s+\S{4,80}\s+ist\b\W?)\s*$"
)
"""“The password for the NAS is sunflower”, “dass das Passwort Sommer ist”."""


def names_secret(text: str) -> bool:
    """Whether a text gives a password of one word or with a digit, a PIN or another code."""
    if matcher("secret", _TOLD).search(text) or matcher("password", _WORD_ALONE).search(text):
        return True
    return _CODES.search(text) is not None and matcher("code").search(text) is not None
