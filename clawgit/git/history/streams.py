"""What commits brought in and took away, and where words are: read by C git, line by line."""

import codecs
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, product

from clawgit.core import NamedTuple
from clawgit.core.layout import EVERYTHING, Scope
from clawgit.core.markdown.decoding import text_of
from clawgit.git.cgit import CGit, listed
from clawgit.git.rules.lines import normal
from clawgit.language.lazily import lazily

MESSAGE = ""
"""The path that stands for a commit's message."""

_CHUNK = 1 << 18
"""A file is read in parts of about this many bytes, so that a large one does not fill memory."""

_MARKDOWN = ":(icase)*.md"
_AS_PUSHED = ("-c", "core.quotePath=false", "-c", "diff.suppressBlankEmpty=false", "log")
_SHAPE = (
    *("--format=commit %H%n%w(0,1,1)%B", "--encoding=UTF-8", "--no-notes", "--no-decorate"),
    *("--patch", "--text", "--unified=0", "--inter-hunk-context=0", "--no-renames"),
    *("--no-color", "--no-relative", "-O/dev/null", "--src-prefix=a/", "--dst-prefix=b/"),
    *("--submodule=short", "--ignore-submodules=all", "--root"),
)
"""A patch looks the same, whatever the user has configured."""

_HUNK = lazily(rb"(@@+) .*?\+(\d+)(?:,\d+)? @@")
_GAP = "([[:space:]]*<!--[^>]*>|[[:space:]]+#[^[:space:]]+)*[[:space:]]+"


class Added(NamedTuple):
    """Some lines that a commit added to a file, with their numbers, or its message.

    A large file comes in several parts.
    """

    commit: str
    path: str
    text: str
    lines: tuple[int, ...]


class Removed(NamedTuple):
    """Lines in a row of a file that a commit took away."""

    oid: str
    path: str
    lines: tuple[str, ...]


class GrepHit(NamedTuple):
    """A line of a file, counted from 0."""

    path: str
    at: int


def added(git: CGit, revisions: Iterable[str], scope: Scope = EVERYTHING) -> Iterator[Added]:
    """Everything that the commits of a revision range brought in, parents first.

    Each commit begins with its message. Read from the object store, so no replacement, attribute or
    filter hides a line. For a merge, the lines that no parent has. With a scope, only commits that
    touch it, and all merges.
    """
    narrowed = (
        () if scope == EVERYTHING else ("--full-history", "--parents", "--", *scope.pathspecs)
    )
    order = ("--reverse", "--topo-order", "--cc", "--stdin")
    asked = git.start(*_AS_PUSHED, *_SHAPE, *order, *narrowed, stdin=listed(revisions))
    rows = (row for row in _rows(asked.lines()) if b"-" not in row[1] and b" " not in row[1])
    for (commit, path), group in groupby(rows, lambda row: (row[0].commit, row[0].path)):
        # Git's pathspecs match more than the scope.
        if path == MESSAGE or scope.covers(path):
            yield from _parts(commit, path, group)


def _parts(commit: str, path: str, rows: "Iterable[_Row]") -> Iterator[Added]:
    texts, numbers, size = list[bytes](), list[int](), 0
    for place, _, text in rows:
        size += len(text)
        texts.append(text)
        numbers.append(place.number)
        if size > _CHUNK:
            yield Added(commit, path, text_of(b"".join(texts)), tuple(numbers))
            texts, numbers, size = [], [], 0
    if texts:
        yield Added(commit, path, text_of(b"".join(texts)), tuple(numbers))


def removed_lines(git: CGit, head: str, *, pattern: str) -> Iterator[Removed]:
    """What each commit that a commit reaches took away, newest first, but for merges.

    `pattern` is an extended regular expression that a changed line matches; ASCII letters match in
    either case. Slow: it reads history back to the last lines that are taken.
    """
    wanted = ("-i", "-E", f"-G{pattern}")
    lines = git.start(*_AS_PUSHED, *_SHAPE, *wanted, head, "--", _MARKDOWN).lines()
    rows = (row for row in _rows(lines) if row[1] == b"-")
    for place, group in groupby(rows, lambda row: row[0]._replace(number=0)):
        texts = (normal(text).removesuffix("\n") for _, _, text in group)
        yield Removed(place.commit, place.before, tuple(texts))


class _Place(NamedTuple):
    """Where a line of git's output is. `signs` stand before a line of a hunk, one for each parent;
    0 outside of a hunk, where a message is indented by one.
    """

    commit: str = ""
    path: str = MESSAGE
    before: str = MESSAGE
    hunk: int = 0
    number: int = 1
    signs: int = 0
    in_patch: bool = False


_Row = tuple[_Place, bytes, bytes]
"""A line: where it is, its signs, and its text."""


def _rows(lines: Iterable[bytes]) -> Iterator[_Row]:
    """Each line of a message, and each of a hunk.

    In a hunk every line begins with a sign, so no text of a file can look like a header.
    """
    place = _Place()
    for line in lines:
        is_text = line[:1] in b"+- \\" if place.signs else line[:1] == b" " and not place.in_patch
        if not is_text:
            place = _after_header(place, line)
            continue
        signs = line[: place.signs]
        # Git's remark that the last line has no end.
        if b"\\" in signs:
            continue
        yield place, signs, line[place.signs or 1 :]
        # A line that a side lacks has no number.
        place = place if b"-" in signs else place._replace(number=place.number + 1)


def _after_header(place: _Place, line: bytes) -> _Place:
    if line.startswith(b"commit "):
        return _Place(line.split()[1].decode())
    if line.startswith(b"diff "):
        return place._replace(number=1, signs=0, in_patch=True)
    if hunk := _HUNK.match(line):
        at = place.hunk + 1
        return place._replace(number=int(hunk[2]), signs=len(hunk[1]) - 1, hunk=at)
    if place.signs:
        return place
    if line.startswith(b"--- "):
        return place._replace(before=_name(line))
    return place._replace(path=_name(line)) if line.startswith(b"+++ ") else place


def _name(line: bytes) -> str:
    """The name after `---` or `+++`; where there is no file, /dev/null."""
    name = line[4:].rstrip(b"\t\n")
    if name.startswith(b'"') and name.endswith(b'"'):
        name, _ = codecs.escape_decode(name[1:-1])
    return os.fsdecode(name[2:] if name[1:2] == b"/" else name)


def pattern_of(words: str) -> str:
    """An extended regular expression for words on one line, with any spaces, tags or comments
    between them.
    """
    return _GAP.join("".join(map(_sign, word)) for word in words.split())


def _sign(sign: str) -> str:
    # Git compares bytes: beyond ASCII, it cannot match small letters with capitals.
    if not sign.isascii():
        cases = sorted({sign, sign.lower(), sign.upper()})
        return f"({'|'.join(cases)})" if len(cases) > 1 else sign
    if sign.isalnum() or sign in "_-":
        return sign
    return f"\\{sign}" if sign in "^\\[" else f"[{sign}]"


def grep(git: CGit, *texts: str, rev: str | None = None, as_pattern: bool = False) -> list[GrepHit]:
    """The lines that hold one of the texts, on disk (new files too) or in a commit.

    As a pattern it is an extended regular expression, and ASCII letters match in either case.
    """
    where = ("--untracked",) if rev is None else (rev,)
    kind = ("-E", "-i") if as_pattern else ("-F",)
    options = ("-z", "-n", *kind, "-a", "--no-column", "--no-color", "--full-name")
    wanted = [part for text in texts for part in ("-e", text)]
    output = git.run("grep", *options, *wanted, *where, "--", _MARKDOWN, ok=(0, 1))
    hits = [line.split(b"\0", 2) for line in output.splitlines() if line.count(b"\0") > 1]
    prefix = f"{rev}:" if rev else ""
    return [
        GrepHit(os.fsdecode(path).removeprefix(prefix), int(number) - 1) for path, number, _ in hits
    ]


class Dropped(NamedTuple):
    """What a merge left out.

    `before` is the blob or tree of that parent, `after` the merge's; "" if there is none.
    """

    commit: str
    parent: str
    path: str
    before: str
    after: str


def dropped_by_merges(git: CGit, paths: Sequence[str], *which: str) -> Iterator[Dropped]:
    """What merges among some commits left out of files or folders, newest first.

    Git does not list such a file with the merge, since it is the same as in a parent: `git merge -s
    ours` can take back anything, and no commit shows it.
    """
    listed = git.text("rev-list", "--merges", "--parents", *which, "--").splitlines()
    merges = [line.split() for line in listed]
    known = _objects(git, {commit for merge in merges for commit in merge}, paths)
    for (commit, *parents), path in product(merges, paths):
        held = {parent: known[parent, path] for parent in parents}
        for parent in _left_out(git, path, known[commit, path], held):
            yield Dropped(commit, parent, path, held[parent], known[commit, path])


def _left_out(git: CGit, path: str, after: str, held: Mapping[str, str]) -> Iterator[str]:
    """The sides whose change is not in a merge; `held` is what each side has."""
    taken = [parent for parent, before in held.items() if before == after]
    # If the merge is like no side, git lists the file with it.
    others = [parent for parent, before in held.items() if taken and before != after]
    for parent in others:
        if _changed(git, parent, taken[0], path, held[parent]):
            yield parent


def _changed(git: CGit, parent: str, taken: str, path: str, before: str) -> bool:
    """Whether a side has changed a file since it left the other one."""
    bases = git.text("merge-base", "--all", parent, taken, ok=(0, 1)).split()
    known = _objects(git, set(bases), (path,))
    return all(known[base, path] != before for base in bases)


def _objects(git: CGit, commits: set[str], paths: Sequence[str]) -> dict[tuple[str, str], str]:
    """The object with a name in each commit; "" if there is none. Only its name is read: of a
    thousand merges, there are thousands.
    """
    named = [*product(sorted(commits), paths)]
    if not named:
        return {}
    asked = listed(f"{commit}:{path}" for commit, path in named)
    lines = git.text("cat-file", "--batch-check=%(objectname)", stdin=asked).splitlines()
    # For what does not exist, git says the name and "missing".
    found = ("" if line.endswith(" missing") else line for line in lines)
    return dict(zip(named, found, strict=True))
