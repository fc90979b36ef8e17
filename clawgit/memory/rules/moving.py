"""How lines leave a file for another one: promoted, tidied away, expired, compacted. Both files are
proven before either changes.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import attrgetter

from clawgit.core import NamedTuple
from clawgit.core.markdown import frames
from clawgit.core.markdown.entry import append_entry
from clawgit.core.markdown.scan import Block, scan, takes_more


class Leaving(NamedTuple):
    """What begins on a line of one file and goes `to` another one, under a heading; None: at its
    end. `item` is the entry that it is there, "" if that holds it already; `title` is the title of
    the file if it is new.
    """

    line: int
    to: str
    title: str
    heading: str | None
    item: str


class Moving:
    """Files between which lines move: `texts` are those that changed.

    Lines are named by their numbers in the file as it was, however many have left it since; so a
    file that has taken lines gives none.
    """

    def __init__(self, files: Mapping[str, str]) -> None:
        self._files = files
        self.texts: dict[str, str] = {}
        self._left: defaultdict[str, set[int]] = defaultdict(set)
        self._took = set[str]()

    def move(self, path: str, leaving: Sequence[Leaving]) -> bool:
        """Moves lines out of a file, all or none: none if anything else in one of the files would
        then be read differently.
        """
        if path in self._took:
            return False
        lines = self._left[path].union(each.line for each in leaving)
        left, grown = cut_out(self._files[path], lines), self.grown(leaving)
        if left is None or grown is None:
            return False
        self._left[path] = lines
        self._took.update(grown)
        self.texts |= {**grown, path: left}
        return True

    def move_most(self, path: str, leaving: Sequence[Leaving]) -> list[Leaving]:
        """Moves what `move` can move of it; returns that. One line that must stay, such as one
        between two quotes, keeps no other.
        """
        if self.move(path, leaving):
            return [*leaving]
        half = len(leaving) // 2
        parts = (leaving[:half], leaving[half:]) if half else ()
        return [each for part in parts for each in self.move_most(path, part)]

    def grown(self, leaving: Iterable[Leaving]) -> dict[str, str] | None:
        """The files that lines go to, with them; None if one cannot hold them as entries."""
        grown: dict[str, str] = {}
        for path, group in groupby(sorted(leaving, key=attrgetter("to")), attrgetter("to")):
            own = [*group]
            text = self.texts.get(path) or self._files.get(path)
            text = text or frames.TITLE.format(title=own[0].title)
            items = [each for each in own if each.item]
            grown[path] = _with_items(text, items)
            if not _holds(grown[path], text, items):
                return None
        return grown


def _holds(text: str, before: str, items: Iterable[Leaving]) -> bool:
    """Whether a file is read as what was in it before and these items."""
    new = (Block("item", each.line, each.item) for each in items)
    wanted = Counter(telling([*scan(before), *new]))
    return takes_more(before) and wanted <= Counter(telling(scan(text)))


def _with_items(text: str, leaving: Iterable[Leaving]) -> str:
    for heading, run in groupby(leaving, attrgetter("heading")):
        text = append_entry(text, heading, "\n".join(each.item for each in run))
    return text


def cut_out(text: str, lines: Collection[int]) -> str | None:
    """A text without the blocks that begin on these lines, and without headings that this empties,
    but for the first. None if the blocks around the cut would then be read differently.
    """
    blocks = scan(text)
    gone = {at for at, block in enumerate(blocks) if block.line in lines}
    if len(gone) < len({*lines}):
        return None  # what was judged there is a part of something else
    gone.update([*_emptied(blocks, gone)])
    kept = [block for at, block in enumerate(blocks) if at not in gone]
    left = "".join(_spaced(blocks, gone))
    # The proof: what is left is read as exactly the blocks that were to stay.
    return left if telling(scan(left)) == telling(kept) else None


def _emptied(blocks: Sequence[Block], gone: set[int]) -> Iterator[int]:
    """The headings below which something went and nothing is left, except the first heading."""
    headings = [at for at, block in enumerate(blocks) if block.level]
    for heading in headings[1:]:
        below = _below(blocks, heading)
        left = (blocks[at] for at in below if at not in gone)
        something_went = not gone.isdisjoint(below)
        if something_went and not any(map(_says_something, left)):
            yield heading


def _below(blocks: Sequence[Block], heading: int) -> range:
    """The blocks under a heading, down to the next heading of its level."""
    after = range(heading + 1, len(blocks))
    end = next((at for at in after if 0 < blocks[at].level <= blocks[heading].level), len(blocks))
    return range(heading + 1, end)


def _says_something(block: Block) -> bool:
    return not block.level and block.kind != "blank"


def _spaced(blocks: Sequence[Block], gone: Collection[int]) -> Iterator[str]:
    """The text that is left. Of the blank lines around a cut, those before it stay."""
    waiting, is_cut = "", False
    for at, block in enumerate(blocks):
        if at in gone:
            is_cut = True
        elif block.kind != "blank":
            yield waiting + block.text
            waiting, is_cut = "", False
        elif not is_cut or not waiting:
            waiting += block.text
    # At the end, blank lines stay unless the cut left them there.
    ends_blank = bool(blocks) and blocks[-1].kind == "blank"
    if ends_blank or not is_cut:
        yield waiting


def telling(blocks: Iterable[Block]) -> list[tuple[str, str]]:
    """What blocks say, whatever the ends of their lines, without the blank ones."""
    return [
        (block.kind, block.text.replace("\r\n", "\n").rstrip("\n"))
        for block in blocks
        if block.kind != "blank"
    ]
