"""Finds what the operator says about how the agent should behave, in talk and in corrections."""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, tzinfo

from clawgit.domain.conversation.chat import ASSISTANT, USER, Message, evidence_of, unwrapped
from clawgit.domain.corrections.corrections import Correction
from clawgit.domain.extraction.passages import own
from clawgit.domain.extraction.quoting import bears, kept, line, read
from clawgit.domain.extraction.speaker import is_private
from clawgit.domain.markdown import frames
from clawgit.domain.markdown.excerpt import in_a_line
from clawgit.domain.markdown.tags import untagged, visible
from clawgit.domain.safety.injection import findings
from clawgit.domain.safety.masks import is_sensitive
from clawgit.domain.safety.rules import rules
from clawgit.domain.soul.growth import CORRECTED, FAILED, ORDERED, PRAISED, Sign
from clawgit.judges.acts import acts
from clawgit.judges.thresholds import thresholds
from clawgit.language.days import whens
from clawgit.language.edges import core
from clawgit.language.lazily import lazily
from clawgit.language.lexicon import has_any
from clawgit.language.sentences import sentences
from clawgit.language.tokens import tokens
from clawgit.language.values import names_address

LONGEST = 200
"""The most characters of a principle."""

QUOTE = 200
"""A commit quotes at most this many characters of a message."""

_PASTED = 4000
"""A message of more characters is taken for pasted text, not for the operator's own words."""

_OPENING = 25
"""“From now on” counts only in this many characters at the beginning."""

_NAMED = 3
"""Up to this many words in quotation marks may be what an order is about; more are somebody else's
words."""

_QUESTION = "?？¿"
_QUOTATION = lazily('[“„«「"]([^“”»」"]*)[“”»」"]')


def heard(messages: Iterable[Message], speaker: str, zone: tzinfo | None) -> tuple[Sign, ...]:
    """The signs in conversations, in order. In a group chat the user may not be the operator, so
    only private sessions count.
    """
    answers: dict[str, str] = {}
    signs: list[Sign] = []
    for message in messages:
        text, when = unwrapped(message.text), message.time.astimezone(zone)
        before = answers.pop(message.session, "")
        if message.role == ASSISTANT:
            answers[message.session] = message.text
        elif message.role == USER and is_private(message.session) and len(text) <= _PASTED:
            for part, is_whole in dict(_parts(text)).items():
                kind, rule, sure = _said(part, before, speaker, when)
                if rule:
                    fields = kind, rule, when, evidence_of(message), quoted(part), part
                    signs.append(Sign(*fields, sure and is_whole))
    return tuple(signs)


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

    An order that says itself that it is for good needs a lower score. “From now on” needs no
    context, and the operator is asked about it even if the judge finds no order.
    """
    bars, is_plain = thresholds(), _is_plain(text, said_at)
    is_henceforth = has_any(text[:_OPENING], "henceforth")
    chances = acts(text, "" if is_henceforth else before)
    # Compared with the other acts only: the chance that it is mere talk (the last) may be higher.
    chance = chances.orders if chances.orders == max(chances[:-1]) else 0.0
    if chance < bars.orders_ask and not (is_henceforth and is_plain):
        return None
    bar = bars.orders_sure
    if has_any(text, "recurring", "henceforth"):
        bar = (bars.orders_ask + bars.orders_sure) / 2
    rule = line(kept(text, speaker, said_at))
    return (rule, is_plain and chance >= bar) if bears(text, rule) else None


def quoted(text: str) -> str:
    return in_a_line(text, QUOTE)


def quotation(text: str, speaker: str) -> str:
    """The words as a quotation."""
    words = " ".join(core(text).text.split())
    return frames.QUOTE.format(speaker=speaker or frames.OPERATOR, words=words) if words else ""


def _said(part: str, before: str, speaker: str, when: datetime) -> tuple[str, str, bool]:
    """Kind, line and certainty of what a part says about the agent's behaviour, or nothing."""
    if order := ordered(part, speaker, when, before):
        return (ORDERED, *order)
    chances, bars = acts(part, before), thresholds()
    if chances.praises < chances.complains >= bars.complains_ask:
        return FAILED, quotation(part, speaker), True
    # It only counts if it comes again, so it need not be quite sure.
    if chances.praises >= (bars.praises_ask + bars.praises_sure) / 2:
        return PRAISED, quotation(part, speaker), True
    return "", "", False


def _parts(text: str) -> Iterator[tuple[str, bool]]:
    """A short message as a whole, else its lines, and of a long line its sentences; these are not
    whole, since the next one may limit them. Code and quoted text are left out.
    """
    mine = own(text)
    is_short = len(" ".join(text.split())) <= LONGEST
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
        if finding.hold:
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
