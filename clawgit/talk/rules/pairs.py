"""Which words tell a wrong statement from the right one, in texts without comments,
such as notes.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache

from clawgit.core import NamedTuple
from clawgit.core.markdown.tag_table import words_alone
from clawgit.language.files import small_words
from clawgit.language.lazily import lazily
from clawgit.memory.rules.likeness import words
from clawgit.talk.rules.corrections import Correction, when
from clawgit.talk.rules.wording import is_filler, pattern

_PART = lazily(r"[,;.!?。！？，、]+(?!\w)")

_FEW = 3
"""A statement of fewer words, such as “Yes.” or “Port 5432.”, stands in others that are right."""


class Pair(NamedTuple):
    """The words of only the wrong statement, of only the right one, and of both; and the correction
    that tells them apart, as a commit cites it.
    """

    wrong: frozenset[str]
    right: frozenset[str]
    shared: frozenset[str]
    evidence: str


def overtaken(known: Iterable[Correction]) -> frozenset[str]:
    """The ids of corrections that a later one has corrected again.

    The later one is about the same entry, or calls wrong what they call right.
    """
    last: dict[str, Correction] = {}
    wrong: defaultdict[frozenset[str], list[tuple[frozenset[str], Correction]]] = defaultdict(list)
    void: set[str] = set()
    # The newest first, so that whatever is in `last` and `wrong` is later than the correction.
    for correction in sorted(known, key=when, reverse=True):
        entry, right = correction.target, meant(correction.correct)
        denied = (one for old, one in wrong[_telling(right)] if not _differ(old, right))
        later = next(denied, None) or (last.get(entry) if entry else None)
        if later and _differ(meant(later.correct), right):
            void.add(correction.id)
        if correction.binds:
            last.setdefault(entry, correction)
            for old in filter(None, (meant(correction.said), meant(correction.old))):
                wrong[_telling(old)].append((old, correction))
    return frozenset(void)


def _differ(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two statements differ in more than the frame that one of them has."""
    return _telling(one) != _telling(other) or bool(one - other and other - one)


def pairs(known: Iterable[Correction]) -> tuple[Pair, ...]:
    """What the operator has corrected, word against word.

    A correction that only adds to a statement proves nothing wrong, nor does one that a later one
    has overtaken.
    """
    # A dict keeps the order and drops repetitions.
    kept: dict[Pair, None] = {}
    for correction in sorted(known, key=when):
        if not correction.binds:
            continue
        right = meant(correction.correct)
        for wrong in (meant(correction.said), meant(correction.old)):
            pair = Pair(wrong - right, _telling(right - wrong), wrong & right, correction.evidence)
            if pair.wrong and pair.right and pair.shared:
                # Not what an earlier correction calls wrong, and this one right.
                turned = (pair.right, pair.shared)
                kept = {one: None for one in kept if (one.wrong, one.shared) != turned}
                kept[pair] = None
    return tuple(kept)


Places = Iterator[tuple[list[int], list[int]]]
"""By correction, the places of the texts that say the wrong thing, and of those that are right."""
Apart = Callable[[Sequence[str]], Places]


class Wrong(NamedTuple):
    """What the corrections say is wrong; `void` are the ids of those that a later one overtook."""

    pairs: tuple[Pair, ...]
    void: frozenset[str]

    def correction_of(self, text: str) -> str:
        """The place of the correction that says a text is wrong; "" if none does."""
        if not self.pairs:
            return ""
        said = frozenset(words(text)) - small_words()
        return next((pair.evidence for pair in self.pairs if tells_wrong(said, pair)), "")

    def apart(self, texts: Sequence[str]) -> Places:
        said = [*map(meant, texts)]
        for pair in self.pairs:
            yield (
                [at for at, text in enumerate(said) if tells_wrong(text, pair)],
                [at for at, text in enumerate(said) if tells_right(text, pair)],
            )


def wrong_by(every: Sequence[Correction]) -> Wrong:
    """What the corrections say is wrong; the newest counts, and open ones do not."""
    return Wrong(pairs(every), overtaken(every))


def statements(every: Sequence[Correction]) -> tuple[set[str], Callable[[str], bool], Apart]:
    """The statements that the operator called right, or disputes others with; and whether another
    one is wrong by all corrections together: it repeats a wrong one, or says the same of the thing.
    """
    right, wrong = set[str](), set[str]()
    mistakes = wrong_by(every)
    # The oldest first: what a later one disputes is right no more, and what an earlier one called
    # wrong stays so, also where a later one has overtaken that.
    for each in sorted(every, key=when):
        if each.binds or each.is_quoted:
            said = words_alone(each.correct)
            old = {words_alone(each.said), words_alone(each.old)} - {said, ""}
            right, wrong = right - old, wrong - {said} | old
            if each.id not in mistakes.void:
                right.add(said)

    def is_wrong(said: str) -> bool:
        repeats = any(old in said for old in wrong if len(old.split()) >= _FEW or old == said)
        return repeats or bool(mistakes.correction_of(said))

    return right, is_wrong, mistakes.apart


def tells_wrong(text: frozenset[str], pair: Pair) -> bool:
    """Whether the words of a text say the wrong thing about the same matter, not the right one."""
    return pair.wrong | pair.shared <= text and not pair.right <= text


def tells_right(text: frozenset[str], pair: Pair) -> bool:
    return pair.right | pair.shared <= text and not pair.wrong <= text


@lru_cache(maxsize=1 << 13)
def meant(text: str) -> frozenset[str]:
    """The words of a text that carry meaning. “Chen, not Boris” means Chen: what stands in a part
    of its own, and is denied there, is not meant.
    """
    denies = pattern("denials").search
    claims = [part for part in _PART.split(text) if not denies(part)] if denies(text) else []
    return frozenset(words(" ".join(claims)) or words(text)) - small_words()


def _telling(said: frozenset[str]) -> frozenset[str]:
    """The words without those that only frame a correction, as “That's wrong, …” does. Where there
    are no others, they are what is said: the new barn is not the old one.
    """
    return frozenset(word for word in said if not is_filler(word)) or said
