"""Quotes under an entry: what the operator said against it, until it is settled what is right.

    - The weekly call is on Monday at 3. <!-- claw:mabcde status=disputed -->
      - Marta: “No, at 3:30, and it's on host hermes now.” #correction

A quote proves what was said and nothing else. It is never mined or merged, and it is no evidence
against another entry.
"""

from clawgit.core import NamedTuple
from clawgit.core.markdown.comment import DISPUTED, lead_end
from clawgit.core.markdown.entry import Entry
from clawgit.core.markdown.frames import SPEAKER
from clawgit.language.lazily import lazily

BULLET = lazily(r"\ufeff? {0,3}(?:[-+*]|[0-9]{1,9}[.)])[ \t]+")
_TAG = "#correction"
_QUOTE = lazily(rf"[ \t]+[-+*] (?P<speaker>{SPEAKER}): “(?P<words>[^\n]*)” {_TAG}\b.*$")


class Quote(NamedTuple):
    """A sentence of the operator's under an entry. `line` is its number in the entry's `raw`."""

    speaker: str
    words: str
    line: int


def is_disputed(entry: Entry) -> bool:
    """Whether it is still open what is right."""
    return entry.status == DISPUTED


def quotes_of(raw: str) -> tuple[Quote, ...]:
    """The quotes under an entry, as its file has it, in their order."""
    if _TAG not in raw:  # nearly always: a write asks it of each entry
        return ()
    start = lead_end(raw)
    behind = raw.count("\n", 0, start)
    lines = raw.split("\n")
    matches = ((number, _QUOTE.match(lines[number])) for number in range(behind + 1, len(lines)))
    return tuple(
        Quote(match["speaker"], match["words"], number) for number, match in matches if match
    )


def has_quote(raw: str, words: str) -> bool:
    """Whether a quote stands under an entry; one by an agent does not make it disputed."""
    return any(quote.words == words for quote in quotes_of(raw))


def is_quote(line: str) -> bool:
    """Whether a line, with or without its bullet, is such a quote."""
    return _QUOTE.match(f"  - {line.strip().removeprefix('- ')}") is not None


def undisputed(entry: Entry) -> str:
    """What the entry itself says, without the quotes under it."""
    taken = {quote.line for quote in quotes_of(entry.raw)}
    if not taken:
        return entry.text
    return "\n".join(
        line for line in entry.text.split("\n") if not _QUOTE.match(f"  {line.strip()}")
    )


def with_quote(raw: str, speaker: str, words: str) -> str:
    """The entry with one more quote: after its other quotes, or after its first paragraph."""
    held = quotes_of(raw)
    lines = raw.split("\n")
    at = held[-1].line if held else raw.count("\n", 0, lead_end(raw))
    end = "\r" if lines[at].endswith("\r") or "\r\n" in raw else ""
    if not raw.endswith("\n") and at == len(lines) - 1:
        lines[at] += end
        end = ""
    bullet = BULLET.match(raw)
    indent = " " * (len(bullet[0].expandtabs(4)) if bullet else 2)
    lines.insert(at + 1, f"{indent}- {speaker}: “{words}” {_TAG}{end}")
    return "\n".join(lines)


def without_quotes(raw: str, words: str | None = None) -> str:
    """The entry without its quotes, or without those that say these words. Every other byte
    stays.
    """
    taken = {quote.line for quote in quotes_of(raw) if words in (None, quote.words)}
    return "\n".join(line for number, line in enumerate(raw.split("\n")) if number not in taken)
