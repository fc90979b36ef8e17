"""What an index of memory points at: MEMORY.md may hold links to the notes that hold the facts."""

import re
from collections.abc import Collection, Iterable, Mapping

from clawgit.domain.workspace.seen import folder_of, is_markdown, name_of
from clawgit.language.lazily import lazily

_POINTER = lazily(
    r"\[\[(?P<wiki>[^\[\]|#\n]+)[^\[\]\n]*\]\]"
    r"|\]\((?:<(?P<angled>[^>\n]+)>|(?P<link>[^()\s]+))[^()\n]*\)"
    r"|(?:→|⇒|->|=>)[ \t]*`?(?P<arrow>[^\s`,;()\[\]|→⇒]+)"
    r"|`(?P<code>[^`\n]+\.md)`",
    re.IGNORECASE,
)
"""A wiki link, a Markdown link, a path after an arrow, or the path of a note as code."""

_MOST = 2000
"""At most this many pointers of one index are read."""

_LONGEST = 200


def pointers(text: str) -> tuple[str, ...]:
    """The targets of an index as they are written, each once; without web addresses."""
    targets: dict[str, None] = {}
    for match in _POINTER.finditer(text):
        target = _target(next(filter(None, match.groups()), ""))
        if target:
            targets[target] = None
        if len(targets) == _MOST:
            break
    return tuple(targets)


def candidates(index: str, text: str) -> frozenset[str]:
    """The paths of notes that an index may name, whether or not there are such files."""
    folder = folder_of(index)
    paths = (path for target in pointers(text) for path in _candidates(folder, target))
    return frozenset(path if is_markdown(path) else f"{path}.md" for path in paths)


def pointed(index: str, text: str, files: Collection[str]) -> frozenset[str]:
    """Those of the Markdown files that an index points at, one by one or by their folder.

    A name alone may be that of a file in any folder, as in a vault.
    """
    # Many disks ignore letter case, and so do people.
    targets = {target.lower() for target in pointers(text)}
    if not targets:
        return frozenset()
    by_path = {path.lower(): path for path in files if is_markdown(path)}
    # Only the names that are looked for: there may be a hundred thousand others.
    names = targets | {f"{target}.md" for target in targets}
    named = [path for path in by_path if name_of(path) in names]
    # Filled from the deepest folder up: of several files with one name the uppermost is meant.
    by_name: dict[str, str] = {}
    for path in sorted(named, key=lambda path: (path.count("/"), path), reverse=True):
        by_name[name_of(path)] = path
    linked: set[str] = set()
    for target in targets:
        linked |= {by_path[path] for path in _meant(index, target, by_path, by_name)}
    return frozenset(linked - {index})


def _meant(
    index: str, target: str, by_path: Collection[str], by_name: Mapping[str, str]
) -> Iterable[str]:
    """The files that a target names: from the folder of its index, from the top, or by name."""
    names = _candidates(folder_of(index).lower(), target.rstrip("/"))
    for name in names:
        for path in (name, f"{name}.md"):
            if path in by_path:
                return (path,)
    if target.endswith("/"):
        return _below(names, by_path)
    known = by_name.get(target) or by_name.get(f"{target}.md")
    return (known,) if known else ()


def _below(folders: Iterable[str], paths: Iterable[str]) -> list[str]:
    inside = tuple(f"{folder}/" for folder in folders)
    return [path for path in paths if path.startswith(inside)]


def _candidates(folder: str, target: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys((f"{folder}/{target}".lstrip("/"), target, f"memory/{target}")))


def _target(written: str) -> str:
    """A path inside of the workspace, "" for anything else."""
    path = written.strip().partition("#")[0].replace("%20", " ").replace("\\", "/")
    if not path or "://" in path or path.startswith(("/", "~", "mailto:")) or len(path) > _LONGEST:
        return ""
    parts = [part for part in path.split("/") if part != "."]
    if ".." in parts:
        return ""
    return "/".join(parts).rstrip(".:")
