"""A change as git stores it: the messages of our commits, written and read back."""

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Any

from clawgit.core import NamedTuple
from clawgit.core.markdown.excerpt import one_line
from clawgit.git.rules.actors import OPERATOR, SNAPSHOT, Actor, actor_named, is_known
from clawgit.git.rules.ids import TRAILER, change_ids
from clawgit.safety.rules.secrets import masked

UNDO = "undo"
REDO = "redo"
REVERT = "revert"
RESTORE = "restore"
SYNC = "sync"
FROM_HISTORY = frozenset({UNDO, REDO, REVERT, RESTORE, SYNC})
"""Verbs that bring back, or bring in, what a commit already holds."""

STEPS = frozenset({UNDO, REDO})
"""Verbs that take back what other commits did; they name those commits as evidence."""

BACK = STEPS | {REVERT}
"""The same, and the verb that takes back a part of a commit."""

PROPOSE = "propose"
FORGET = "forget"
"""Takes words out for good. No message names them."""
INIT = "init"
REMEMBER = "remember"
OWN_WORDS = frozenset({REMEMBER, "edit", "approve", "correct", "resolve", "agent"})
"""Verbs with which the operator writes words, or agrees to words that they were shown. All other
verbs bring back, move or copy text that they were not shown.
"""

RE_EMBED = "re-embed"
"""Records that a correction is in the index; it belongs to the change before it."""
PRUNE = "prune"
"""Logs which texts no longer have a vector, which follows from dates and settings."""
DERIVE = "changelog"
"""Rewrites a file that is derived from history."""
FOLLOW = "merge"
"""Finishes what a merge by git left undone."""

_OPPOSITE = {"take": "bring", "bring": "take"}


class Intent(NamedTuple):
    """Why a change is made: everything that its commit message says. Not in it are `lets_in`, the
    fingerprints of the secrets that the operator keeps on purpose, and `takes`, which says what of
    the operator's it takes back.
    """

    actor: Actor
    verb: str
    summary: str
    reason: str = ""
    evidence: tuple[str, ...] = ()
    session: str = ""
    confidence: float | None = None
    run: str = ""
    alerts: tuple[str, ...] = ()
    job: str = ""
    lets_in: tuple[str, ...] = ()
    takes: tuple[str, ...] = ()


class CommitMessage(NamedTuple):
    """A commit message, read. Fields that a message does not carry are empty; a foreign commit has
    only a summary.
    """

    summary: str
    reason: str = ""
    ids: tuple[str, ...] = ()
    op: str = ""
    evidence: tuple[str, ...] = ()
    session: str = ""
    confidence: float | None = None
    run: str = ""
    alerts: tuple[str, ...] = ()
    job: str = ""

    @property
    def actor_slug(self) -> str:
        return self.op.partition("/")[0]

    @property
    def by_operator(self) -> bool:
        """Whether it says that the operator made the commit; only a signature proves it."""
        return self.actor_slug == OPERATOR.slug

    @property
    def verb(self) -> str:
        return self.op.partition("/")[2]

    @property
    def headline(self) -> str:
        """The summary without the actor or verb that the subject line opens with.

        For a restore, it begins with the verb, which the subject line has only if the operator did
        it.
        """
        prefix, colon, rest = self.summary.partition(": ")
        is_ours = colon and self.op and prefix in (self.actor_slug, self.verb)
        text = rest if is_ours else self.summary
        return f"{RESTORE} {text}" if self.verb == RESTORE else text


LATEST = datetime(9999, 12, 31, tzinfo=UTC)
"""Git knows later days, Python does not."""

COMMIT = "--format=%H%x00%P%x00%cI%x00%an%x00%B"
"""What `read_commit` reads."""


class ToldChange(NamedTuple):
    """A commit as all lists tell it: the `change` of what says more of one."""

    sha: str
    id: str | None
    time: datetime
    actor: str
    op: str
    summary: str
    reason: str
    evidence: tuple[str, ...]


class Commit(NamedTuple):
    """A commit with its message read. `actor` is the slug of `Clawgit-Op`, else the author's
    name. `paths`: the files that it touches, where they were asked for.
    """

    sha: str
    parents: tuple[str, ...]
    time: datetime
    author: str
    message: CommitMessage
    paths: tuple[str, ...] = ()

    @property
    def id(self) -> str | None:
        """The change id that names it, None if it carries none."""
        return self.message.ids[0] if self.message.ids else None

    @property
    def name(self) -> str:
        """What a user types to name it: the change id, else the short hash."""
        return self.id or self.sha[:10]

    @property
    def first_parent(self) -> str | None:
        return self.parents[0] if self.parents else None

    @property
    def alerts(self) -> tuple[str, ...]:
        """The alerts that clawgit put into its message."""
        return alerts_of(self.message, self.author)

    @property
    def actor(self) -> str:
        if self.message.actor_slug:
            return self.message.actor_slug
        return f"git: {self.author}" if is_known(self.author) else self.author

    @property
    def told(self) -> ToldChange:
        """What all lists tell of it."""
        said = self.message
        what = said.op, said.headline, said.reason, said.evidence
        return ToldChange(self.sha, self.id, self.time, self.actor, *what)


def read_commit(fields: Iterable[bytes]) -> Commit:
    """The commit of which git tells these fields."""
    sha, parents, time, author, body = (field.decode("utf-8", "replace") for field in fields)
    try:
        when = datetime.fromisoformat(time)
    except ValueError:
        when = LATEST
    return Commit(sha, tuple(parents.split()), when, author, parse_message(body))


SAYS = "its message says: "
"""Put before words that may not be clawgit's."""


def alerts_of(message: CommitMessage, author: str) -> tuple[str, ...]:
    """The alerts of a message that clawgit wrote.

    Anybody can type the trailer. It counts only in a commit that carries an id and whose author is
    the actor that it names, as in every commit of ours. The operator's commits have the git user's
    name, as commits by hand do, so their alerts are shown as what the message claims.
    """
    if not message.ids or not message.op:
        return ()
    actor = actor_named(message.actor_slug)
    if actor == OPERATOR:
        return tuple(f"{SAYS}{alert}" for alert in message.alerts)
    return message.alerts if author == masked(actor.name) else ()


def render_message(intent: Intent, ident: str) -> str:
    """The commit message of a change.

    Text that looks like one of our trailers is indented, so that none can be forged. A secret is
    masked, since a message cannot be taken back.
    """
    has_prefix = intent.actor != OPERATOR and intent.verb != SNAPSHOT
    prefix = intent.actor.slug if has_prefix else intent.verb
    subject = masked(one_line(f"{prefix}: {intent.summary}"))
    lines = map(str.rstrip, masked(intent.reason).strip().splitlines())
    # A line that looks like a trailer would be read as one.
    reason = "\n".join(f" {line}" if TRAILER.fullmatch(line) else line for line in lines)
    trailers = masked("\n".join(_trailers(intent, ident)))
    message = "\n\n".join(part for part in (subject, reason, trailers) if part) + "\n"
    return message.replace("\0", "\ufffd")  # git ends a message there, without its trailers


_TRAILERS = {
    "Evidence": "evidence",
    "Session": "session",
    "Confidence": "confidence",
    "Run": "run",
    "Alert": "alerts",
    "Clawgit-Job": "job",
}
"""The fields of a message that are trailers, in the order of the format."""

_SEVERAL = ("evidence", "alerts")


def _trailers(intent: Intent, ident: str) -> Iterator[str]:
    yield f"Clawgit-Id: {ident}"
    yield f"Clawgit-Op: {intent.actor.slug}/{intent.verb}"
    for key, name in _TRAILERS.items():
        value = getattr(intent, name)
        if isinstance(value, float):
            value = f"{value:.2f}"
        values = value if name in _SEVERAL else (value or "",)
        yield from (f"{key}: {one_line(each)}" for each in values if each.strip())


def parse_message(text: str) -> CommitMessage:
    """Reads any commit message. Trailers count in the last paragraph only, but change ids
    count anywhere, because a squash joins several messages.
    """
    paragraphs = re.split(r"\n[ \t]*\n", text.strip("\n"))
    subject, _, rest = paragraphs[0].partition("\n")
    trailers: dict[str, list[str]] = {}
    # The only paragraph is the subject, even where it looks like a trailer: `Fix: the port`.
    for line in paragraphs[-1].splitlines() if len(paragraphs) > 1 else []:
        if match := TRAILER.fullmatch(line.rstrip()):
            trailers.setdefault(match[1], []).append(match[2])
    body = [rest, *paragraphs[1 : -1 if trailers else None]]
    told: dict[str, Any] = {
        name: tuple(trailers.get(key, ())) if name in _SEVERAL else trailers.get(key, [""])[-1]
        for key, name in _TRAILERS.items()
    }
    told["confidence"] = _number(told["confidence"])
    return CommitMessage(
        summary=subject.strip(),
        reason="\n\n".join(part.strip() for part in map(_without_ids, body) if part.strip()),
        ids=tuple(dict.fromkeys(change_ids(text))),
        op=trailers.get("Clawgit-Op", [""])[-1],
        **told,
    )


def author_of(intent: Intent, git_user: tuple[str, str]) -> tuple[str, str]:
    """Name and email of the author: the operator is the git user, every other actor is itself."""
    if intent.actor == OPERATOR:
        return git_user
    return masked(intent.actor.name), masked(intent.actor.email)


def inverse_summary(summary: str) -> str:
    """The summary of a commit that takes back an undo, a redo or a revert, made from its summary:
    `take back …` becomes `bring back …`, and the reverse.
    """
    first, blank, rest = summary.partition(" ")
    return f"{_OPPOSITE.get(first, first)}{blank}{rest}"


def _without_ids(paragraph: str) -> str:
    return "\n".join(
        line for line in paragraph.splitlines() if not TRAILER.fullmatch(line.rstrip())
    )


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
