"""What the operator says about how the agent behaves, by rules. What is quoted, supposed or asked says nothing."""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import tzinfo
from functools import cache

from clawgit.domain.chat import USER, Message, evidence_of, unwrapped
from clawgit.domain.excerpt import in_a_line
from clawgit.domain.growth import FAILED, PRAISED, PROVEN, WISHED, Sign
from clawgit.domain.growth_phrases import (
    ALLOWED,
    AS_IS,
    CHEER,
    DID,
    DONE,
    FORBIDDEN,
    GENERAL,
    GERUND,
    LASTING,
    MANNERS,
    OFFERS,
    ONCE,
    PASSING,
    PHRASES,
    SAID_AGAIN,
    SPARED,
    SUPPOSED,
    WELCOME,
    WORKED,
    Phrase,
)
from clawgit.domain.growth_themes import THEMES, complaint, shown, theme_of
from clawgit.domain.growth_verbs import gerunds, pasts, thirds, verbs
from clawgit.domain.growth_wording import LONGEST, allowed, negated, worded
from clawgit.domain.speaker import is_private
from clawgit.domain.triage import read

ASSISTANT = "assistant"
QUOTE = 200
"""Characters of a message that a commit quotes."""


def heard(messages: Iterable[Message], zone: tzinfo | None) -> tuple[Sign, ...]:
    """The signs in conversations, in their order. Only who talks to the agent alone is heard as its operator."""
    before: dict[str, Message] = {}
    found: list[Sign] = []
    for message in messages:
        if message.role == USER and is_private(message.session):
            found += _signs(message, before.get(message.session), zone)
        before[message.session] = message
    return tuple(found)


def quoted(text: str) -> str:
    return in_a_line(text, QUOTE)


def lesson(sentence: str) -> str:
    """The rule in a lesson that was noted, "" where it teaches none."""
    text = _compiled(_LESSON).sub("", sentence.strip(), count=1)
    if _once(text):
        return ""
    return worded(text)


def behaviour(told: str) -> str:
    """The rule in a correction of what the agent does, "" where a fact was corrected."""
    for sentence in _sentences(told):
        bare = _bare(sentence)
        permission = _compiled(_NEED_NOT).match(bare)
        rule = f"You need not {permission[1].rstrip('.! ')}." if permission else worded(bare)
        if rule and (permission or _is_manner(bare, rule)):
            return rule if len(rule) <= LONGEST else ""
        if (phrase := _said(bare)) and phrase[1]:
            return phrase[1]
        if theme := complaint(bare):
            return theme.line
    return ""


def _is_manner(bare: str, rule: str) -> bool:
    """Whether an imperative is about how the agent behaves: “answer shorter”, and not “ship the parcel to Berlin”."""
    return rule.partition(" ")[0].lower() in MANNERS or _found(LASTING, bare)


def _signs(message: Message, before: Message | None, zone: tzinfo | None) -> Iterator[Sign]:
    """Each rule once a message, however often it says so."""
    seen: set[str] = set()
    told = unwrapped(message.text)
    if len(told) > _PASTED:
        return
    for sentence in _sentences(told):
        for kind, rule, theme in _read(sentence, before):
            if rule and rule not in seen:
                seen.add(rule)
                when = message.time.astimezone(zone)
                yield Sign(kind, rule, when, evidence_of(message), quoted(sentence), theme)
                if kind == PROVEN and before:
                    yield Sign(kind, rule, when, evidence_of(before), quoted(before.text))


def _read(sentence: str, before: Message | None) -> Iterator[tuple[str, str, str]]:
    answer = before.text if before and before.role == ASSISTANT else ""
    bare = _bare(sentence)
    if answer and _found(SAID_AGAIN, bare.lower()):
        yield from ((PRAISED, theme.line, theme.name) for theme in shown(answer[:_PASTED]))
        return
    if answer and _found(WORKED, bare.lower()) and (proven := capability(answer)):
        yield PROVEN, proven, ""
        return
    if said := _said(bare):
        yield said[0], said[1], ""
    elif (theme := complaint(bare)) and not _once(bare) and not bare.endswith("?"):
        yield WISHED, theme.line, theme.name


def _said(bare: str) -> tuple[str, str] | None:
    """The kind and the rule of the first phrase that fits and makes a rule."""
    blames = bare.lower().startswith(("why did you", "why do you", "how often", "how many times"))
    if bare.endswith(("?", "？")) and not blames:
        return None
    sentence = bare.rstrip(" .!?…。！？")
    for phrase in PHRASES:
        found = _compiled(phrase.pattern).match(sentence)
        if not found or _is_passing(phrase, sentence):
            continue
        rule = _rule(phrase, found)
        cheers = phrase.kind in (PRAISED, WISHED) and _found(CHEER, rule)
        if rule and not cheers and not _found(OFFERS, rule):
            return phrase.kind, rule
    return None


def _is_passing(phrase: Phrase, sentence: str) -> bool:
    """Whether it is only supposed, or about one thing or day. What happened did so on some day, of course."""
    if phrase.kind in (FAILED, PRAISED):
        return False
    lowered = sentence.lower()
    if phrase.form in (ALLOWED, WELCOME, SPARED):
        return _found(PASSING, lowered)
    return _once(sentence) or (_found(SUPPOSED, lowered) and not _found(_TELLING, lowered))


def _rule(phrase: Phrase, found: re.Match[str]) -> str:
    what, groups = found["what"], found.groupdict()
    if phrase.form == FORBIDDEN:
        return negated(what)
    if phrase.form == AS_IS:
        return worded(what)
    if phrase.form in (ALLOWED, WELCOME, SPARED):
        return allowed(
            f"use {what[0].lower()}{what[1:]}" if phrase.form == WELCOME else what, negative=phrase.form == SPARED
        )
    base = _base_form(what, phrase.form)
    if phrase.form == DID and base:
        return _warning(base, (groups.get("care") or "").lower())
    rule = worded(base) if base else ""
    return _line_of(theme_of(rule)) if _compiled(_POINTS).search(rule) else rule


def _warning(deed: str, care: str) -> str:
    """What would have prevented a deed: the care that was not taken before it, else not to do it."""
    verb, _, rest = deed.partition(" ")
    about = "anything" if _compiled(_POINTS).search(rest) or not rest else rest
    if taken := gerunds().get(care):
        return worded(f"{taken} before you {verb} {about}")
    return "" if _compiled(_POINTS).search(rest) else worded(f"do not {deed}")


def _line_of(theme: str) -> str:
    return next((one.line for one in THEMES if one.name == theme), "")


def _base_form(what: str, form: str) -> str:
    """The words with their verb as it is told to somebody: “showed the diff”, “showing the diff” → “show the diff”."""
    first, _, rest = re.sub(r"^(?:always|also|just|really|first|often) ", "", what, flags=re.IGNORECASE).partition(" ")
    word = first.lower()
    tables = {GERUND: (gerunds(),), DID: (pasts(), verbs())}.get(form, (verbs(), pasts(), thirds()))
    verb = next((table[word] for table in tables if word in table), "")
    return f"{verb} {rest}".strip() if verb else ""


def capability(answer: str) -> str:
    """What an answer, or a note, reports as done, as a line of skills; "" where it reports nothing of the kind."""
    for sentence in _sentences(answer[:_PASTED])[:_FIRST_FEW]:
        found = _compiled(DONE).match(sentence)
        if found and not _compiled(_POINTS).search(found["what"]):
            line = found["what"].strip(" .,;:!")
            return f"{line[0].upper()}{line[1:]}"
    return ""


def _once(sentence: str) -> bool:
    lowered = sentence.lower()
    return _found(PASSING, lowered) or (_found(ONCE, lowered) and not _found(GENERAL, lowered))


def _bare(sentence: str) -> str:
    text = _compiled(_AGREED).sub("", " ".join(sentence.replace("’", "'").split()))
    while (shorter := _compiled(_LEAD).sub("", text)) != text:
        text = shorter
    text = _compiled(_DOUBLE).sub("double-check", _compiled(_EVER).sub("never", text))
    asked = _compiled(_ASKED).match(text)
    return f"{asked[1] or ''}{text[asked.end() :]}".rstrip("? ") if asked else text


def _sentences(text: str) -> Sequence[str]:
    """The sentences of who wrote it: no quotations, no code."""
    plain = _compiled(_QUOTED).sub("\0", _compiled(_NAMED).sub(r"\1'\2'", read(text).joined))
    found = (part.strip(" \t-*•>") for part in _compiled(_END).split(plain))
    return [part for part in found if part and "\0" not in part and len(part) <= _LONG]


def _found(pattern: str, text: str) -> bool:
    return _compiled(pattern).search(text) is not None


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_PASTED = 4000
_LONG = 300
_FIRST_FEW = 4
_END = (
    r"(?<=[.!?…])(?<!\b[DM]r\.)(?<!\bMrs\.)(?<!\bMs\.)(?<!\bProf\.)(?<!\be\.g\.)(?<!\bi\.e\.)\s+"
    r"|(?<=[。！？])|\n+|\s+(?=\d\. )"
)
_QUOTED = r"\"[^\"\n]{1,400}\"|“[^”\n]{1,400}”|„[^“”\n]{1,400}[“”]|«[^»\n]{1,400}»|「[^」\n]{1,400}」"
_NAMED = r"\b((?:say|saying|write|writing|with|using|use|word|phrase|more|no) )[\"“]([\w ',!-]{2,30})[\"”]"
"""A few words in quotation marks that an order is about: they are not an order of somebody else."""

_LEAD = (
    r"^(?:(?:please|pls|and|but|so|also|ok|okay)\b[,:]? +|(?:hey|hi|no|yes|right|well|oh|argh"
    r"|seriously|again|remember|note|important|look"
    r"|listen|sorry|thanks|thank you|great|good|nice|perfect|btw|by the way|one more thing"
    r"|for the record|hmm|ugh|damn|correction|wrong)"
    r"[,.:!;–—-]+ *|again (?=you\b)"
    r"|[\s,.:;!–—-]+|(?:请|那个|好的?|嗯)[，,！ ]*(?=\S))"
)
_LESSON = (
    r"^(?:\W*(?:lessons?(?: learned)?|learned|learnt|takeaway|note to self|mistake|rule|教训"
            r"|교훈)\b[^:：]{0,30}[:：]\s*|(?:i|we) (?:have )?(?:learned|learnt) (?:that i (?:should|must) |to )"
    r"|i should (?:have )?)"
)  # fmt: skip
_NEED_NOT = r"^(?:you (?:need not|do not need to|don't need to|do not have to|don't have to)|no need to) (.{4,120})$"
_TELLING = (
    r"^(?:no longer|the (?:rule|next time)|whenever|every time|each time|when|if|how (?:often|many)"
    r"|it(?: would|'d) be"
    r"|(?:i|we)(?: really| do not| don't)? (?:want|need|expect)|(?:i|we)(?:'ve| have)?(?: already)? (?:told|asked) you)"
)
_AGREED = r",? (?:ok|okay|alright|all right|right|got it|understood|please|will you|would you|yes)\?$"
"""A question only in its last word."""

_EVER = r"^never, ever\b|^never ever\b"
_DOUBLE = r"\bdouble[ -]?check"
_ASKED = (
    r"^((?:from now on|in (?:the )?future|going forward|next time),? )(?:can|could|would|will) you (?:please )?"
    r"|^()(?:can|could|would|will) you (?:please )?(?=(?:always|never|stop|not)\b)"
    r"|^()(?:would you mind|(?:can|could|would|will) you(?: please| kindly)?) "
    r"(?=[^?]+ (?:from now on|in (?:the )?future|going forward|every time|each time)\W*$)"
)
_POINTS = r"\b(?:it|this|that|them|these|those)\b"
