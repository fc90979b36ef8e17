"""What the operator sets right, read from his own words: the statement, the right value, and the wrong one if told."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from clawgit.domain.correction_acts import is_empty, is_request, is_unsure, states_no_fact
from clawgit.domain.correction_asian import asian, is_asian, is_denied
from clawgit.domain.correction_clauses import clauses, main_clause, sentences, without_talk, without_verdict
from clawgit.domain.correction_forms import contrast, is_rule, opens_with_pronoun, stated
from clawgit.domain.correction_objection import Objection
from clawgit.domain.correction_over import over
from clawgit.domain.correction_phrases import stripped_of, without_tail
from clawgit.domain.correction_slots import holds, slots, verb_in
from clawgit.domain.correction_values import NAME, VERBS


class Heard(NamedTuple):
    """A message as it was read. `firm`: something was wrong, whether or not a value is told."""

    objections: tuple[Objection, ...]
    firm: bool
    only_no: bool = False
    """Whether nothing but a bare “no” says that something was wrong; it may as well answer a question."""
    bare: bool = False
    """Whether nothing else is said at all."""


class _Piece(NamedTuple):
    body: str
    firm: bool
    soft: bool
    asks: bool
    no: bool = False
    around: str = ""


def heard(text: str) -> Heard:
    """The statements of a message that may be corrections, the likeliest first. Never fails, and invents no value."""
    text = text[:_LONGEST]
    if is_asian(text) and ((told := tuple(asian(text))) or is_denied(text)):
        return Heard(told, is_denied(text) or any(one.firm for one in told))
    pieces = [piece for sentence in sentences(text) for piece in _pieces(sentence)]
    firm = any(piece.firm or _NOT_IT.match(piece.body) for piece in pieces)
    found: list[tuple[int, int, Objection]] = []
    answered = False
    for at, piece in enumerate(pieces):
        follows = at > 0 and pieces[at - 1].firm and not pieces[at - 1].body
        objection = _objection(piece, firm=piece.firm or follows)
        if objection is None or (not firm and len(pieces) > 1 and _is_exclaimed(piece, objection)):
            continue
        rank = 0 if objection.firm and not answered else 1 if objection.wrong else 2 if piece.soft else 3
        answered = answered or objection.firm
        found.append((rank, at, objection._replace(firm=objection.firm or bool(objection.wrong and firm))))
    found = [(rank, at, _instead_of(one, pieces[at::-1], pieces[at + 1 :])) for rank, at, one in found]
    if firm and found and not any(one.firm for _, _, one in found):
        found = [(rank, at, one._replace(firm=True)) for rank, at, one in found]
    found = [(rank, at, one._replace(changed=one.changed or firm)) for rank, at, one in found]
    ordered = tuple(one for _, _, one in sorted(found, key=lambda row: row[:2]))
    only_no = all(piece.no for piece in pieces if piece.firm)
    return Heard(ordered, firm, only_no, bare=not any(piece.body for piece in pieces))


def _is_exclaimed(piece: _Piece, objection: Objection) -> bool:
    """Whether a piece beside others holds no verb and no value: “Splendid.”, “Bless you.”"""
    return not piece.soft and objection.said == objection.value == piece.body.rstrip(" .!?…") and not slots(piece.body)


def _instead_of(objection: Objection, before: list[_Piece], behind: list[_Piece]) -> Objection:
    """What takes the place of what is said to be over, just before or right behind: “I sold the Nikon, I've got a
    Fuji”, “it comes at two. Five was the old one.”
    """
    if objection.wrong:
        return objection
    told = (over(piece.body) for piece in (*before[1:], *behind))
    wrong = next((one for one in told if one and not holds(objection.said, one)), "")
    return objection._replace(over=wrong) if wrong else objection


def _pieces(sentence: str) -> Iterator[_Piece]:
    """A sentence as a whole; and where it says several things, each of them for itself, too."""
    whole = _piece(sentence)
    yield whole
    parts = [one.text for one in clauses(whole.body) if one.text.strip() and not one.text.startswith("not ")]
    for part in parts[: _MOST_CLAUSES if len(parts) > 1 else 0]:
        clause = _piece(part)
        if clause.body and (opens_with_pronoun(clause.body) or verb_in(f" {clause.body}") or _is_value(clause.body)):
            yield clause._replace(
                firm=whole.firm or clause.firm, soft=whole.soft, asks=whole.asks, no=whole.no, around=whole.body
            )


def _is_value(body: str) -> bool:
    return len(body.split()) <= _SHORT and any(slot.kind != NAME for slot in slots(body))


def _piece(sentence: str) -> _Piece:
    """Takes the openings off, in whatever order they come."""
    body, soft = (
        _SLANG.sub(lambda found: _SHORT_FORMS[found[0].lower()], _ASIDE.sub(" ", _NO_MATTER.sub("", sentence))),
        False,
    )
    body, firm = without_verdict(body)
    if _ORDERED.search(body):
        return _Piece("", firm=False, soft=False, asks=False)
    no = bool(_NO.match(body))
    if no:
        body, firm, no = _NO.sub("", body), True, not firm
    while True:
        for kind in ("firm", "soft", "weak"):
            rest = stripped_of(kind, body)
            if rest is not None and rest != body and not (firm and is_rule(body)):
                no = no and kind != "firm"
                body, firm, soft = rest, firm or kind == "firm", soft or kind == "soft"
                break
        else:
            break
    if states_no_fact(body):
        return _Piece("", firm, soft=False, asks=False, no=no)
    stated = without_talk(body)
    bare_body = without_tail(stated.text)
    talked = stated.firm or _TALKED.search(stated.text[len(bare_body) :]) is not None
    firm, no = firm or talked, no and not talked
    bare_body = bare_body.strip(" \t\n,;:—–-…")
    asks = sentence.rstrip().rstrip("!").endswith(("?", "？")) and (
        bare_body == body.strip(" \t\n,;:—–-…") or bare_body.endswith("?")
    )
    return _Piece(bare_body, firm, soft, asks, no)


def _objection(piece: _Piece, *, firm: bool) -> Objection | None:
    body = _CLEFT.sub(r"\1 \2", piece.body.rstrip(" .!?…"))
    if (says := _SAYS.search(body)) and _is_value(body[: says.start()]):
        body = body[: says.start()]
    if not any(sign.isalnum() for sign in body) or is_request(body) or is_empty(body):
        return None
    if piece.asks and not (piece.firm and _STATES.search(body)):
        return None
    if not piece.firm and is_unsure(body):
        return None
    if piece.firm or firm:
        body = _SAID_BY.sub("", body)
    if told := contrast(body):
        return told._replace(firm=firm or told.firm, changed=True, around=piece.around)
    told = None if _NOT_BUT.search(body) else stated(main_clause(body), firm=firm)
    return told._replace(changed=piece.soft or _SINCE.search(body) is not None, around=piece.around) if told else None


_LONGEST = 4000
"""Characters of a message that are read: who sets something right says it soon."""

_SHORT, _MOST_CLAUSES = 8, 6
_SHORT_FORMS = {
    "u": "you", "ur": "your", "im": "I'm", "thats": "that's", "its": "it's", "isnt": "isn't", "dont": "don't",
    "ive": "I've", "youre": "you're", "arent": "aren't", "wasnt": "wasn't", "doesnt": "doesn't", "whats": "what's",
    "r": "are",
}  # fmt: skip
_SLANG = re.compile(rf"(?<![\w'./-])(?:{'|'.join(_SHORT_FORMS)})(?![\w'./-])", re.IGNORECASE)

_NO = re.compile(r"\A(?:(?:no+|nope|nah|naw|nay)(?![\w'])[\s,;:.!—–-]*)+", re.IGNORECASE)
_NO_MATTER = re.compile(
    r"\A\W*(?:no|nope|nah),? (?:need|problem|worr\w+|idea|rush|doubt|matter|harm|thanks|thank you|hurry|pressure)\b"
    r"[^,.;!?—–]*[\s,.;!—–]*",
    re.IGNORECASE,
)
"""“No problem, …”: what says that there is none denies nothing."""
_ASIDE = re.compile(
    r", (?:incidentally|by the way|btw|actually|in fact|of course|sadly|however|though|alas|as you know|by now), ",
    re.IGNORECASE,
)
_SAYS = re.compile(
    r",? (?:says?|said|according to|per) (?:the|my|our|his|her|their) [\w’'-]+(?: [\w’'-]+)?$", re.IGNORECASE
)
"""“20:30 says the ticket”: who says so is not what is so."""
_SAID_BY = re.compile(
    r"^(?!(?:i|we|you|nobody|who|what|it|that|this) )(?:(?:the|my|our|his|her|their) )?[\w’'-]+(?: [\w’'-]+)?"
    r" (?:says|said) (?:that )?(?=(?:the|my|our|his|her|their|it['’]s|it is|they|he|she) )",
    re.IGNORECASE,
)
_CLEFT = re.compile(r"^(?:it|that)(?:'s| is| was) ([^,]{2,40}?) who (.+)$", re.IGNORECASE)
_ORDERED = re.compile(
    r"\b(?:i|we)(?:'ve| have| had)?(?: already| just)? (?:told|asked) you (?:not )?to (?!always|never|only)",
    re.IGNORECASE,
)
_NOT_BUT = re.compile(r"\bnot\b.{1,60}\bbut\b", re.IGNORECASE)
_TALKED = re.compile(r"told|said|mentioned|wrong|outdated|\bold\b", re.IGNORECASE)
_NOT_IT = re.compile(r"not [^,]{1,40},", re.IGNORECASE)
_SINCE = re.compile(r"\b(?:now|nowadays|these days|since|as of|any ?more|no longer|recently)\b", re.IGNORECASE)
_STATES = re.compile(rf"\b(?:i'm|{VERBS})\b|'(?:s|re|m)\b", re.IGNORECASE)
