"""Messages of conversations: what a message is, its key, and when two accounts are of the same
message.

A message can reach us twice: *live*, from the running chat, and as a *record*, from a transcript.
Each account has its own key. `settle` lets every account in once, and joins the two that tell of
one message.
"""

import hashlib
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from clawgit.domain.conversation.dump import EVENT, RUNTIME

WINDOW = timedelta(minutes=10)
"""How far apart the times of two accounts of one message may be, where no id shows that they belong
together."""

DEFAULT_SESSION = "main"
USER = "user"
ASSISTANT = "assistant"

_LONGEST_NAME = 200
_KEYED = ("agent:", "cron:", "hook:")
_ENVELOPE = re.compile(
    r"\A(?:\s*(?:\[[^\]\n]*\][ "
    r"\t]*)?[^\n`]{1,80}\(untrusted[^)\n]*\):\n```\w*\n.*?\n```)*\s*(?:\[[^\]\n]*\])?",
    re.DOTALL,
)
_HINT = re.compile(r"\n\[message_id: [^\]\n]*\]\s*\Z")
_SURROGATES = re.compile("[\ud800-\udfff]")


class Message(NamedTuple):
    """One message. `live` and `record` are the keys of its accounts; one of a running chat that has
    no id gets its key from `settle`. `session` is the name of the session, or the id of its
    transcript where no name is known.
    """

    id: str
    session: str
    role: str
    text: str
    time: datetime
    priority: bool = False
    live: str | None = None
    record: str | None = None

    @property
    def key(self) -> str:
        """What names this message among all; it may change once, when the record of a live message
        comes.
        """
        return self.record or self.live or ""


def told(session: str, role: str, text: str, time: datetime, ident: str = "") -> Message:
    """A message as the running chat tells it. Without an id each call tells of a message of its
    own.
    """
    session, ident = _name(session) or DEFAULT_SESSION, _name(ident)
    return Message(
        ident, session, _name(role), plain(text), time, live=_key(session, ident) if ident else None
    )


def recorded(
    conversation: str, session: str, role: str, text: str, time: datetime, ident: str
) -> Message:
    """A message as the transcript `conversation` holds it; its id means something in that
    transcript only.
    """
    conversation, ident = _name(conversation), _name(ident)
    key = _key(conversation, ident)
    return Message(
        ident, _name(session) or conversation, _name(role), plain(text), time, record=key
    )


def brought_by(message: Message, name: str) -> Message:
    """A message whose way in is a caller that names itself an agent. Its role says so, which makes
    it that agent's word. Its keys are its own, so that it takes no other message's place.
    """
    return message._replace(
        role=f"{message.role} via {name}",
        live=message.live and _key(message.session, f"{name}:{message.id}"),
        record=message.record and f"{name}:{message.record}",
    )


def counted() -> Callable[[str, str, str, datetime | None], str]:
    """A function that makes ids for the messages of one stream. Equal messages are counted, so the
    same stream always gets the same ids.
    """
    seen: Counter[tuple[str, str, str, datetime | None]] = Counter()

    def ident(session: str, role: str, text: str, time: datetime | None) -> str:
        alike = (_name(session), _name(role), plain(text), time)
        seen[alike] += 1
        return _derived(*alike, seen[alike])

    return ident


def plain(text: str) -> str:
    """The text as every store can hold it: no NUL, no lone surrogate."""
    return _SURROGATES.sub("\ufffd", text.replace("\0", "\u2400"))


def likeness(message: Message) -> int:
    """A number that is the same for two accounts of one message, whatever a runtime put around its
    text.
    """
    words = " ".join((unwrapped(message.text) or message.text).split())
    alike = f"{message.role}\0{unicodedata.normalize('NFC', words)}"
    return int.from_bytes(hashlib.sha256(alike.encode()).digest()[:8], signed=True)


class Settled(NamedTuple):
    """What taking messages in does: the known ones that it changes, by their place; the new ones;
    and each that came, as it is now.
    """

    changed: list[tuple[int, Message]]
    fresh: list[Message]
    stored: list[Message]


def settle(coming: Iterable[Message], known: Sequence[Message]) -> Settled:
    """Takes in messages that come; `known` are those that could be the same: of the same key or id,
    or alike and within `WINDOW`.
    """
    book = _Book(known)
    places = [book.take(message if message.key else book.named(message)) for message in coming]
    rows, count = book.rows, len(known)
    changed = [(at, rows[at]) for at in range(count) if rows[at] != known[at]]
    return Settled(changed, rows[count:], [rows[at] for at in places])


def evidence_of(message: Message) -> str:
    """How an entry and a commit cite a message."""
    return f"chat:{message.key}"


def unwrapped(text: str) -> str:
    """What a user typed, without what OpenClaw adds before and after it for its model; "" if the
    runtime speaks in the user's place.
    """
    bare = text
    while event := EVENT.match(bare):
        bare = bare[event.end() :]
    if bare.startswith("[") or "(untrusted" in bare:
        bare = _ENVELOPE.sub("", bare, count=1)
    typed = _HINT.sub("", bare).strip()
    if typed.startswith(RUNTIME) or (text and not bare):
        return ""
    return typed or text


class _Book:
    """Messages, indexed by all that can identify another account of them."""

    def __init__(self, known: Iterable[Message]) -> None:
        self.rows: list[Message] = []
        self._keyed: dict[tuple[str, str | None], int] = {}
        self._by_id: dict[str, list[int]] = defaultdict(list)
        self._alike: dict[int, list[int]] = defaultdict(list)
        for message in known:
            self._add(message, likeness(message))

    def take(self, message: Message) -> int:
        """Adds a message, or joins it to the row for the same one. Returns the row's place."""
        alike = likeness(message)
        at = self._same(message, alike)
        if at is None:
            return self._add(message, alike)
        # A key that another message has already stays with that.
        live = None if self._known("live", message.live) else message.live
        record = None if self._known("record", message.record) else message.record
        self.rows[at] = _joined(self.rows[at], message._replace(live=live, record=record))
        self._index(at)
        return at

    def named(self, message: Message) -> Message:
        """A live message that had no id, with the first derived id that is free."""
        count = 1
        while True:
            ident = _derived(message.session, message.role, message.text, message.time, count)
            key = _key(message.session, ident)
            if not self._known("live", key):
                return message._replace(id=ident, live=key)
            count += 1

    def _known(self, kind: str, key: str | None) -> bool:
        return (kind, key) in self._keyed

    def _add(self, message: Message, alike: int) -> int:
        at = len(self.rows)
        self.rows.append(message)
        self._index(at)
        self._by_id[message.id].append(at)
        self._alike[alike].append(at)
        return at

    def _index(self, at: int) -> None:
        row = self.rows[at]
        for key in (("live", row.live), ("record", row.record)):
            if key[1]:
                self._keyed.setdefault(key, at)

    def _same(self, message: Message, alike: int) -> int | None:
        """The place of the row for the same message: by key, then by id, then by text and time."""
        for key in (("record", message.record), ("live", message.live)):
            if key in self._keyed:
                return self._keyed[key]
        for at in self._by_id[message.id]:
            row = self.rows[at]
            # A live message without an id may have been joined to the record before.
            is_told_of = row.record and not message.record
            is_other_account = is_told_of or _completes(row, message)
            if is_other_account and _fits(row, message):
                return at
        # The oldest first: both records come in order, so equal messages are paired one by one.
        first = min(self._twins(message, alike), default=None)
        return first[1] if first else None

    def _twins(self, message: Message, alike: int) -> Iterator[tuple[datetime, int]]:
        """The rows with the same text at nearly the same time, which the message completes."""
        for at in self._alike[alike]:
            row = self.rows[at]
            near = abs(row.time - message.time) <= WINDOW
            if near and _completes(row, message) and _fits(row, message):
                yield row.time, at


def _completes(row: Message, message: Message) -> bool:
    return not ((row.live and message.live) or (row.record and message.record))


def _fits(row: Message, message: Message) -> bool:
    return row.role == message.role and _same_session(row, message)


def _same_session(row: Message, message: Message) -> bool:
    record, live = (row, message) if row.record else (message, row)
    conversation = _conversation(record)
    if live.session in (record.session, conversation):
        return True
    # The name of a session is lost when its transcript is archived before we saw it.
    return record.session == conversation and live.session.startswith(_KEYED)


def _joined(row: Message, account: Message) -> Message:
    """The row, completed: a record adds OpenClaw's id, and either may add the session's name."""
    record = account if account.record else row
    return row._replace(
        id=record.id if record.record and not row.record else row.id,
        session=_session(row, account),
        priority=row.priority or account.priority,
        live=row.live or account.live,
        record=row.record or account.record,
    )


def _session(row: Message, account: Message) -> str:
    """The session's name rather than the id of its transcript. A record's name goes first."""
    conversation = _conversation(row) or _conversation(account)
    names = (account.session, row.session) if account.record else (row.session, account.session)
    return next((name for name in names if name != conversation), row.session)


def _conversation(record: Message) -> str:
    return (record.record or "").rpartition("/")[0]


def _key(session: str, ident: str) -> str:
    """The last slash separates the two, so one in the id is replaced by a character like it."""
    return f"{session}/{ident.replace('/', chr(0x2215))}"


def _name(text: str) -> str:
    """A name short enough for a database index; a long one ends in the hash of the whole."""
    text = plain(text).strip()
    if len(text) <= _LONGEST_NAME:
        return text
    return f"{text[: _LONGEST_NAME - 17]}~{hashlib.sha256(text.encode()).hexdigest()[:16]}"


def _derived(session: str, role: str, text: str, time: datetime | None, count: int) -> str:
    moment = time.astimezone(UTC).isoformat() if time else ""
    alike = "\0".join((session, role, text, moment, str(count)))
    return f"h{hashlib.sha256(alike.encode()).hexdigest()[:15]}"
