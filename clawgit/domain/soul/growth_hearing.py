"""What the operator says about how the agent behaves, as the judge of messages hears it, in his own
words.
"""

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime, tzinfo

from clawgit.domain.conversation.chat import ASSISTANT, USER, Message, evidence_of, unwrapped
from clawgit.domain.extraction.quoting import bears, kept, line
from clawgit.domain.extraction.speaker import is_private
from clawgit.domain.markdown import frames
from clawgit.domain.markdown.excerpt import in_a_line
from clawgit.domain.soul.growth import FAILED, ORDERED, PRAISED, PROVEN, Sign, matter
from clawgit.judges.acts import Acts, acts
from clawgit.judges.thresholds import thresholds
from clawgit.language.days import whens
from clawgit.language.edges import core
from clawgit.language.lexicon import lexicons_for
from clawgit.language.sentences import sentences
from clawgit.language.tokens import tokens

LONGEST = 200
"""Characters of a principle."""

QUOTE = 200
"""Characters of a message that a commit quotes."""

_PASTED = 4000
_OPENING = 80
_NAMED = 3
"""So many words in quotation marks may be what an order is about; more are somebody else's
words."""
_QUESTION = "?？¿"


def heard(messages: Iterable[Message], speaker: str, zone: tzinfo | None) -> tuple[Sign, ...]:
    """The signs in conversations, in their order. Only who talks to the agent alone is heard as its
    operator.
    """
    before: dict[str, Message] = {}
    found: list[Sign] = []
    for message in messages:
        if message.role == USER and is_private(message.session):
            found += _signs(message, before.get(message.session), speaker, zone)
        before[message.session] = message
    return tuple(found)


def ordered(text: str, speaker: str, said: datetime, before: str = "") -> tuple[str, bool] | None:
    """The standing order in a text as the soul would have it, and whether it is certainly one."""
    return _order(acts(text, before), text, speaker, said, before)


def quoted(text: str) -> str:
    return in_a_line(text, QUOTE)


def quotation(text: str, speaker: str, heard_as: Callable[[Acts], float]) -> str:
    """The words as a quotation: all of them, or of many the sentence that is most of that kind."""
    words = text
    if len(_squeezed(words)) > LONGEST:
        parts = [span.text for span in sentences(text) if len(span.text) <= LONGEST]
        words = max(parts, key=lambda part: heard_as(acts(part)), default="")
    words = _squeezed(core(words).text)
    return frames.QUOTE.format(speaker=speaker or frames.OPERATOR, words=words) if words else ""


def _order(
    chances: Acts, text: str, speaker: str, said: datetime, before: str
) -> tuple[str, bool] | None:
    """Of what says itself that it is for good, the judge needs not be quite as sure."""
    asks, certain = thresholds().orders_ask, thresholds().orders_sure
    is_henceforth = _is_henceforth(text)
    if is_henceforth:  # it speaks for itself, whatever the agent spoke of before
        chances = max(chances, acts(text), key=lambda each: each.orders)
    chance = chances.orders if chances.orders == max(chances[:-1]) else 0.0
    if chance < asks and not (is_henceforth and _is_plain(text, said)):
        return None
    words, is_whole = _words(text, before)
    bar = (asks + certain) / 2 if _is_lasting(words) else certain
    sure = chance >= bar and is_whole and _is_plain(words, said)
    rule = line(kept(words, speaker, said))
    return (rule, sure) if bears(text, rule) else None


def _signs(
    message: Message, before: Message | None, speaker: str, zone: tzinfo | None
) -> Iterator[Sign]:
    told = unwrapped(message.text)
    if len(told) > _PASTED:
        return
    answer = before.text if before and before.role == ASSISTANT else ""
    when = message.time.astimezone(zone)
    seen: set[str] = set()
    for part in _parts(told):
        found = _sign(part, answer, speaker, when)
        if found and found[1] and found[1] not in seen:
            seen.add(found[1])
            kind, rule, sure = found
            yield Sign(kind, rule, when, evidence_of(message), quoted(part), part, sure)


def _sign(part: str, answer: str, speaker: str, when: datetime) -> tuple[str, str, bool] | None:
    """The kind, the line and whether it is certain, of a part that says anything about the agent's
    behaviour.
    """
    chance, bars = acts(part, answer), thresholds()
    if order := _order(chance, part, speaker, when, answer):
        return (ORDERED, *order)
    if chance.complains >= bars.complains_ask:
        return FAILED, quotation(part, speaker, lambda each: each.complains), True
    if chance.praises >= bars.praises_sure:
        kind = PROVEN if matter(part) & matter(answer) else PRAISED
        return kind, quotation(part, speaker, lambda each: each.praises), True
    return None


def _parts(told: str) -> list[str]:
    """The message as a whole where it is short, else its lines; no code, and nothing that it quotes
    from elsewhere.
    """
    rows = [row.strip() for row in told.split("\n") if row.strip()]
    own, fenced = [], False
    for row in rows:
        if row.startswith(("```", "~~~")):
            fenced = not fenced
        elif not fenced and not row.startswith(">"):
            own.append(row)
    return [told.strip()] if own == rows and len(_squeezed(told)) <= LONGEST else own


def _words(part: str, before: str) -> tuple[str, bool]:
    """The words of an order, and whether nothing is left out that may belong to it: the next
    sentence may limit it. Of much text only the sentences that order are kept.
    """
    if len(_squeezed(part)) <= LONGEST:
        return part, True
    found = [
        span
        for span in sentences(part)
        if acts(span.text, before).orders >= thresholds().orders_ask
    ]
    return (part[found[0].start : found[-1].end], False) if found else (part, False)


def _is_henceforth(text: str) -> bool:
    """“From now on …”: worth a question, even where the judge hears no order."""
    words = core(text).text
    among = tokens(words[:_OPENING])
    return bool(among) and any(
        language.exact("henceforth").at(words, among, 0) for language in lexicons_for(words)
    )


def _is_lasting(words: str) -> bool:
    """Whether it says itself that it is for good, or for every time."""
    return _has(words, "recurring", "henceforth")


def _has(words: str, *names: str) -> bool:
    among = tokens(words)
    return any(
        [*language.exact(name).every(words, among)]
        for language in lexicons_for(words)
        for name in names
    )


def _is_plain(words: str, said: datetime) -> bool:
    """No question, report or hedge, no one day, no words of somebody else: what has one of these is
    only proposed.
    """
    asks = any(core(span.text).text.endswith(tuple(_QUESTION)) for span in sentences(words))
    weak = _has(words, "reports", "hedges")
    dated = any(when.certain for when in whens(words, said))
    return not (asks or weak or dated or _quotes(words))


def _quotes(words: str) -> bool:
    """Whether it holds a quotation of more than a few words."""
    for opening, closing in ("“”", "„“", "«»", "「」", '""'):
        _, opened, rest = words.partition(opening)
        inner, closed, _ = rest.partition(closing)
        if opened and closed and len(tokens(inner)) > _NAMED:
            return True
    return False


def _squeezed(text: str) -> str:
    return " ".join(text.split())
