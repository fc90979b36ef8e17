"""Has a language model read a correction. The operator's own words must prove its answer."""

from collections.abc import Sequence
from typing import Literal

from clawgit.agents.contract import Mind
from clawgit.agents.recall_judging import Reader, Ruling, barred
from clawgit.domain.corrections.deciding import LONGEST_QUOTE as LONGEST
from clawgit.domain.corrections.deciding import PUT_RIGHT, QUOTED, Talk, targets
from clawgit.domain.corrections.statement import statement
from clawgit.domain.extraction.quoting import bears
from clawgit.domain.facts.fact_verdict import EntryPlace
from clawgit.errors import NoAnswerError
from clawgit.language.stems import content_words
from clawgit.values import NamedTuple

_ASKED = """\
The operator of an assistant may have corrected something that the assistant said or remembers
wrongly. Say what kind of message it is: "memory" if it corrects a fact, "none" if it does not. For
"memory": `quote` is the operator's own sentence, word for word from the message; `entry` is the
number of the entry that is wrong, -1 if none is; `right` is that whole entry, corrected, with
nothing added that neither the entry nor the message says, or empty if the message does not say what
is right."""


_SHOWN = 5
"""How many entries the model chooses from."""


class CorrectionReading(NamedTuple):
    """What a message corrects."""

    kind: Literal["memory", "none"]
    quote: str = ""
    entry: int = -1
    right: str = ""


def reader(mind: Mind, notes: list[str]) -> Reader:
    """Asks the model about each call.

    If it does not answer, or says what nobody said, the judges decide, and a note says why.
    """

    def read(text: str, talk: Talk, places: Sequence[EntryPlace]) -> Ruling | None:
        shown = [target.place for target in targets(text, talk, places)[:_SHOWN]]
        listed = "\n".join(
            f"{number}: {statement(place.entry)}" for number, place in enumerate(shown)
        )
        texts = {
            "message": text,
            "assistant": talk.turn,
            "asked before": talk.question,
            "entries": listed,
        }
        try:
            answer = mind.ask(_ASKED, texts, CorrectionReading)
        except NoAnswerError as error:
            notes.append(f"The judges read a correction: {error.message}")
            return None
        if trouble := _unproven(answer, text, shown):
            notes.append(f"The judges read a correction: the model's answer {trouble}.")
            return None
        return _ruling(answer, shown)

    return read


def _ruling(answer: CorrectionReading, shown: Sequence[EntryPlace]) -> Ruling | None:
    """The model's ruling. None if it finds no fact or no entry: then the judges may still ask."""
    if answer.kind != "memory" or answer.entry < 0:
        return None
    place, right = shown[answer.entry], " ".join(answer.right.split())
    if right and right != statement(place.entry):
        return Ruling(
            PUT_RIGHT, "the model read it so, and the message supports it", right, place=place
        )
    return Ruling(
        QUOTED,
        "the model found the entry, and no certain text",
        " ".join(answer.quote.split()),
        place=place,
    )


def _unproven(answer: CorrectionReading, text: str, shown: Sequence[EntryPlace]) -> str:
    """What is wrong with an answer; "" if it invents nothing and names a real entry."""
    if answer.kind != "memory":
        return ""
    if not _is_quote(answer.quote, text):
        return "quotes what the operator did not say"
    if not -1 <= answer.entry < len(shown):
        return "names an entry that is not there"
    if len(answer.right) > 2 * LONGEST or barred(answer.right) or barred(answer.quote):
        return "is not a sentence that can be stored"
    old = statement(shown[answer.entry].entry) if answer.entry >= 0 else ""
    return _invention(answer.right, text, old)


def _is_quote(quote: str, text: str) -> bool:
    if not quote.strip() or len(quote) > LONGEST:
        return False
    return bears(text, quote)


def _invention(right: str, text: str, old: str) -> str:
    """What is wrong with a new text for an entry, compared with the message and the old text."""
    words = content_words(right)
    if invented := words - content_words(f"{text} {old}"):
        return f"adds what nobody said ({', '.join(sorted(invented))})"
    fresh = words - content_words(old)
    if words and not fresh & content_words(text):
        return "changes nothing that the operator said"
    return ""
