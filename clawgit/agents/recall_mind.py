"""A correction read by a language model: what it says is taken only where the operator's own words
bear it out.
"""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from clawgit.agents.contract import Mind
from clawgit.agents.recall_judging import PUT_RIGHT, QUOTED, Reader, Ruling, Talk, barred
from clawgit.domain.corrections.hearing import candidates
from clawgit.domain.corrections.sentence import LONGEST
from clawgit.domain.corrections.statement import statement
from clawgit.domain.extraction.quoting import bears
from clawgit.domain.facts.fact_verdict import Place
from clawgit.errors import NoAnswerError
from clawgit.language.stems import content_words

_ASKED = """The operator of an assistant may have set something right that the assistant said or
remembers wrong. Say what kind of message it is: "memory" where it corrects a fact, "none" where it
corrects no fact. For "memory": `quote` is the operator's own sentence, word for word from the
message; `entry` is the number of the entry that is wrong, -1 where none is; `right` is that whole
entry as it is right now, with nothing added that neither the entry nor the message says, or empty
where the message does not say what is right."""


class Reading(NamedTuple):
    """What a message sets right."""

    kind: Literal["memory", "none"]
    quote: str = ""
    entry: int = -1
    right: str = ""


def reader(mind: Mind, notes: list[str]) -> Reader:
    """Asks the model about each call. Where it does not answer, or answers what nobody said, the
    judges do, and a note tells why.
    """

    def read(text: str, talk: Talk, places: Sequence[Place]) -> Ruling | None:
        shown = candidates(text, f"{talk.turn}\n{talk.question}", places)
        listed = "\n".join(
            f"{number}: {statement(place.entry)}" for number, place in enumerate(shown)
        )
        told = {
            "message": text,
            "assistant": talk.turn,
            "asked before": talk.question,
            "entries": listed,
        }
        try:
            answer = mind.ask(_ASKED, told, Reading)
        except NoAnswerError as error:
            notes.append(f"The judges read a correction: {error.message}")
            return None
        if trouble := _unproven(answer, text, shown):
            notes.append(f"The judges read a correction: the model's answer {trouble}.")
            return None
        return _ruling(answer, shown)

    return read


def _ruling(answer: Reading, shown: Sequence[Place]) -> Ruling | None:
    """Where the model finds no fact or no entry, a message that objects may still be asked about:
    by the judges.
    """
    if answer.kind != "memory" or answer.entry < 0:
        return None
    place, right = shown[answer.entry], " ".join(answer.right.split())
    if right and right != statement(place.entry):
        return Ruling(
            PUT_RIGHT, "the model read it so, and the message bears it", right, place=place
        )
    return Ruling(
        QUOTED,
        "the model found the entry, and no certain text",
        " ".join(answer.quote.split()),
        place=place,
    )


def _unproven(answer: Reading, text: str, shown: Sequence[Place]) -> str:
    """What is wrong with an answer, "" where it stands: it invents nothing, and names what there
    is.
    """
    if answer.kind != "memory":
        return ""
    if not answer.quote.strip() or len(answer.quote) > LONGEST or not bears(text, answer.quote):
        return "quotes what the operator did not say"
    if not -1 <= answer.entry < len(shown):
        return "names an entry that is not there"
    if barred(answer.right) or barred(answer.quote) or len(answer.right) > 2 * LONGEST:
        return "is no sentence that can be kept"
    old = statement(shown[answer.entry].entry) if answer.entry >= 0 else ""
    right = content_words(answer.right)
    invented = right - content_words(f"{text} {old}")
    if invented:
        return f"adds what nobody said ({', '.join(sorted(invented))})"
    fresh = right - content_words(old)
    return (
        "" if not right or fresh & content_words(text) else "changes nothing that the operator said"
    )
