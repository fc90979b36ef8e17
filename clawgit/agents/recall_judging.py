"""What a call of the Recall Validator comes to: a correction, an open question, somebody else's matter, or nothing."""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from clawgit.agents.contract import Call
from clawgit.domain.chat import USER, unwrapped
from clawgit.domain.correction_clauses import sentences, stands, supposes
from clawgit.domain.correction_forms import predicate
from clawgit.domain.correction_matching import Finding, Hit, found, wording
from clawgit.domain.correction_objection import Objection, Scene
from clawgit.domain.correction_plain import Put, doubt
from clawgit.domain.correction_reading import Heard, heard
from clawgit.domain.correction_slots import bare, content
from clawgit.domain.correction_turn import is_dangling, is_sentence, names_it
from clawgit.domain.excerpt import in_a_line
from clawgit.domain.known import Place
from clawgit.domain.likeness import Nearness
from clawgit.domain.masks import is_sensitive
from clawgit.domain.poison import findings as poison

CORRECTED, ASKED, ROUTED, LEFT = "corrected", "asked", "routed", "left"


class Ruling(NamedTuple):
    """What is to be done about a call, and why. `right` is the whole sentence, or as much of it as is known; `said` is
    what the agent said.
    """

    kind: str
    why: str = ""
    right: str = ""
    said: str = ""
    finding: Finding = Finding("", "")
    firm: bool = False
    """Whether the operator objects, and does not only tell something in passing."""


Reader = Callable[[Call, Scene, Sequence[Place]], Ruling | None]
"""A language model's own ruling, None where rules must do."""


def scene_of(call: Call, operator: str) -> Scene:
    """The talk around a message: what the agent said last before it, and what it had been asked."""
    turn, question = "", ""
    for message in reversed(call.exchange):
        if message.role == _ASSISTANT and not turn and not question:
            turn = message.text[:_MOST_READ]
        elif message.role == USER and (turn or not question):
            question = unwrapped(message.text)[:_MOST_READ]
            break
    return Scene(operator, question, turn, call.message.time)


def is_external(call: Call) -> bool:
    """Whether what failed is no memory, but a tool, a capability or a script that the agent has."""
    return _EXTERNAL.search(" ".join(unwrapped(call.message.text).split())) is not None


def ruled(
    call: Call, scene: Scene, places: Sequence[Place], nearness: Nearness | None, reader: Reader | None = None
) -> Ruling:
    """The ruling on a call, by the model where it has one that stands the guards, else by rules."""
    text = unwrapped(call.message.text)
    if call.message.role != USER:
        return Ruling(LEFT, "only what the operator says himself is a correction")
    if (barred := of_words(text)).kind == LEFT:
        return barred
    if is_sensitive(scene.turn):
        scene = scene._replace(turn="")
    if is_external(call):
        return Ruling(ROUTED, "it is about a tool or capability", said=in_a_line(scene.turn, _LONGEST))
    ruling = reader(call, scene, places) if reader else None
    return ruling or _by_rules(text, _with_quoted(text, scene), places, nearness)


def _with_quoted(text: str, scene: Scene) -> Scene:
    """The talk with what the operator says that the agent said elsewhere: “in the agenda you wrote the fee is 60”."""
    found = (_QUOTED.search(sentence) for sentence in sentences(text[:_MOST_READ]))
    told = next((one["said"] for one in found if one and stands(one["said"])), "")
    return scene._replace(turn=f"{told.rstrip(' .!')}.\n{scene.turn}") if told else scene


def ruled_on_fact(
    text: str, scene: Scene, places: Sequence[Place], nearness: Nearness | None, *, chosen: bool = False,
    lets_in: frozenset[str] = frozenset(),
) -> Ruling:  # fmt: skip
    """The ruling on a fact that somebody states: it goes into the entry that he has `chosen`, else the one it means."""
    if (barred := of_words(text, lets_in)).kind == LEFT:
        return barred
    right = " ".join(text.split())
    finding = found(Objection(right, predicate(right), firm=True, whole=True), scene, places, nearness)
    if chosen:
        return Ruling(
            CORRECTED, right=right, said=scene.turn, finding=Finding(right, "", (Hit(places[0], right, 1.0),))
        )
    sure = finding.hits if finding.hits and finding.hits[0].sure else ()
    main = tuple(hit._replace(text=right) if at == 0 and not hit.named else hit for at, hit in enumerate(sure))
    return Ruling(CORRECTED, "", main[0].text if main else right, scene.turn, finding._replace(hits=main), firm=True)


def of_words(text: str, lets_in: frozenset[str] = frozenset()) -> Ruling:
    """Whether words may stand in memory at all: no secrets but those let in, no orders to whoever reads them."""
    if is_sensitive(text, lets_in):
        return Ruling(LEFT, "it holds a secret, which is never written down")
    if any(one.hold for one in poison("", text)):
        return Ruling(LEFT, "it reads like orders to an agent, and is no fact")
    return Ruling(CORRECTED)


def _by_rules(text: str, scene: Scene, places: Sequence[Place], nearness: Nearness | None) -> Ruling:
    """The first statement that finds its entry; else the first that stands by itself and sets the agent right. What is
    not plain is asked about.
    """
    said = heard(text)
    answers = said.only_no and _asks(scene.turn)
    turn = in_a_line(scene.turn, _LONGEST)
    firm = said.firm and not answers
    looked = [(one, found(one, scene, places, nearness)) for one in said.objections[:_MOST]]
    for objection, finding in sorted(looked, key=lambda pair: (not _changes(pair[1]), -_fit(*pair))):
        objects = firm and objection.firm
        # Memory may hold it already: what the agent said against it is wrong all the same, and has to be known so.
        if finding.hits and (objects or (finding.hits[0].sure and (_changes(finding) or finding.contradicts))):
            right = Ruling(CORRECTED, "", finding.hits[0].text, finding.said or turn, finding, firm=objects)
            return _if_plain(right, objection, text, scene)
    for objection, finding in sorted(looked, key=lambda pair: not pair[1].contradicts):
        if _stands_alone(objection, finding, said, firm=firm):
            right = Ruling(CORRECTED, "", finding.right, finding.said or turn, finding, firm and objection.firm)
            return _if_plain(right, objection, text, scene)
    of_it = len(content(text) & content(scene.turn)) >= _FEW
    if not firm or (said.only_no and not looked and not said.bare and not of_it):
        return Ruling(LEFT, _why_left(looked, answers=answers))
    names = said.bare or of_it or any(names_it(one) for one, _ in looked)
    denied = names and _is_of_memory(scene.turn, places)
    denied = denied or any(finding.contradicts and one.firm for one, finding in looked)
    if (said.only_no and not denied) or (looked and all(_PASSING.search(one.said) for one, _ in looked)):
        return Ruling(LEFT, "it is about what is being done now, and no memory")
    value = next((bare(one.value) for one, _ in looked if one.firm and not one.whole), "")
    why = f"what is {value!r}?" if value else "what is right instead?"
    return Ruling(ASKED, why, right=value, said=next((one.said for _, one in looked if one.said), turn))


def _if_plain(ruling: Ruling, objection: Objection, text: str, scene: Scene) -> Ruling:
    """The ruling where it is beyond doubt, else the question: a wrong edit of memory is worse than none."""
    hits = ruling.finding.hits
    talk = f"{scene.turn} {scene.question} {scene.operator}"

    def why_not(old: str, right: str) -> str:
        return doubt(Put(text[:_MOST_READ], objection.said, objection.value, objection.wrong, old, right, talk))

    if why := why_not(wording(hits[0].place.entry) if hits else "", ruling.right):
        return ruling._replace(kind=ASKED, why=why)
    plain = tuple(hit for hit in hits[1:] if not why_not(wording(hit.place.entry), hit.text))
    return ruling._replace(finding=ruling.finding._replace(hits=(*hits[:1], *plain)))


def _is_of_memory(turn: str, places: Sequence[Place]) -> bool:
    """Whether the agent only said what an entry says, so that a bare “no” can be meant for nothing else."""
    told = content(turn)
    known = (content(wording(place.entry)) for place in places)
    return any(len(words) >= _FEW and words <= told for words in known)


def _changes(finding: Finding) -> bool:
    """Whether it finds an entry that says otherwise, and not only one that was right all along."""
    return any(hit.sure and hit.text != wording(hit.place.entry) for hit in finding.hits[:1])


def _fit(objection: Objection, finding: Finding) -> float:
    """How well the entry fits that it means, and that he says what was wrong there; where none has to change, all are
    alike.
    """
    return finding.hits[0].score + bool(objection.wrong) if _changes(finding) else 0.0


def _stands_alone(objection: Objection, finding: Finding, said: Heard, *, firm: bool) -> bool:
    """Whether a statement becomes an entry of its own, since none holds what it sets right."""
    if not finding.right or finding.hits or _PASSING.search(finding.right) or is_dangling(finding.right):
        return False
    if finding.right.isascii() and not is_sentence(finding.right):
        return False
    if finding.contradicts:
        return True
    return firm and objection.firm and objection.whole and not said.only_no


def _why_left(looked: Sequence[tuple[Objection, Finding]], *, answers: bool) -> str:
    if answers:
        return "it answers a question of the agent's"
    return "no entry says otherwise; what is new is the Memory Miner's" if looked else "it sets nothing right"


def _asks(turn: str) -> bool:
    """Whether a turn ends in a question; a statement with a question mark is one that can be wrong."""
    last = sentences(turn)[-1:]
    return turn.rstrip().endswith(("?", "？")) and not (last and supposes(last[0]))


_ASSISTANT = "assistant"
_QUOTED = re.compile(
    r"\b(?:you|u) (?:wrote|noted|put|have|had|said|claimed|listed|told \w+)(?: down)?(?: that)?,? "
    r"(?P<said>(?:the|my|our|his|her|their|[A-Z]\w+)\b[^,;]+)",
)
_MOST, _FEW = 6, 2
_MOST_READ = 4000
_LONGEST = 400
_PASSING = re.compile(
    r"\b(?:still|again|yet|right now|at the moment|just now|fail(?:s|ed|ing)?|broken|error|crash(?:es|ed)?"
    r"|(?:doesn't|does not|not) work(?:ing)?"
    r"|empty|missing|useless|(?:nice|beautiful|lovely|sunny|rainy) (?:day|weather|evening|morning)|fine|too (?:long"
    r"|short|big|small|much)|(?:the )?(?:wrong|other"
    r"|first|second|last) (?:one|file|line|column|page|picture|paragraph|sentence|section|word|step|part))\b",
    re.IGNORECASE,
)
"""What is said of the moment, and will not be true for long."""

_THING = (
    r"(?:tools?|skills?|scripts?|plugins?|commands?|integrations?|mcp(?: servers?)?|cli|extensions?|functions?"
    r"|sub-?agents?)"
)
_EXTERNAL = re.compile(
    rf"\byou (?:can|could|are able to|'re able to|know how to|do have"
    rf"|have(?! (?:\w+ed|written|got|put|made|given|sent|told|said|had|been|done"
    rf"|spelt)\b))\b(?!.{{0,20}}\bforgot)(?=.{{0,80}}\b(?:{_THING}|access|yourself|send|search|browse|read"
    rf"|write|run|open|access)\b)|\byou (?:forgot|keep forgetting|don't remember)(?: \w+){{0,3}} (?:how to"
    rf"|that you (?:can|have|know)|you (?:can|have)|to use|about"
    rf" (?:the|your) (?:\S+ ){{0,2}}{_THING}\b|(?:the|your) (?:\S+ ){{0,2}}{_THING}\b)|\b(?:use|call|run) (?:the"
    rf"|your) (?:\S+ ){{0,2}}{_THING}\b"
    rf"|\bremember (?:that )?you (?:can|have (?:access|an? {_THING}))|\bhow many times\b.{{0,60}}\b(?:use the"
    rf"|run the) (?:\S+ ){{0,2}}{_THING}\b",
    re.IGNORECASE,
)
"""Of what the agent can do, not of what is true."""
