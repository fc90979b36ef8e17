"""Messages of conversations: what a message is, its key, and when two accounts are of the same
message.

A message can reach us twice: *live*, from the running chat, and as a *record*, from a transcript.
Each account has its own key. `settle` lets every account in once, and joins the two that tell of
one message.

And a session as OpenClaw saves it in memory/, read as turns without what only the runtime needs.
Its text stays line for line, so that a place in it is a place in the file: what is left out becomes
an empty line.
"""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import count, pairwise

from clawgit.core import NamedTuple
from clawgit.git.rules.ids import digest
from clawgit.language.lazily import lazily

_TURN = lazily(
    r"(?P<role>user|assistant|system|tool|visitor):(?:[ \t]+(?P<words>.*))?\Z", re.IGNORECASE
)

_SHARED = lazily(r"agent:[^:]*:(?s:.*:)?(?:group|channel|room|guild):", re.IGNORECASE)
_HEADER = lazily(r"[ \t]*[-*][ \t]+\*\*(?:Session Key|Session ID|Source)\*\*:")
_SESSION = lazily(r"[ \t]*[-*][ \t]+\*\*Session (?:Key|ID)\*\*:")
_SUMMARY = lazily(r"## Conversation Summary\s*\Z", re.IGNORECASE)

_FENCE = lazily(r"[ \t]*(?P<marks>`{3,}|~{3,})")
_USER = lazily(r"^user:[ \t]*", re.MULTILINE | re.IGNORECASE)
EVENT = lazily(r"System(?: \(untrusted\))?: \[[0-9]{4}-[0-9]{2}-[0-9]{2}[^\]\n]*\][^\n]*")
"""A line of what the runtime reports in a user's turn."""

_FRONT = lazily(
    rf"\s+|{EVENT.pattern}"
    # an envelope of metadata
    r"|(?:\[[^\]\n]*\][ \t]*)?[^\n`:]{1,80}\(untrusted[^)\n]*\):[ \t]*\n[ \t]*(`{3,}|~{3,}).*\n"
    r"(?:.*\n){0,5000}?[ \t]*\1"
    # a block of a plugin, which may quote other turns
    r"|<([a-z][\w-]*)>[ \t]*\n(?:.*\n){0,5000}?</\2>",
    re.IGNORECASE,
)
"""What the runtime puts before the words of a user. A block of more lines has no end, and is text
like any other.
"""

_STAMP = lazily(
    r"\[(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\b(?=[^\]\n]*\d:\d\d)"
    r"|(?:BlueBubbles|Discord|Feishu|Google ?Chat|iMessage|IRC|LINE|Matrix|Mattermost"
    r"|Microsoft Teams|MSTeams|Nostr|Signal|Slack|SMS|Telegram|Twitch|WebChat|WhatsApp|Zalo)\b"
    r"(?=[^\]\n]*(?:\bid:|\d{4}-\d\d-\d\d)))[^\]\n]*\]\s+"
)
"""The channel and the time behind that: `[Telegram Ana 2026-02-03]`. What stands in any other
brackets belongs to the words: `[Kim wrote this]`.
"""

_INSIDE = lazily(
    r"^<<<(EXTERNAL_[A-Z_]+\b[^>\n]*)>>>[ \t]*\n(?:.*\n){0,5000}?<<<END_\1>>>[ \t]*$"
    r"|^</?final>[ \t]*$|^Untrusted context \(metadata[^)\n]*\):[ \t]*$"
    r"|\[(?:message_id|media attached)\b[^\]\n]*\][ \t]*$|\[\[reply_to[^\]\n]*\]\][ \t]*",
    re.MULTILINE,
)
"""What it adds anywhere in a message."""

_TITLE = lazily(r"[ \t]*#{1,6}[ \t]+(.*?)[ \t#]*\Z")

_RUNTIME = lazily(
    r"A new session was started via /new or /reset|Read HEARTBEAT\.md if it exists"
    r"|Pre-compaction memory flush|An async command you ran earlier has completed"
    r"|✅ New session started|HEARTBEAT_OK|NO_REPLY"
    r"|\[(?:System Message|Subagent [\w ]+|Inter-session message)\b[^\]\n]*\]|\[cron:",
    re.IGNORECASE,
)
"""How turns begin in which the runtime talks to the model, or the model to it."""

_HEAD = 20
"""A dump has its header among this many lines at the top."""


def as_turns(text: str) -> str:
    """The text as it was said, where it is a saved session; any other text as it is."""
    if not is_session(text):
        return text
    text = _INSIDE.sub(lambda at: "\n" * at[0].count("\n"), text.replace("\r\n", "\n"))
    text = _without_fronts(text)
    said, lines = [*turns(text)], text.split("\n")
    above = lines[: said[0].line - 1] if said else lines
    read = ["" if _HEADER.match(line) or _SUMMARY.match(line) else line for line in above]
    read += [_said(turn.role, turn.text[len(turn.role) + 1 :]) for turn in said]
    return "\n".join(read)


def unwrapped(text: str) -> str:
    """What a user typed, without what OpenClaw adds before and after it for its model; "" if the
    runtime speaks in the user's place.
    """
    # Most messages have none of these signs, and then nothing is around them.
    if "[" in text or "<" in text or "(untrusted" in text:
        text = _INSIDE.sub("", text).strip()
        # Where nothing else is left, what looks like a front is what the user typed.
        text = text[_begun(text) :] or ("" if EVENT.match(text) else text)
    text = text.strip()
    return "" if _RUNTIME.match(text) else text


def is_shared(session: str) -> bool:
    """Whether others can read a session, by its key, such as `agent:main:telegram:group:-100`."""
    return bool(_SHARED.match(session))


def is_session(text: str) -> bool:
    """Whether a text is a saved session: it has the header of one, or turns of both sides."""
    if "assistant:" not in text and "user:" not in text:
        return False
    lines = text.split("\n")
    if any(_SESSION.match(line) for line in lines[:_HEAD]):
        return True
    roles = {turn["role"].lower() for line in lines if (turn := _TURN.match(line))}
    return {"user", "assistant"} <= roles


class SavedTurn(NamedTuple):
    """One turn, from its line on; `text` begins with the role."""

    line: int
    role: str
    text: str


def turns(text: str) -> Iterator[SavedTurn]:
    """The turns of a text, in their order. In a block of code, `user:` is code."""
    lines = text.split("\n")
    starts = [
        (at, turn["role"].lower())
        for at, line in _outside_code(lines)
        if (turn := _TURN.match(line)) and not EVENT.match(line)
    ]
    for (first, role), (end, _) in pairwise([*starts, (len(lines), "")]):
        yield SavedTurn(first + 1, role, "\n".join(lines[first:end]))


def _outside_code(lines: list[str]) -> Iterator[tuple[int, str]]:
    in_code = ""
    for at, line in enumerate(lines):
        if in_code:
            in_code = "" if line.strip() == in_code else in_code
        elif fence := _FENCE.match(line):
            in_code = fence["marks"]
        else:
            yield at, line


def _said(role: str, words: str) -> str:
    """What was said in a turn, after the name of its speaker."""
    said = words.lstrip()
    if not said or _RUNTIME.match(said):
        return "\n" * words.count("\n")
    above = "\n" * words.count("\n", 0, len(words) - len(said))
    lines = said.split("\n")
    # A heading inside a message is not a heading of the conversation.
    for at, line in _outside_code(lines):
        if title := _TITLE.match(line):
            lines[at] = f"**{title[1]}**"
    return f"{above}{role}: " + "\n".join(lines)


def _without_fronts(text: str) -> str:
    """The text with empty lines for what stands before the words of each user's turn."""
    read, at = list[str](), 0
    for turn in _USER.finditer(text):
        # It may stand in a block that was left out.
        if turn.start() >= at:
            end = _begun(text, turn.end())
            read.append(text[at : turn.end()] + "\n" * text.count("\n", turn.end(), end))
            at = end
    return "".join(read) + text[at:]


def _begun(text: str, at: int = 0) -> int:
    """Where the words begin that a user typed."""
    while front := _FRONT.match(text, at):
        at = front.end()
    stamp = _STAMP.match(text, at)
    return stamp.end() if stamp else at


# Accounts of messages

WINDOW = timedelta(minutes=10)
"""How far apart the times of two accounts of one message may be, where no id shows that they belong
together."""

DEFAULT_SESSION = "main"
LIVE, RECORD = "live", "record"
USER = "user"
ASSISTANT = "assistant"
ANOTHER = "visitor"
"""The role of what somebody else writes in the operator's place."""

_LONGEST_NAME = 200
_KEYED = ("agent:", "cron:", "hook:")
_SURROGATES = lazily("[\ud800-\udfff]")


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


Ident = Callable[[str, str, str, datetime | None], str]
"""Makes an id of a session, a role, a text and a time."""


def numbered() -> Ident:
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
    name = digest(message.role, unicodedata.normalize("NFC", words))
    return int.from_bytes(bytes.fromhex(name[:16]), signed=True)


class Settled(NamedTuple):
    """What taking messages in does: the known ones that it changes, by their place; the new ones;
    and each that came, as it is now.
    """

    changed: list[tuple[int, Message]]
    fresh: list[Message]
    stored: list[Message]


def settle(coming: Iterable[Message], known: Sequence[Message]) -> Settled:
    """Takes in messages that come; `known` are those that could be the same, the oldest first: of
    the same key or id, or alike and within `WINDOW`.
    """
    book = _Book()
    for message in known:
        book.add(message)
    places = [book.take(message) for message in coming]
    rows, old = book.rows, len(known)
    changed = [(at, rows[at]) for at in range(old) if rows[at] != known[at]]
    return Settled(changed, rows[old:], [rows[at] for at in places])


def evidence_of(message: Message) -> str:
    """How an entry and a commit cite a message."""
    return f"chat:{message.key}"


class _Book:
    """Messages, and the places of those that have a key, an id or a text."""

    def __init__(self) -> None:
        self.rows: list[Message] = []
        self._places: defaultdict[object, list[int]] = defaultdict(list)

    def add(self, message: Message) -> int:
        at = len(self.rows)
        self.rows.append(message)
        for clue in (*_keys(message), message.id, likeness(message)):
            self._places[clue].append(at)
        return at

    def take(self, message: Message) -> int:
        """Adds a message, or joins it to the row for the same one. Returns the row's place."""
        if not message.key:
            message = self._named(message)
        at = self._same(message)
        if at is None:
            return self.add(message)
        # A key that another message has already stays with that.
        free = [key for key in _keys(message) if key not in self._places]
        kept = dict(free)
        account = message._replace(live=kept.get(LIVE), record=kept.get(RECORD))
        self.rows[at] = _joined(self.rows[at], account)
        for key in free:
            self._places[key].append(at)
        return at

    def _named(self, message: Message) -> Message:
        """A live message that had no id, with the first derived id that is free."""
        session, role, text, time = message.session, message.role, message.text, message.time
        idents = (_derived(session, role, text, time, number) for number in count(1))
        ident = next(one for one in idents if (LIVE, _key(session, one)) not in self._places)
        return message._replace(id=ident, live=_key(session, ident))

    def _same(self, message: Message) -> int | None:
        """The place of the row for the same message: by key, then by id, then by text and time."""
        for key in _keys(message):
            if key in self._places:
                return self._places[key][0]
        # The oldest first: both records come in order, so equal messages are paired one by one.
        for clue, is_same in ((message.id, _same_by_id), (likeness(message), _same_by_text)):
            for at in self._places.get(clue, ()):
                if is_same(self.rows[at], message) and _fits(self.rows[at], message):
                    return at
        return None


def _same_by_id(row: Message, message: Message) -> bool:
    # A live message without an id may have been joined to the record before.
    return bool(row.record and not message.record) or _completes(row, message)


def _same_by_text(row: Message, message: Message) -> bool:
    return abs(row.time - message.time) <= WINDOW and _completes(row, message)


def _keys(message: Message) -> list[tuple[str, str]]:
    """The keys of its accounts, each with its kind."""
    keys = ((RECORD, message.record), (LIVE, message.live))
    return [(kind, key) for kind, key in keys if key]


def _completes(row: Message, message: Message) -> bool:
    return not ((row.live and message.live) or (row.record and message.record))


def _fits(row: Message, message: Message) -> bool:
    """Whether two accounts have one role and one session."""
    record, live = (row, message) if row.record else (message, row)
    conversation = _conversation(record)
    if row.role != message.role:
        return False
    if live.session in (record.session, conversation):
        return True
    # The name of a session is lost when its transcript is archived before we saw it.
    return record.session == conversation and live.session.startswith(_KEYED)


def _joined(row: Message, account: Message) -> Message:
    """The row, completed: a record adds OpenClaw's id, and either may add the session's name."""
    return row._replace(
        id=account.id if account.record and not row.record else row.id,
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
    return f"{text[: _LONGEST_NAME - 17]}~{digest(text)[:16]}"


def _derived(session: str, role: str, text: str, time: datetime | None, count: int) -> str:
    moment = time.astimezone(UTC).isoformat() if time else ""
    return f"h{digest(session, role, text, moment, str(count))[:15]}"
