"""Finds what the operator says about how the agent should behave, in talk and in corrections."""

import re
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
from clawgit.domain.soul.growth import CORRECTED, FAILED, ORDERED, PRAISED, PROVEN, Sign
from clawgit.domain.soul.principle import matter
from clawgit.judges.acts import acts
from clawgit.judges.thresholds import thresholds
from clawgit.language.days import whens
from clawgit.language.edges import core
from clawgit.language.lazily import lazily
from clawgit.language.lexicon import has_any, lexicons_for
from clawgit.language.sentences import sentences
from clawgit.language.tokens import tokens
from clawgit.language.values import names_address

LONGEST = 200
"""The most characters of a principle."""

QUOTE = 200
"""A commit quotes at most this many characters of a message."""

_PASTED = 4000
"""A message of more characters is taken for pasted text, not for the operator's own words."""

_OPENING = 80
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
    before: dict[str, Message] = {}
    signs: list[Sign] = []
    for message in messages:
        if message.role == USER and is_private(message.session):
            signs += _signs(message, before.get(message.session), speaker, zone)
        before[message.session] = message
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

    An order that says itself that it is for good needs a lower score.
    """
    chances, bars = acts(text, before), thresholds()
    is_henceforth = _is_henceforth(text)
    if is_henceforth:
        # “From now on” needs no context; without the agent's turn the judge may recognise it
        # better.
        chances = max(chances, acts(text), key=lambda heard: heard.orders)
    # Compared with the other acts only: the chance that it is mere talk (the last) may be higher.
    is_mainly_order = chances.orders == max(chances[:-1])
    chance = chances.orders if is_mainly_order else 0.0
    is_plain = _is_plain(text, said_at)
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


def _signs(
    message: Message, before: Message | None, speaker: str, zone: tzinfo | None
) -> Iterator[Sign]:
    text = unwrapped(message.text)
    if len(text) > _PASTED:
        return
    answer = before.text if before and before.role == ASSISTANT else ""
    when = message.time.astimezone(zone)
    for part, is_whole in dict(_parts(text)).items():
        kind, rule, sure = _sign(part, answer, speaker, when)
        if rule:
            evidence, is_sure = evidence_of(message), sure and is_whole
            yield Sign(kind, rule, when, evidence, quoted(part), part, is_sure)


def _sign(part: str, answer: str, speaker: str, when: datetime) -> tuple[str, str, bool]:
    """Kind, line and certainty of what a part says about the agent's behaviour, or nothing."""
    if order := ordered(part, speaker, when, answer):
        return (ORDERED, *order)
    chance, bars = acts(part, answer), thresholds()
    if chance.complains >= bars.complains_ask:
        return FAILED, quotation(part, speaker), True
    if chance.praises >= bars.praises_sure:
        kind = PROVEN if matter(part) & matter(answer) else PRAISED
        return kind, quotation(part, speaker), True
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


def _is_henceforth(text: str) -> bool:
    """“From now on …”: the operator is asked about it even if the judge finds no order."""
    words = core(text).text
    among = tokens(words[:_OPENING])
    return bool(among) and any(
        language.exact("henceforth").at(words, among, 0) for language in lexicons_for(words)
    )


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

LOOSENS = "it would weaken a guard of the agent"
OBEYS = "it says whom to obey, or sets rules aside"
SENDS = "it names an address"
DESTROYS = "it is a standing order to delete or overwrite"
GARBLED = "it holds a character that could not be read"

_UNREADABLE = "\ufffd"
"""Stands in a line for half a character, such as a lone surrogate. The words around it may be
damaged too, and nobody wrote this one.
"""


_CARE = (
    r"(?:ask|check(?:ing)? with|confirm|warn|tell(?:ing)? (?:me|your human)|mention "
    r"to|permission|approval|consent"
    r"|back ?up|frag|bestätig|pregunt|avis)"
)

_LOOSENS = lazily(
    r"\b(?:never|do not|don't|dont|needn't|need not|no need to|have "
    r"to|stop|skip|quit|nicht|nie|kein|no|nunca|sin)\b"
    rf"(?!.*\bwithout\b|.*\bohne\b|.*\bsin\b.*)[^.!?]{{0,40}}\b{_CARE}"
    r"|\bfrag\w*\b[^.!?]{0,20}\b(?:nicht|nie)\b"
    r"|(?:不要|不用|不必|不需要?|别|無需|无需|不須)[^。！？]{0,6}(?:问|問|询|詢|确认|確認|告诉|告訴|汇报)"
    r"|(?:聞|訊|確認|許可)[^。！？]{0,6}(?:ないで|なくて|ずに|不要)"
    r"|(?:묻|확인하|알리|보고하)지 ?(?:마|말|않)",
    re.IGNORECASE,
)

_WITHOUT = lazily(
    r"^(?!.*\b(?:never|don't|dont|do not|nie|niemals|nunca|no)\b).*\b(?:without|ohne|sin)\b "
    r"(?:\w+ ){0,2}"
    rf"{_CARE}",
    re.IGNORECASE,
)

_DESTROYS = lazily(
    r"^\W*(?:always |just "
    r")?(?:delete|remove|erase|wipe|overwrite|destroy|drop|purge|lösch|borra|elimina)\w*\b",
    re.IGNORECASE,
)

_OBEYS = lazily(
    r"\b(?:obey|trust|follow|believe|listen to|comply "
    r"with|accept|execute)\b[^.]{0,20}\b(?:every|any|all|whoever"
    r"|whatever|others?|strangers?)(?:one|body|thing)?\b|服从|服從|복종|無視し|무시해"
    r"|\b(?:obey|ignore|disregard|override|bypass|disable|overrule)\b[^.]{0,30}\b(?:principles?|rules?|instructions?"
    r"|polic\w+|guard\w*|corrections?|prompts?|limits?|restrictions?|safety|security|operator|owner|soul)\b"
    r"|\b(?:system prompt|jailbreak|developer mode)\b",
    re.IGNORECASE,
)


def unfit(rule: str) -> str:
    """Why a line is not even proposed, or ""."""
    words = read(rule).words
    if is_sensitive(rule):
        return "it holds a secret"
    if _UNREADABLE in rule:
        return GARBLED
    if not 0 < len(words) <= LONGEST or "<!--" in words:
        return f"it is not a line of at most {LONGEST} characters"
    for finding in findings("", f"- {rule}\n"):
        if finding.hold:
            return f"it reads like poison: {finding.reason}"
    return OBEYS if _holds(_OBEYS, words) else ""


def doubtful(rule: str) -> str:
    """Why the operator is asked about an order, or "". It does not matter how sure the judge is."""
    words = read(rule).words
    if names_address(words):
        return SENDS
    if _holds(_LOOSENS, words) or _holds(_WITHOUT, words):
        return LOOSENS
    if _holds(_DESTROYS, words):
        return DESTROYS
    return ""


def _holds(pattern: re.Pattern[str], words: str) -> bool:
    return pattern.search(words.replace("’", "'")) is not None
