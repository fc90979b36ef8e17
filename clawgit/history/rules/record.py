"""What is kept of forgotten words: keyed hashes, by which a text that holds them is known.

Each forgetting has a key of its own, which is stored beside its hashes. So no table that was made
for other repositories helps to guess the words, and equal words have other hashes elsewhere.
Whoever has the record can still try a guess; it shows no more than whether a guess was right.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from clawgit.core import NamedTuple
from clawgit.core.doors import hashlib, json
from clawgit.history.rules.needle import Needle, spans_of, without, words_of

KEY_BYTES = 32
_DIGEST_BYTES = 16
_VERSION = 1


Hashed = tuple[int, str]
"""Of how many words, and their keyed hash."""


class Forgetting(NamedTuple):
    """One act of the operator.

    `first` are the oldest rewritten commits: a history with one of them still holds the words. None
    if history was not rewritten.
    """

    id: str
    time: str
    key: str
    hashes: tuple[Hashed, ...]
    first: tuple[str, ...] = ()


class Forgotten(tuple[Forgetting, ...]):
    """All that was forgotten in a workspace, the oldest first."""

    __slots__ = ()

    def holds(self, text: str) -> bool:
        """Whether a text has forgotten words."""
        return any(True for _ in self._spans(text))

    def is_back(self, before: str, after: str) -> bool:
        """Whether the lines that a file gains have words that were forgotten."""
        if not self:
            return False
        old = {*before.splitlines()}
        return self.holds("\n".join(line for line in after.splitlines() if line not in old))

    def without(self, text: str) -> str:
        """A text with forgotten words taken out."""
        return without(text, self._spans(text))

    def needles_in(self, text: str) -> frozenset[Needle]:
        """The forgotten words themselves, where a text has them."""
        return frozenset(Needle(tuple(words_of(text[a:b]))) for a, b in self._spans(text))

    def united(self, other: "Forgotten") -> "Forgotten":
        """The two records as one. An act that both have gets what either says about its history."""
        acts = {act.id: act for act in self}
        for act in other:
            known = acts.get(act.id, act)
            acts[act.id] = known._replace(first=tuple(sorted({*known.first, *act.first})))
        return Forgotten(tuple(sorted(acts.values(), key=lambda act: (act.time, act.id))))

    def _spans(self, text: str) -> Iterator[tuple[int, int]]:
        if not self:
            return
        places = [match.span() for match in spans_of(text)]
        words = [" ".join(words_of(text[start:end])) for start, end in places]
        for act in self:
            for first, last in _runs(act, words):
                yield places[first][0], places[last][1]


def _runs(act: Forgetting, words: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Which words in a row are forgotten ones: the first and the last of each."""
    key, digests = bytes.fromhex(act.key), {digest for _, digest in act.hashes}
    for length in sorted({length for length, _ in act.hashes}):
        for at in range(len(words) - length + 1):
            if _digest(key, words[at : at + length]) in digests:
                yield at, at + length - 1


def hashed(key: bytes, needles: Iterable[Needle]) -> tuple[Hashed, ...]:
    return tuple(sorted((len(needle), _digest(key, needle)) for needle in {*needles}))


def written(forgotten: Forgotten) -> bytes:
    rows = [act._asdict() for act in forgotten]
    return (json.dumps({"version": _VERSION, "forgotten": rows}, indent=1) + "\n").encode()


def read(data: bytes) -> Forgotten:
    """Reads a record; ValueError if it is not one of this version."""
    try:
        kept = json.loads(data)
        if kept["version"] != _VERSION:
            raise ValueError(f"a record of version {kept['version']}")
        return Forgotten(tuple(map(_act, kept["forgotten"])))
    except (KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ValueError("no record of what was forgotten") from error


def _act(row: Mapping[str, Any]) -> Forgetting:
    return Forgetting(
        id=str(row["id"]),
        time=str(row["time"]),
        key=bytes.fromhex(row["key"]).hex(),
        hashes=tuple((int(length), str(digest)) for length, digest in row["hashes"]),
        first=tuple(map(str, row["first"])),
    )


def _digest(key: bytes, words: Iterable[str]) -> str:
    joined = " ".join(words).encode("utf-8", "surrogatepass")
    return hashlib.blake2b(joined, key=key, digest_size=_DIGEST_BYTES).hexdigest()
