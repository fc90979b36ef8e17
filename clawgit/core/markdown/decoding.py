"""What the bytes of a file say: one reading for all that is served, searched or judged.

Two readings would let a file say one thing to the judge and another to the agent.
"""

from codecs import getincrementaldecoder
from collections.abc import Mapping

from clawgit.core import NamedTuple
from clawgit.core.doors import shlex

_BYTE_ORDER_MARKS = (
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe\0\0", "utf-32-le"),
    (b"\0\0\xfe\xff", "utf-32-be"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)

_SNIFFED = 8000

_ONE_SIDED = 20

_PRINTED = range(0x20, 0x7F)

_END_OF_LINE = 0x0A


def text_of(data: bytes | None, errors: str = "replace") -> str:
    """What some bytes say, in whichever Unicode encoding they are.

    Bytes that are no text become the replacement character. Zero bytes that are left say nothing
    and are dropped: between the letters of a word they would hide it.
    """
    data = data or b""
    for mark, encoding in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            text = data[len(mark) :].decode(encoding, errors)
            break
    else:
        text = data.decode(wide_encoding(data) or "utf-8", errors)
    return text.replace("\0", "")


def exact_text(data: bytes | None) -> str:
    """A file as text from which `exact_bytes` makes the same bytes again; "" for no file."""
    return (data or b"").decode("utf-8", "surrogateescape")


def decoded(data: bytes | None) -> str | None:
    """Like `exact_text`; None for no file."""
    return None if data is None else exact_text(data)


def exact_bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def is_text(data: bytes) -> bool:
    """Whether bytes begin like a text, in whichever Unicode encoding."""
    return b"\0" not in data[:_SNIFFED] or bool(wide_encoding(data))


def is_all_text(data: bytes) -> bool:
    """Whether all of some bytes can be read."""
    try:
        text_of(data, "strict")
    except UnicodeDecodeError:
        return False
    return is_text(data)


def how_to_convert(path: str, data: bytes) -> str:
    """What makes a file UTF-8 in its place: one that is no Unicode is taken for Latin-1."""
    file, new = shlex.quote(path), shlex.quote(f"{path}.new")
    # For Python it is utf-16-le, for iconv utf-16le.
    known_as = "".join((wide_encoding(data) or "LATIN1").rsplit("-", 1))
    return f"Convert it: iconv -f {known_as} -t UTF-8 {file} > {new} && mv {new} {file}"


def has_conflict_markers(data: bytes) -> bool:
    """Whether a file has the markers of an unfinished merge: all three, since equals signs alone
    may underline a heading.
    """
    lines = b"\n%b\n" % data.replace(b"\r\n", b"\n")
    return all(mark in lines for mark in (b"\n<<<<<<< ", b"\n=======\n", b"\n>>>>>>> "))


def wide_encoding(data: bytes) -> str:
    """The UTF-16 or UTF-32 in which bytes can be, with or without a byte order mark; "" if not."""
    start = data[:_SNIFFED]
    if b"\0" not in start:
        return ""
    for mark, encoding in _BYTE_ORDER_MARKS:
        if encoding != "utf-8" and start.startswith(mark):
            return encoding
    evens, odds = start[::2], start[1::2]
    # Plain letters, blanks and ends of lines have a zero for their upper half: in text, all zeros
    # are on one side.
    fewer, more = sorted((evens.count(0), odds.count(0)))
    if fewer * _ONE_SIDED > more or b"\0\0" in start:
        return ""
    is_little = odds.count(0) == more
    lower, upper = (evens, odds) if is_little else (odds, evens)
    if _is_utf8(start) or _is_narrow(lower, upper):
        return ""
    return "utf-16-le" if is_little else "utf-16-be"


def _is_utf8(start: bytes) -> bool:
    """Whether bytes begin a text in UTF-8 with more than ASCII, which UTF-16 never looks like."""
    try:
        getincrementaldecoder("utf-8")().decode(start)
    except UnicodeDecodeError:
        return False
    return not start.isascii()


def _is_narrow(lower: bytes, upper: bytes) -> bool:
    """Whether most pairs look like two letters: of Chinese some do, of a text with a byte to each
    letter nearly all. Gurmukhi has the end of a line for its upper half.
    """
    pairs = sum(
        (low in _PRINTED or low == _END_OF_LINE) and high in _PRINTED
        for low, high in zip(lower, upper, strict=False)
    )
    return pairs * 2 > len(upper)


class TextChange(NamedTuple):
    """What a file said before and after a change; "" where there was none."""

    path: str
    before: str
    after: str


def texts_of(changes: Mapping[str, tuple[bytes | None, bytes | None]]) -> list[TextChange]:
    return [
        TextChange(path, text_of(before), text_of(after))
        for path, (before, after) in changes.items()
    ]
