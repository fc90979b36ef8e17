"""Lines that never leave a daily note: logs, fields, code, links, secrets, orders to the agent."""

import re

from clawgit.domain.safety.injection import findings as orders
from clawgit.domain.safety.masks import is_sensitive
from clawgit.domain.safety.named_secrets import names_secret
from clawgit.domain.upkeep.marks import GENERAL, TASK, label, marks
from clawgit.language.tokens import is_cjk, is_hangul, tokens

SHORTEST_WORDS = 4
SHORTEST_SIGNS = 7
"""A shorter line does not stand for itself: counted in words, or in signs of a script without
blanks."""
_NAMED = 0.4
"""With a word of a category, less than half of that does: “Phase 2 launched”."""
_SENTENCE = 6
"""With this many words after its label, a line says something and is not a field of a form."""

_ENDS = re.compile(r"[\w%)][.。]$")
_NOT_PLAIN = re.compile(
    r"[*`|~→←=<>\[\]#@_–—+&•…✅-➿\U0001f300-\U0001faff]|\.(?=[a-z])|[.。] ?\S.*[.。]$|https?:"
)
_SHAPES = tuple(
    (reason, re.compile(pattern, re.IGNORECASE))
    for reason, pattern in (
        (
            "the runtime's own words",
            r"\bNO_REPLY\b|\bHEARTBEAT_OK\b|\[System Message\]|^\W*Pre-compaction memory flush",
        ),
        (
            "a state that ends by itself",
            (
                r"\b(?:no|not|zero|nothing|none|never|\w+n['’]t)\b[^.!?;]*\b(?:yet|so far)\b"
                r"|\bnoch (?:nicht|kein)|\bpas encore\b|\b(?:todavía|aún) no\b|\bainda não\b"
                r"|还没|尚未|還沒"
            ),
        ),
        ("a question", r"[?？][\s\"”')!?？*_]*$"),
        ("a fragment", r"(?:[:：…,，;；(–—-]|\.\.\.)[\s*_]*$"),
        ("a task", r"^\W*\[ \]"),
        (
            "a record of what was done",
            r"^[*_]*[^\w\s(\"“「『【*_`]*\s*[✅❌☑✔✓✗🟡🟢🔴🟠⏳🔄🚧🟦⬜]|^\W*\[[xX]\]",
        ),
        ("a heading", r"^(\*\*|__)[^*_]+\1[:：]?$"),
        ("a footer", r"^([*_])(?!\1)[^*_]+\1$|^(?:-{3,}|={3,}|\*{3,})"),
        ("box drawing", r"[─━│┃┌┐└┘├┤┬┴┼╔╗╚╝═║█▓░▀▄■□]"),
        ("quoted", r"^\W*[>|]|^[\"“„«「][^\"”“»」]*[\"”»」]\W*(?:[–—-].*)?$"),
        (
            "a log line or tool output",
            (
                r"\b\d\d:\d\d:\d\d\b|^\W*\d{1,2}:\d\d\b|^\[?(?:ERROR|WARN(?:ING)?|INFO|DEBUG|TRACE|FATAL)\b[\]:\s]"
                r"|^\W*(?:\d{4}-\d\d-\d\d[T ]\d\d:\d\d)|^\s*[{\[].*[}\]]\s*$|^(?:\$|%) "
                r"?[a-z][\w.-]*(?:\s|$)"
                r"|\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,}\b|\b[0-9a-f]{8}-[0-9a-f]{4}-|\|.*\|.*\||^\S+@\S+:\S*[$#]"
                r"|^[\w./-]+\.\w{1,4}:\d+|^[-+]{3} "
                r"|^@@|\b\d+\s*/\s*\d+\s+(?:tests?|passed|checks?)\b"
            ),
        ),
        (
            "code",
            (
                r"[;{}]\s*(?://.*|/\*.*|#.*)?$|^\s*(?://|/\*|\#!|<\w+[^>]*>|</)|^\W*`[^`]*`[\W\d]*$|\w+\(.*\);"
                r"|\b\w+ ?= ?\w*\(.*\)|^\w+(?:\.\w+)*\s?(?:=|:=|\+=|==)\s?\S+$"
            ),
        ),
        (
            "a link",
            r"^\W*(?:\[[^\]]*\]\()?(?:https?://|www\.)\S+\W*$|^(?:\S+\s){0,4}https?://\S+(?:\s+https?://\S+)*\W*$",
        ),
        ("a path", r"^\W*(?:[\w.-]+/)+[\w.-]*\W*$|^\W*`[^`]*[./][^`]*`(?:\W|$)"),
    )
)


def unfit(text: str, *, marked: bool = False, is_named: bool = False) -> str:
    """Why a line, as a reader sees it, is not promoted because of its shape; "" if it may be.

    `marked`: it stands under a heading that says that it is to last. `is_named`: it has no
    mark, and a word of a category.
    """
    plain = " ".join(text.split())
    for reason, pattern in _SHAPES:
        if pattern.search(plain):
            return reason
    if _length(plain) < (_NAMED if is_named else 1):
        return "a fragment"
    # Under “Decisions”, `Database: PostgreSQL` is a decision and no field.
    if not marked and _is_field(plain):
        return "a label of a record"
    return "a task" if TASK in marks(plain) else danger(text)


def is_plain(text: str) -> bool:
    """Whether a text is one whole, plain sentence: no markup, no signs of a log, and an end."""
    return _ENDS.search(text) is not None and _NOT_PLAIN.search(text) is None


def danger(text: str) -> str:
    """Why a text must not be moved anywhere, "" if it may be."""
    if is_sensitive(text) or names_secret(text):
        return "a secret"
    return "gives orders" if orders("", text) else ""


def _length(text: str) -> float:
    """The length of a text as a share of the shortest that stands for itself."""
    among = tokens(text)
    signs = sum(len(token.text) for token in among if is_cjk(token.text) or is_hangul(token.text))
    words = sum(not token.text[0].isdigit() for token in among)
    return max(signs / SHORTEST_SIGNS, words / SHORTEST_WORDS)


def _is_field(text: str) -> bool:
    """Whether a line is a field of a form: `**Branch:** feature/a`, `时间：…`; a mark is not."""
    field = label(text)
    if field is None or marks(text) - {TASK, GENERAL}:
        return False
    if text.startswith(("**", "__")):
        return True
    return _length(text[field.end :]) * SHORTEST_WORDS < _SENTENCE
