"""What people write above or before a line that is to last: “Decisions”, `[critical]`, 置顶; and a
line of a note as an entry among what lasts.
"""

from collections.abc import Iterator
from functools import cache

from clawgit.core import NamedTuple
from clawgit.core.markdown import frames
from clawgit.core.markdown.comment import Meta, split
from clawgit.core.markdown.entry import BULLET
from clawgit.core.markdown.scan import Block
from clawgit.core.markdown.tag_table import DECISION, PRIMARY, tags_in, visible
from clawgit.language.files import MARKS, rows
from clawgit.language.lazily import lazily
from clawgit.language.lexicon import has_any
from clawgit.language.tokens import tokens
from clawgit.memory.rules.confidence import EXPLICIT
from clawgit.memory.rules.likeness import words as words_of
from clawgit.safety.rules.injection import findings as orders
from clawgit.safety.rules.masks import is_sensitive
from clawgit.safety.rules.secrets import names_secret
from clawgit.talk.rules.exchange import takes_back
from clawgit.talk.rules.wording import is_sure, pattern

LESSON = "lesson"
TASK = "task"
DONE = "done"
PINNED = "pinned"
GENERAL = "general"
_REVOKED = "revoked"
_VOID = ("void", _REVOKED)
KINDS = (DECISION, EXPLICIT, LESSON, TASK, DONE, PINNED, GENERAL)
_CLOCK = lazily(r"^[0-2]?[0-9]:[0-5][0-9](?: [AP]M)?(?:\s*[-–—·:]\s*|\s+|$)")
_LONGEST = 60
_READ = 300

_LABEL = lazily(
    r"[^\w\[【]*(?:\[(?P<bracket>[^\]\n]{2,40})\]|【(?P<wide>[^】\n]{1,40})】|(?P<plain>[^:：\n]{1,40}?)[*_]*[:：])"
    r"[*_:：]*(?=\s|$|[^\x00-\x7f])"
)
_TIMED = lazily(r"\b\d{1,2}:\d\d\b")
_BEHIND = lazily(r"[(（].*$")


class LineLabel(NamedTuple):
    """The words before the colon, or in brackets, at the beginning of a line. Its text goes on at
    `end`.
    """

    words: str
    end: int


def label(text: str) -> LineLabel | None:
    """The label of a line, if it has one."""
    match = _LABEL.match(text[:_LONGEST])
    words = match[match.lastgroup or 0].strip(" *_") if match else ""
    return LineLabel(words, match.end()) if match and words else None


def unlabelled(text: str) -> str:
    """A text without a label such as “Decision:”."""
    mark = label(text)
    return text[mark.end :].strip() if mark and kinds_of(mark.words) else text


def kinds_of(title: str) -> frozenset[str]:
    """Which marks a heading or a label is, whatever signs, numbers and brackets follow it."""
    return _listed().get(titled(title), frozenset())


def marks(text: str) -> frozenset[str]:
    """The marks that a line begins with; none if no more is said: “Lesson: none today.”"""
    mark = label(text)
    if mark is None or mark.words[0].isdigit() or _is_empty(text[mark.end :]):
        return frozenset()
    return kinds_of(mark.words)


def is_pinned(text: str, *, whole: bool = True) -> bool:
    """Whether a heading says that what is below it must stay where it is.

    With `whole` off, for a line: it needs several words such as “survives compaction”, or a sign.
    """
    return "📌" in text[:_READ] or _names(text, PINNED, whole=whole)


def is_log(title: str) -> bool:
    """Whether a heading is that of a log: it has a time, or a machine writes below it."""
    return _TIMED.search(title) is not None or _names(title, "log")


def is_lasting(title: str) -> bool:
    """Whether a heading or a label says that what follows is a rule, a preference, a lesson or a
    decision.
    """
    return _names(title, "lasting")


def is_void(title: str) -> bool:
    """Whether a heading or a label takes back what follows, or leaves it open: “Rejected ideas”."""
    return any(_names(title, kind) for kind in _VOID)


def _names(title: str, kind: str, *, whole: bool = True) -> bool:
    plain = f" {_bare(visible(title)[:_READ])} "
    return any(f" {row} " in plain for row in _bare_rows(kind) if whole or " " in row)


def titled(title: str) -> str:
    """The words of a heading or a label, as they are compared."""
    return _bare(_BEHIND.sub("", visible(title)[:_LONGEST]))


def _bare(title: str) -> str:
    """The words of a title with one blank between them, without signs and numbers in front."""
    words = [token.folded for token in tokens(title)]
    while words and words[0].replace(":", "").replace(".", "").isdigit():
        words = words[1:]
    return " ".join(words)


@cache
def _bare_rows(kind: str) -> tuple[str, ...]:
    return tuple(map(_bare, rows(MARKS, kind)))


@cache
def _listed() -> dict[str, frozenset[str]]:
    listed: dict[str, frozenset[str]] = {}
    for kind in KINDS:
        for row in _bare_rows(kind):
            listed[row] = listed.get(row, frozenset()) | {kind}
    return listed


class NoteUnit(NamedTuple):
    """A list item with what is nested in it, or a paragraph, of a note. `text` is what a reader
    sees, `heading` the nearest one above, and `key` what a search knows it by.
    """

    path: str
    block: Block
    text: str
    heading: str
    key: str

    @property
    def line(self) -> int:
        return self.block.line

    @property
    def end_line(self) -> int:
        return self.block.end

    @property
    def evidence(self) -> str:
        return f"{self.path}#L{self.line}"


def as_item(unit: NoteUnit, tag: str, meta: Meta) -> str:
    """A unit as an entry: its bytes, what only its heading says, its category and its comment."""
    raw = unit.block.text.removeprefix("\ufeff").rstrip()
    # The lines of a paragraph become one, because an item is read up to its line end.
    parts = split(raw if unit.block.kind == "item" else " ".join(raw.split()))
    bare = BULLET.sub("", parts.before, count=1) if unit.block.kind == "item" else parts.before
    has_category = any(written in PRIMARY for written in tags_in(bare))
    tagged = "" if has_category else f" #{tag}"
    return f"- {context(unit)}{bare.strip()}{tagged} {meta}{parts.after}"


def context(unit: NoteUnit) -> str:
    """What only the headings of a unit say, as the beginning of a sentence: the nearest that is no
    mark such as “Decisions”.
    """
    heading = next((title for title in titles(unit.block) if not kinds_of(title)), "")
    if {word for word in words_of(heading) if word[0].isalnum()} <= {*words_of(unit.text)}:
        return ""
    return frames.UNDER.format(path=heading, words="")


def titles(block: Block) -> Iterator[str]:
    """The headings above a block, the nearest first, without the title of the note. A time in front
    only says when the note was written.
    """
    return (_CLOCK.sub("", visible(title).strip()) for title in block.path[:0:-1])


# What a sentence of a note says for sure, and whether it may go anywhere.

_PARTS = lazily(r"[.;。；!！~()（）\[\]【】–—]|\s-\s")
"""Between a line and a remark on it: “(rejected)”, “— cancelled”, “~~…~~ wrong”."""

_EMPTY_UP_TO = 3
"""Of so many words, “open” or “to be discussed” is all that a line says."""


def is_revoked(text: str, kinds: tuple[str, ...] = (_REVOKED,)) -> bool:
    """Whether a remark in a line takes the line back: “Outdated: …”, “… (cancelled)”; “… (MySQL was
    rejected)” does not.
    """
    remarks = {*map(_bare, _remarks(text))}
    return any(row in remarks for kind in kinds for row in _bare_rows(kind))


def _remarks(text: str) -> list[str]:
    """The parts of a line, and first the label behind its mark."""
    inner = label(unlabelled(text))
    return [inner.words if inner else "", *_PARTS.split(text)]


def _is_empty(words: str) -> bool:
    """Whether all that stands behind a label is “none”, “see above” or “to be discussed”."""
    return len(tokens(words)) <= _EMPTY_UP_TO and is_void(words)


def _is_joke(text: str) -> bool:
    inner, _, *behind = _remarks(text)
    return has_any(text, "laughs") or any(takes_back("", each, "") for each in (inner, *behind))


def unsaid(text: str) -> str:
    """Why a line, whatever label it has, says nothing that holds."""
    words = unlabelled(text)
    if _is_empty(words) or is_revoked(text, _VOID) or _is_joke(text):
        return "it is taken back, or left open"
    if pattern("doubts", "supposes").match(words):
        return "it supposes"
    return "" if is_sure(words) else "it is not certain"


def danger(text: str) -> str:
    """Why a text must not be moved anywhere, "" if it may be."""
    if is_sensitive(text) or names_secret(text):
        return "a secret"
    return "gives orders" if orders("", text) else ""
