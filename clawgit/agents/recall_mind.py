"""A correction read by a language model: what it says is taken only where the operator's own words bear it out."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from clawgit.agents.contract import Call, Mind
from clawgit.agents.recall_judging import CORRECTED, LEFT, Reader, Ruling, of_words
from clawgit.domain.chat import unwrapped
from clawgit.domain.correction_matching import Finding, Hit, wording
from clawgit.domain.correction_objection import Scene
from clawgit.domain.correction_slots import content, holds
from clawgit.domain.known import Place
from clawgit.errors import NoAnswerError

_MOST = 60
_LONGEST = 300
_ASKED = """The operator of an assistant may have set something right that the assistant said or remembers wrong.
Say what kind of message it is: "memory" where it corrects a fact, "none" where it corrects no fact.
For "memory": `value` quotes the right value word for word from the message; `right` is one whole sentence in the third
person that states the fact with that value and adds nothing; `entry` is the number of the entry that holds the wrong
value, -1 where none does; `said` quotes what the assistant said wrong, or is empty."""


class Reading(NamedTuple):
    """What a message sets right."""

    kind: Literal["memory", "none"]
    right: str = ""
    value: str = ""
    said: str = ""
    entry: int = -1


def reader(mind: Mind, notes: list[str]) -> Reader:
    """Asks the model about each call. Where it does not answer, or answers what nobody said, rules do, and a note tells
    why.
    """

    def read(call: Call, scene: Scene, places: Sequence[Place]) -> Ruling | None:
        text = unwrapped(call.message.text)
        shown = _nearest(text, scene, places)
        listed = "\n".join(f"{number}: {wording(place.entry)}" for number, place in enumerate(shown))
        told = {"message": text, "assistant": scene.turn, "asked before": scene.question, "entries": listed}
        try:
            answer = mind.ask(_ASKED, told, Reading)
        except NoAnswerError as error:
            notes.append(f"Rules read a correction: {error.message}")
            return None
        trouble = _unproven(answer, text, scene, shown)
        if trouble:
            notes.append(f"Rules read a correction: the model's answer {trouble}.")
            return None
        return _ruling(answer, shown)

    return read


def _ruling(answer: Reading, shown: Sequence[Place]) -> Ruling | None:
    """Where the model finds no fact, a message that objects is still asked about: by rules."""
    if answer.kind != "memory":
        return None
    right = " ".join(answer.right.split())
    hits = (Hit(shown[answer.entry], right, 1.0),) if answer.entry >= 0 else ()
    return Ruling(CORRECTED, right=right, said=answer.said, finding=Finding(right, answer.said, hits))


def _unproven(answer: Reading, text: str, scene: Scene, shown: Sequence[Place]) -> str:
    """What is wrong with an answer, "" where it stands: it invents nothing, and names what there is."""
    if answer.kind != "memory":
        return ""
    right = answer.right.strip()
    if not right or len(right) > _LONGEST or of_words(right).kind == LEFT:
        return "is no sentence that can be kept"
    if not answer.value.strip() or not holds(text, answer.value) or not content(answer.value) <= content(right):
        return "gives a value that the operator did not say"
    if not -1 <= answer.entry < len(shown):
        return "names an entry that is not there"
    old = wording(shown[answer.entry].entry) if answer.entry >= 0 else ""
    known = content(f"{text} {scene.turn} {scene.question} {scene.operator} {old} operator")
    invented = content(right) - known
    return f"adds what nobody said ({', '.join(sorted(invented))})" if invented else ""


def _nearest(text: str, scene: Scene, places: Sequence[Place]) -> list[Place]:
    """The entries that share the most words with what was said."""
    words = content(f"{text} {scene.turn} {scene.question}")
    ranked = sorted(places, key=lambda place: -len(words & content(wording(place.entry))))
    return ranked[:_MOST]
