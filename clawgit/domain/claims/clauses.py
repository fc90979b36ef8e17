"""Exchanges the clause of an entry that lost a conflict. Every other byte of the entry stays.

- The office is in Berlin. We have 12 desks. <!-- was: The office is in Paris. We have 12 desks. -->
  <!-- claw:… -->
"""

from typing import NamedTuple

from clawgit.domain.claims.contradicting import NEGATION, Dispute, exchange, lead_of, readings
from clawgit.domain.claims.settling import untagged
from clawgit.domain.corrections.corrections import old_value
from clawgit.domain.corrections.disputed import undisputed
from clawgit.domain.markdown.comment import Meta, split
from clawgit.domain.markdown.entry import Entry
from clawgit.domain.markdown.label import label_of
from clawgit.language.spans import Span
from clawgit.language.stems import content_words


class Remainder(NamedTuple):
    """What stays of an entry that lost: its new text, or "" if all of it is superseded.

    `is_clear` is false if it says more than what is disputed, and which part is wrong is uncertain.
    """

    raw: str = ""
    is_clear: bool = True


def remainder(pair: tuple[Entry, Entry], winner: int, meta: Meta) -> Remainder:
    """What stays of the loser of two entries; its text gets this comment."""
    won, lost = pair[winner], pair[1 - winner]
    dispute = exchange(undisputed(pair[0]), undisputed(pair[1]))
    span = sides(dispute, winner)[1] if dispute else _value(lost, won)
    if not says_more(lost, won, span):
        return Remainder()
    raw = exchanged(lost, dispute, winner, meta) if dispute else None
    return Remainder(raw or "", is_clear=raw is not None)


def _value(loser: Entry, winner: Entry) -> Span:
    """What loses if two entries give one label two values: all that the loser says of it."""
    label, lead = label_of(loser.text), lead_of(loser.text)
    is_same = label and label == label_of(winner.text)
    return Span(0, len(lead), lead) if is_same else Span(0, 0, "")


def says_more(loser: Entry, winner: Entry, lost: Span) -> bool:
    """Whether an entry holds more than the disputed clause.

    That is another sentence, a nested item, or words that the winner lacks.
    """
    text = undisputed(loser)
    lead = lead_of(text)
    if text.strip() != lead.strip() or len(readings(untagged(lead))) != 1:
        return True
    rest = untagged(lead)
    # A word that the winner lacks would be lost with the entry.
    rest = rest[: lost.start] + " " + rest[lost.end :]
    return not content_words(rest) <= content_words(untagged(winner.text))


def sides(dispute: Dispute, winner: int) -> tuple[Span, Span]:
    """The words that win, and those that lose."""
    return (dispute.a, dispute.b) if winner == 0 else (dispute.b, dispute.a)


def exchanged(entry: Entry, dispute: Dispute, winner: int, meta: Meta) -> str | None:
    """The entry with the winner's value instead of its own.

    None if that is not certain: for a negation, or if the entry names the value twice.
    """
    new, old = sides(dispute, winner)
    lead = lead_of(entry.text)
    if dispute.kind == NEGATION or not old.text or not new.text or lead.count(old.text) != 1:
        return None
    # The entry may have been edited since the dispute was found.
    if lead[old.start : old.end] != old.text:
        return None
    return _with_lead(entry, lead[: old.start] + new.text + lead[old.end :], meta)


def reworded(entry: Entry, words: str, meta: Meta) -> str | None:
    """The entry with other words in its first line and the same tags; None if its words are not in
    one piece.
    """
    lead = lead_of(entry.text)
    tags = lead[len(untagged(lead)) :]
    return _with_lead(entry, " ".join(words.split()) + tags, meta)


def _with_lead(entry: Entry, lead: str, meta: Meta) -> str | None:
    parts, before = split(entry.raw), lead_of(entry.text)
    # Replacing by search is only certain if the line stands there once.
    if parts.before.count(before) != 1:
        return None
    was, at = old_value(untagged(before)), parts.before.find("<!-- was:")
    text, others = parts.before, ""
    if at >= 0:
        # The newest old value stands first.
        text, others = parts.before[:at].rstrip(), f" {parts.before[at:]}"
    facts = f" {meta}" if meta.id or meta.facts else ""
    return f"{text.replace(before, lead, 1)} {was}{others}{facts}{parts.after}"
