"""The whole way from a question to the lines that answer it, best first.

*Candidates* are the lines with words of the question and those near to it in meaning. A *reader*
says of the best of them how likely each answers. *Standing* is what a line counts by its age and
the operator's corrections. The score is the product, and the order is the score. *Fold*: what is
said twice is one hit.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from datetime import date
from itertools import chain
from math import prod
from operator import attrgetter

from clawgit.core import NamedTuple
from clawgit.core.config.settings import Settings
from clawgit.core.markdown.item import Item
from clawgit.language.clauses import is_asking
from clawgit.language.lazily import lazily
from clawgit.language.terms import held, in_order
from clawgit.search.index.index import Index
from clawgit.search.rules.fold import keepers
from clawgit.search.rules.question import Asked
from clawgit.search.rules.row import NEAREST, ROLES, SEPARATOR, USERS, speaker
from clawgit.search.rules.standing import (
    Corrected,
    is_correction,
    is_log,
    ranked,
    stale_reason,
    standing,
)
from clawgit.search.side import Side
from clawgit.workspace.template_text import says_nothing

Chances = Callable[[str, Sequence[str]], list[float]]
"""Says of each of some texts how likely it answers a question."""

Test = Callable[[Item], bool]
Favour = tuple[str, float, Test]
"""Why a line counts more, by what factor, and which lines do."""

_MOST = 200, 60, 60
"""How many lines with words of the question are looked at, how many of them go on, and how many of
those near to it in meaning.
"""

_WIDE = 2000, 2000, 2000
"""The same where only lines of some kind are asked for."""

BY_MEANING, BY_WORDS = 10, 10
"""How many of the nearest lines, and of those with most words, a reader reads at most."""

AT_FIRST, CERTAIN = 8, 0.9
"""So many are enough if one of them answers for certain."""

ABOVE = 0.6
"""What a word counts that stands in a heading above the line."""

WINDOW, BEFORE, AFTER = 2, 0.7, 0.6
"""A word of a turn counts for so many turns around it, and for each step so much less. What stands
before an answer asks for it.
"""

_UNREAD = 0.3
"""What is left of a line that a reader has not read, beside those that it has."""

_LEVEL = 0.88
"""The power that lifts a fit by words, or by words and meaning, to what a reader would give the
line: one bar of what is likely holds with a reader and without.
"""

LENGTH = 0.05
"""What a long line loses."""

OF_DAY, OF_RULE = 1.5, 2.0
"""What a line stands at that is of the days that a question names, and a rule where it asks for
permission.
"""

AS_SAID = 0.9
"""What a line of a saved session stands at beside what somebody has kept."""

SPEAKER, USER, ASKING = 1.4, 1.3, 0.75
"""Factors of a turn: of one whom the question names, of the user, of one who only asks."""

_NAMES = lazily(r"\W{0,3}([^:(\n]{2,60}?)\W{0,3}\(aka ([^)\n]+)\)\W{0,3}:")
"""What begins with a name and other names of the same: `Postgres (aka PG): …`."""

_BY_WORDS = attrgetter("words")


class Memory(NamedTuple):
    """What a question is asked of. `chances` is the reader. `only` says which lines count at all,
    `favoured` which count more; `corrected` reads what the operator has corrected, where that
    matters.
    """

    lines: Index
    rules: Settings
    today: date
    side: Side = Side()
    chances: Chances | None = None
    corrected: Callable[[], Corrected] = Corrected
    only: Test | None = None
    favoured: tuple[Favour, ...] = ()


class Found(NamedTuple):
    """A line that was found. `words` is the share of the question that it has, by its length and by
    who says a turn, `fits` how well it answers as it stands, and `score` that with its standing.
    `also` are the places of lines that say the same.
    """

    row: Item
    words: float = 0.0
    meaning: float | None = None
    chance: float | None = None
    is_named: bool = False
    fits: float = 0.0
    score: float = 0.0
    standing: tuple[tuple[str, float], ...] = ()
    also: tuple[str, ...] = ()


def answer(asked: Asked, memory: Memory) -> list[Found]:
    """The lines that answer a question or come near it, best first."""
    found = candidates(asked, memory)
    is_corrected = any(is_correction(one.row) or stale_reason(one.row) for one in found)
    known = memory.corrected() if is_corrected else Corrected()
    # Before it is read: what the operator put right is among the first that a reader reads.
    stood = [_stood(one, memory, known) for one in found]
    scored = (one._replace(score=min(_uncut(one), 1.0)) for one in read(asked, memory, stood))
    # Last of all: a line takes the place of those that it stands for, and may itself be outdated.
    return _in_order(_folded(_best(scored, _uncut)), known)


def _in_order(found: Sequence[Found], known: Corrected) -> list[Found]:
    rows, scores = [one.row for one in found], [one.score for one in found]
    return [found[at]._replace(score=score) for at, score in ranked(rows, scores, known)]


def candidates(asked: Asked, memory: Memory) -> list[Found]:
    """The lines with words of the question, and those near to it in meaning, with what of it they
    have.
    """
    lines, (most, most_kept, most_near) = memory.lines, _WIDE if memory.only else _MOST
    near = memory.side.nearest(most_near if asked.words else 0)
    pool = lines.rows(dict.fromkeys((*lines.best(asked.terms, most), *near)))
    pool += _turns_around(lines, pool)
    rows = {row.id: row for row in pool if _counts(row, memory)}
    found = filter(_is_answer, _by_words(asked, lines, rows))
    worded = _best(found, _BY_WORDS)
    kept = {*near, *(one.row.id for one in filter(_BY_WORDS, worded[:most_kept]))}
    return _meant([one for one in worded if one.row.id in kept], memory.side)


def _best(found: Iterable[Found], worth: Callable[[Found], float]) -> list[Found]:
    """The lines, those that are worth most first. Equal ones come in the order of their places,
    since their ids depend on what was edited when.
    """
    return sorted(found, key=lambda one: (-worth(one), one.row.path, one.row.line, one.row.id))


def _uncut(one: Found) -> float:
    """The score, also above 1: two good hits must not become a tie."""
    return one.fits * _factor(one)


def _factor(one: Found) -> float:
    return prod(factor for _, factor in one.standing)


def _is_answer(one: Found) -> bool:
    """A heading with nothing below must have a word of the question: one or two words are near
    anything in meaning. A line without any word, such as an empty box, answers nothing.
    """
    says = held(one.row.text.lower().removeprefix("[x]"))
    return bool(says) and (one.words > 0 or one.row.kind != "heading")


def _meant(found: Sequence[Found], side: Side) -> list[Found]:
    """The lines with how near each is in meaning: from 0, as the average line, to 1, the same."""
    if side.cosines is None:
        return [*found]
    mean, cosines = side.mean, side.of(sorted(one.row.id for one in found))
    room = max(1 - mean, 1e-9)
    nearness = {at: min(max((cosine - mean) / room, 0.0), 1.0) for at, cosine in cosines.items()}
    return [one._replace(meaning=nearness.get(one.row.id, 0.0)) for one in found]


def _counts(row: Item, memory: Memory) -> bool:
    """Whether a line may be an answer at all: not one that nobody has filled in."""
    return (memory.only is None or memory.only(row)) and not says_nothing(
        row.path, row.text, row.kind
    )


def _turns_around(index: Index, rows: Iterable[Item]) -> list[Item]:
    ids = (index.around(row.id, WINDOW) for row in rows if row.kind == "turn")
    return [row for row in index.rows({*chain.from_iterable(ids)}) if row.kind == "turn"]


def _by_words(asked: Asked, index: Index, rows: Mapping[int, Item]) -> list[Found]:
    """What each line has of the question: of the terms for a word the best counts, in the line,
    above it, or in the turns around it.
    """
    around = {row.id: row for row in _turns_around(index, rows.values())}
    said = {row.id: held(row.text) for row in (*around.values(), *rows.values())}
    whole = asked.whole or 1.0
    usual = max(sum(row.words for row in rows.values()) / max(len(rows), 1), 1.0)
    found = []
    for row in rows.values():
        places = [(said[row.id], 1.0), (held("\n".join(row.headings)), ABOVE)]
        if row.id in around:
            places += _beside(row.id, around.keys() & {*index.around(row.id, WINDOW)}, said)
        worth = sum(max(word.worth(text) * share for text, share in places) for word in asked.words)
        words = worth / whole / (1 - LENGTH + LENGTH * row.words / usual) * _of_turn(asked, row)
        found.append(Found(row, words, is_named=_is_named(asked, row)))
    return found


def _beside(
    turn: int, around: AbstractSet[int], said: Mapping[int, frozenset[str]]
) -> Iterator[tuple[frozenset[str], float]]:
    """What the turns around one say, and how much it counts."""
    for other in around - {turn}:
        yield said[other], (BEFORE if other < turn else AFTER) ** abs(other - turn)


def _of_turn(asked: Asked, row: Item) -> float:
    """What a turn counts more or less by who says it, and whether it only asks."""
    if row.kind != "turn":
        return 1.0
    name = speaker(row.text)
    factor = SPEAKER if asked.worth(held(name)) else 1.0
    if name.casefold() in USERS:
        return factor * USER
    return factor * (ASKING if is_asking(row.text) else 1.0)


def _is_named(asked: Asked, row: Item) -> bool:
    """Whether a line begins with a name of a thing that the question names."""
    names = _NAMES.match(row.text) if "(aka " in row.text else None
    if not names:
        return False
    question = _spaced(asked.text)
    return any(_spaced(name) in question for name in (names[1], *names[2].split(",")))


def _spaced(text: str) -> str:
    return f" {' '.join(in_order(text))} "


def read(asked: Asked, memory: Memory, found: Sequence[Found]) -> list[Found]:
    """The lines with how well each fits, read as far as it is needed."""
    chances: Mapping[int, float] = {}
    is_named = any(one.is_named for one in found)
    # Where the question names a thing, the lines that begin with its name are the answer.
    if memory.chances and len(asked.words) > 1 and not is_named:
        chances = _chances(asked.text, found, memory.chances)
    known = (one._replace(chance=chances.get(one.row.id)) for one in found)
    behind = is_named or bool(chances)
    return [one._replace(fits=_fit(one, behind=behind)) for one in known]


def _chances(question: str, found: Sequence[Found], chances: Chances) -> dict[int, float]:
    """The reader's chances of the nearest lines and of those with most words. It reads the best of
    them first, and stops if one of these answers for certain.
    """
    near = _best(found, lambda one: one.meaning or 0.0)[:BY_MEANING]
    to_read = {one.row.id: one for one in (*near, *_best(found, _BY_WORDS)[:BY_WORDS])}
    best = _best(to_read.values(), lambda one: _mixed(one) * _factor(one))
    known: dict[int, float] = {}
    for some in (best[:AT_FIRST], best[AT_FIRST:]):
        if max(known.values(), default=0.0) < CERTAIN:
            # Few lines say alone what they are about.
            rows = [one.row for one in some]
            texts = [SEPARATOR.join((*row.headings[-NEAREST:], row.text)) for row in rows]
            read = chances(question, texts)
            known |= zip((row.id for row in rows), read, strict=True)
    return known


def _mixed(one: Found) -> float:
    """How well a line fits before a reader reads it."""
    said = min(one.words, 1.0)
    return said if one.meaning is None else (said + one.meaning) / 2


def _fit(one: Found, *, behind: bool) -> float:
    """How well a line answers, from 0 to 1: words, meaning and the reader weigh alike. What no
    reader has read stands `behind` what it has.
    """
    if one.is_named:
        return 1.0
    if one.chance is not None:
        return (2 * _mixed(one) + one.chance) / 3
    return _mixed(one) * _UNREAD if behind else _mixed(one) ** _LEVEL


def _stood(one: Found, memory: Memory, known: Corrected) -> Found:
    factors = tuple(standing(one.row, memory.rules, memory.today, known, itself=one.words > 0))
    factors += tuple((why, share) for why, share, test in memory.favoured if test(one.row))
    if speaker(one.row.text).casefold() in ROLES:
        factors += (("as said", AS_SAID),)
    return one._replace(standing=factors)


def _folded(found: Sequence[Found]) -> list[Found]:
    """The lines, each that is said once; it takes the best place of those that it stands for."""
    keeper = keepers([one.row for one in found])
    under: dict[int, list[int]] = {}
    for at, kept in enumerate(keeper):
        under.setdefault(kept, []).append(at)
    folded = []
    for kept, same in under.items():
        # The log of the very correction that an entry holds is not named beside it.
        others = [found[at].row for at in same if at != kept and not is_log(found[at].row)]
        folded.append(
            found[kept]._replace(
                score=found[same[0]].score, also=tuple(f"{row.path}:{row.line}" for row in others)
            )
        )
    return folded
