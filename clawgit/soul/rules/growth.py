"""Signs of how the agent should behave: what the operator says about it; when that is enough for a
line of the soul, and where the line goes. Whole lines are added or replaced; no line is ever
rephrased.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, date, datetime, tzinfo
from itertools import product

from clawgit.core import NamedTuple
from clawgit.core.layout import SOUL
from clawgit.core.markdown import frames
from clawgit.core.markdown.amend import MARKER, Amendment, amend
from clawgit.core.markdown.excerpt import in_a_line, one_line
from clawgit.core.markdown.scan import lines_of, scan
from clawgit.core.markdown.tag_table import untagged, visible
from clawgit.language.clauses import core, is_negated, is_small_talk, sentences
from clawgit.language.days import whens
from clawgit.language.judges.judging import acts, thresholds
from clawgit.language.lazily import lazily
from clawgit.language.lexicon import begins_with, content_words, has_any, lexicons_for
from clawgit.language.tokens import tokens
from clawgit.memory.rules.contradicting import NAME, NEGATION, dispute
from clawgit.safety.rules.injection import findings
from clawgit.safety.rules.masks import is_sensitive
from clawgit.safety.rules.rules import rules
from clawgit.soul.rules.changelog import IdentityChange
from clawgit.soul.rules.guard import matter, negates
from clawgit.talk.rules.chat import ASSISTANT, USER, Message, evidence_of, unwrapped
from clawgit.talk.rules.corrections import Correction
from clawgit.talk.rules.exchange import taken_back
from clawgit.talk.rules.kept_line import bears, is_private, kept, line, quotable, read
from clawgit.talk.rules.passages import FEWEST, names_address, own

CORRECTED = "corrected"
ORDERED = "ordered"
FAILED = "failed"
PRAISED = "praised"
KINDS = (CORRECTED, ORDERED, FAILED, PRAISED)
"""From the strongest sign to the weakest: an order in a correction, a standing order, a complaint,
praise."""

ORDERS = (CORRECTED, ORDERED)
"""Of these, the line is what was said, and one is enough; all others must come again on another
day."""

_SHARED = 2
"""How many words two complaints must share to be about the same thing."""

_SKILLS = ("Skills",)
_BOUNDS = ("Boundar", "Limits", "Rules", "Guardrail")
_TRUTHS = ("Core truth", "Principle", "Values", "How you work", "Core")
"""Parts of the headings that SOUL.md usually has, the most telling first."""


class Sign(NamedTuple):
    """One thing that was said about how the agent behaves.

    `rule` is the line that the soul would get: an order as it was said, else a quotation. `when` is
    in the operator's time zone. `evidence` is what a commit cites, `quote` the text there. `about`
    is the text that says what it is about. If it is not `sure`, the operator is asked.
    """

    kind: str
    rule: str
    when: datetime
    evidence: str
    quote: str
    about: str = ""
    sure: bool = True


class Growth(NamedTuple):
    """Signs that say the same, oldest first."""

    kind: str
    signs: tuple[Sign, ...]

    @property
    def newest(self) -> Sign:
        """The newest of the strongest signs: its words are what the operator means now."""
        strongest = (sign for sign in self.signs if sign.kind == self.kind)
        return max(strongest, key=lambda sign: sign.when)

    @property
    def rule(self) -> str:
        """The line for the soul: an order; or in a fixed frame how often a complaint or praise
        came, and its newest words.
        """
        words = self.newest.rule
        if self.kind in ORDERS or not words:
            return words
        days = ", ".join(day.isoformat() for day in self.days)
        frame = frames.CORRECTED_TIMES if self.kind == FAILED else frames.PRAISED_TIMES
        return frame.format(count=len(self.days), days=days, quote=words)

    @property
    def evidence(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(sign.evidence for sign in self.signs))

    @property
    def days(self) -> list[date]:
        return sorted({sign.when.date() for sign in self.signs})

    @property
    def is_ripe(self) -> bool:
        return self.kind in ORDERS or len(self.days) > 1


def growths(signs: Iterable[Sign]) -> tuple[Growth, ...]:
    """Groups the signs that say the same; the strongest group first, then the oldest."""
    groups: list[list[Sign]] = []
    for sign in sorted(
        signs, key=lambda sign: (KINDS.index(sign.kind), sign.when, sign.evidence, sign.rule)
    ):
        home = next((group for group in groups if _belong_together(group[0], sign)), None)
        if home is None:
            groups.append([sign])
        else:
            home.append(sign)
    return tuple(
        Growth(group[0].kind, tuple(sorted(group, key=lambda sign: (sign.when, sign.evidence))))
        for group in groups
    )


def _belong_together(first: Sign, second: Sign) -> bool:
    if first.kind in ORDERS and second.kind in ORDERS:
        return same(first.rule, second.rule)
    return first.kind == second.kind and alike(first.about, second.about)


def same(first: str, second: str) -> bool:
    """Whether two orders ask for the same. In doubt they do not: better twice than lost."""
    mine, theirs = matter(first), matter(second)
    # Lines of small words alone are the same only word by word.
    if not mine or not theirs:
        return read(first).words.casefold() == read(second).words.casefold()
    is_as_strict = negates(first) == negates(second)
    return mine == theirs and is_as_strict and dispute(first, second) is None


def opposes(newer: str, older: str) -> bool:
    """Whether an order takes back another: one of them is negated, or one value is different.

    Two orders with different names may both hold.
    """
    found = dispute(newer, older)
    if found is None or found.kind == NAME:
        return False
    return found.kind != NEGATION or matter(newer) == matter(older)


def alike(first: str, second: str) -> bool:
    """Whether two complaints, or two pieces of praise, are about the same thing."""
    mine, theirs = matter(first), matter(second)
    shared = len(mine & theirs)
    return shared >= _SHARED and 2 * shared >= min(len(mine), len(theirs))


def is_outdated(growth: Growth, others: Iterable[Growth]) -> bool:
    """Whether the operator has ordered the opposite since.

    A correction can only be outdated by a newer correction.
    """
    strong = (CORRECTED,) if growth.kind == CORRECTED else ORDERS
    return any(
        other.kind in strong
        and other.newest.when > growth.newest.when
        and other.newest.sure
        and opposes(other.rule, growth.rule)
        for other in others
    )


class PrincipleLine(NamedTuple):
    """A principle that is a list item of one line."""

    text: str
    number: int

    def is_about(self, sign: Sign) -> bool:
        """Whether it says what a sign says; for a complaint or praise, whether both are about the
        same thing.
        """
        if sign.kind in ORDERS:
            return same(self.text, sign.rule)
        return alike(self.text, sign.about)


def lines(soul: str) -> tuple[PrincipleLine, ...]:
    return tuple(
        PrincipleLine(one_line(MARKER.sub("", block.text, count=1)), block.line)
        for block in scan(soul)
        if block.kind == "item" and "\n" not in block.text.strip() and "<!--" not in block.text
    )


def opposed(soul: str, growth: Growth) -> PrincipleLine | None:
    """The principle that an order contradicts."""
    known = lines(soul) if growth.kind in ORDERS else ()
    return next((line for line in known if opposes(growth.rule, line.text)), None)


def with_principle(soul: str, growth: Growth) -> str:
    """The soul with one more line: praise goes below the skills, what forbids below the boundaries,
    all else below the usual heading, or to the end.
    """
    forbids = growth.kind == FAILED or (growth.kind in ORDERS and is_negated(growth.rule))
    names = (*_SKILLS * (growth.kind == PRAISED), *_BOUNDS * forbids, *_TRUTHS)
    return amend(soul, Amendment(add=f"- {growth.rule}", section=_titled(soul, names)))


def _titled(soul: str, names: Iterable[str]) -> str:
    """The first heading with such a name, "" if there is none."""
    titles = [block.path[-1] for block in scan(soul) if block.kind == "heading" and block.path]
    for name, title in product(names, titles):
        if name.lower() in title.lower() and title == title.lstrip("# ").strip():
            return title
    return ""


def with_line(soul: str, line: PrincipleLine, text: str) -> str:
    """The soul with a line replaced; its bullet stays."""
    rows = lines_of(soul)
    row = rows[line.number - 1]
    marker, end = MARKER.match(row), row[len(row.rstrip()) :]
    rows[line.number - 1] = f"{marker[0] if marker else ''}{text}{end}"
    return "".join(rows)


def source(line: str, history: Iterable[IdentityChange]) -> IdentityChange | None:
    """The newest change that brought a line of SOUL.md in these words."""
    return next((change for change in history if line in _brought(change)), None)


def is_used(sign: Sign, history: Iterable[IdentityChange]) -> bool:
    """Whether a change was already made for a sign. It counts even if it was undone since:
    otherwise the same line would come back after each undo.
    """
    # One message may hold several orders.
    return any(
        sign.evidence in change.evidence
        and (sign.kind not in ORDERS or any(same(new, sign.rule) for new in _brought(change)))
        for change in history
    )


def _brought(change: IdentityChange) -> Iterator[str]:
    """The principles of SOUL.md that a change brought, in their new words."""
    for section in dict(change.what).get(SOUL, ()):
        yield from (*section.added, *section.moved, *(new for _, new in section.reworded))


# What is heard.

LONGEST = 200
"""The most characters of a principle, and of a message as a commit quotes it."""

_PASTED = 4000
"""A message of more characters is taken for pasted text, not for the operator's own words."""

_OPENING = 25
"""“From now on” counts only in this many characters at the beginning."""

_NAMED = 3
"""Up to this many words in quotation marks may be what an order is about; more are somebody else's
words."""

_ASIDE = lazily(r"[;；:：(（…—–]|\s-")
_QUESTION = "?？¿"
_QUOTATION = lazily('[“„«「"]([^“”»」"]*)[“”»」"]')


def heard(messages: Sequence[Message], speaker: str, zone: tzinfo | None) -> tuple[Sign, ...]:
    """The signs in conversations, in order. In a group chat the user may not be the operator, so
    only private sessions count.
    """
    answers: dict[str, str] = {}
    orders: dict[str, list[Sign]] = {}
    signs: list[Sign] = []
    for message in messages:
        text, when = unwrapped(message.text), message.time.astimezone(zone)
        before = answers.pop(message.session, "")
        if message.role == ASSISTANT:
            answers[message.session] = message.text
        elif message.role == USER and is_private(message.session) and len(text) <= _PASTED:
            said = [*_signs(message, messages, before, speaker, when)]
            # “But not on Sundays.” is no order by itself.
            is_limit = begins_with(text, "exceptions", "afterthoughts")
            limited = orders.get(message.session, ()) if is_limit else ()
            evidence = evidence_of(message)
            signs += [
                order._replace(when=when, evidence=evidence, quote=quoted(text), sure=False)
                for order in limited
            ] or said
            if not is_small_talk(text):
                orders[message.session] = [sign for sign in said if sign.kind == ORDERED]
    return tuple(signs)


def _signs(
    message: Message, messages: Sequence[Message], before: str, speaker: str, when: datetime
) -> Iterator[Sign]:
    evidence = evidence_of(message)
    for part, is_whole in dict(_parts(unwrapped(message.text))).items():
        kind, rule, sure = _said(part, before, speaker, when)
        if rule:
            stands = is_whole and not taken_back(part, message, messages)
            yield Sign(kind, rule, when, evidence, quoted(part), part, sure and stands)


def corrected(
    corrections: Iterable[Correction], speaker: str, zone: tzinfo | None
) -> tuple[Sign, ...]:
    """The signs in corrections, without open ones, which prove nothing.

    An order is a sign of its own. A corrected fact counts as a complaint: it only concerns the soul
    if it must be corrected again and again.
    """
    return tuple(
        _of_correction(correction, speaker, zone)
        for correction in corrections
        if correction.binds and (correction.words or correction.correct)
    )


def _of_correction(correction: Correction, speaker: str, zone: tzinfo | None) -> Sign:
    text = correction.words or correction.correct
    when = (correction.time or datetime(1970, 1, 1, tzinfo=UTC)).astimezone(zone)
    if order := ordered(text, speaker, when):
        rule, sure = order
        return Sign(CORRECTED, rule, when, correction.evidence, quoted(text), text, sure)
    about = untagged(visible(correction.was)) or correction.correct or text
    rule = quotation(text, speaker)
    return Sign(FAILED, rule, when, correction.evidence, quoted(text), about)


def ordered(
    text: str, speaker: str, said_at: datetime, before: str = ""
) -> tuple[str, bool] | None:
    """The standing order in a text as the soul would have it, and whether it is certainly one.

    However sure the judge is, it takes complaints for orders: an order must also begin like one.
    “From now on” needs a lower score and no context, and the operator is asked about it even if the
    judge finds no order.
    """
    bars, is_plain = thresholds(), _is_plain(text, said_at)
    is_henceforth = has_any(text[:_OPENING], "henceforth")
    chances = acts(text, "" if is_henceforth else before)
    # Compared with the other acts only: the chance that it is mere talk (the last) may be higher.
    chance = chances.orders if chances.orders == max(chances[:-1]) else 0.0
    if chance < bars.orders_ask and not (is_henceforth and is_plain):
        return None
    bar = bars.orders_sure
    if is_henceforth:
        bar = (bars.orders_ask + bars.orders_sure) / 2
    words = kept(text, speaker, said_at)
    said, rule = words.words, line(words)
    is_sure = is_plain and chance >= bar and _begins_as_order(said)
    # It may be for a while, or be taken back by the words behind a dash.
    limits = "conditions", "withdrawals", "laughs"
    is_sure = is_sure and not (_ASIDE.search(said) or has_any(said, *limits))
    return (rule, is_sure) if bears(text, rule) else None


def _begins_as_order(words: str) -> bool:
    """Whether it is one sentence that begins with “from now on”, “always” or “never”, and nobody is
    its subject: “always ask”, not “always you ask”, nor “from now on, Kim, …”. A language that
    leaves the subject out does not show that. What begins with “I” or “me” may be news, and what
    stands behind the last comma a remark: “always in German, just kidding”.
    """
    language, opening = lexicons_for(words)[0], words[:_OPENING]
    head, _, tail = words.rpartition(",")
    is_one = len([*sentences(words)]) == 1 and opening.count(",") <= 1
    if not is_one or (head and len(content_words(tail)) < FEWEST):
        return False
    if language.data.get("drops_subjects") or has_any(opening, "second_person"):
        return False
    if begins_with(words, "henceforth"):
        return not has_any(opening, "first_person")
    return begins_with(words, "recurring", "negations")


def quoted(text: str) -> str:
    return in_a_line(text, LONGEST)


def quotation(text: str, speaker: str) -> str:
    """The words as a quotation."""
    words = one_line(core(text).text)
    return frames.QUOTE.format(speaker=quotable(speaker), words=words) if words else ""


def _said(part: str, before: str, speaker: str, when: datetime) -> tuple[str, str, bool]:
    """Kind, line and certainty of what a part says about the agent's behaviour, or nothing."""
    if order := ordered(part, speaker, when, before):
        return (ORDERED, *order)
    chances, bars = acts(part, before), thresholds()
    if chances.praises < chances.complains >= bars.complains_ask:
        return FAILED, quotation(part, speaker), False
    if chances.praises >= bars.praises_sure:
        return PRAISED, quotation(part, speaker), True
    return "", "", False


def _parts(text: str) -> Iterator[tuple[str, bool]]:
    """A short message as a whole, else its lines, and of a long line its sentences; these are not
    whole, since the next one may limit them. Code and quoted text are left out.
    """
    mine = own(text)
    is_short = len(one_line(text)) <= LONGEST
    rows = [text] if mine == text and is_short else mine.split("\n")
    for row in filter(None, map(str.strip, rows)):
        if is_short or len(row) <= LONGEST:
            yield row, True
        else:
            yield from ((span.text, False) for span in sentences(row) if len(span.text) <= LONGEST)


def _is_plain(words: str, said_at: datetime) -> bool:
    """Whether there is no question, report, hedge, date or quotation in it.

    An order with one of these is only proposed.
    """
    asks = any(core(span.text).text.endswith(tuple(_QUESTION)) for span in sentences(words))
    weak = has_any(words, "reports", "hedges")
    dated = any(when.day for when in whens(words, said_at))
    quotes = any(len(tokens(quote[1])) > _NAMED for quote in _QUOTATION.finditer(words))
    return not (asks or weak or dated or quotes)


# Which lines an agent may not make a principle of, even if somebody asks for it in a chat.

_UNREADABLE = "\ufffd"
"""Stands in a line for half a character, such as a lone surrogate. The words around it may be
damaged too, and nobody wrote this one.
"""


def unfit(rule: str) -> str:
    """Why a line is not even proposed, or ""."""
    words = read(rule).words
    if is_sensitive(rule):
        return "it holds a secret"
    if _UNREADABLE in rule:
        return "it holds a character that could not be read"
    if not 0 < len(words) <= LONGEST or "<!--" in rule:
        return f"it is not a line of at most {LONGEST} characters"
    for finding in findings("", f"- {rule}\n"):
        return f"it reads like poison: {finding.reason}"
    return _ruled(words, "refused")


def doubtful(rule: str) -> str:
    """Why the operator is asked about an order, or "". It does not matter how sure the judge is."""
    words = read(rule).words
    return "it names an address" if names_address(words) else _ruled(words, "asks")


def _ruled(words: str, check: str) -> str:
    """What the first such rule about orders says of some words, or ""."""
    plain = words.replace("’", "'")
    return next(
        (rule.id for rule in rules("_orders") if rule.check == check and rule.regex.search(plain)),
        "",
    )
