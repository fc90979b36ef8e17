"""Checks of the files: what clawgit cannot read, OpenClaw would refuse, or git would lose."""

import os
import shlex
import stat
from functools import partial
from typing import NamedTuple

from clawgit.domain.change.actors import CLAWGIT
from clawgit.domain.change.history import Intent
from clawgit.domain.markdown.validate import with_own_ids
from clawgit.ops.health.finding import Finding, Mend, Site, several
from clawgit.ops.health.sizes import injected_by, oversize
from clawgit.stores.git.exclude import PASSING, hide_passing
from clawgit.stores.git.transaction import Outcome
from clawgit.stores.git.ways import folders_on_the_way
from clawgit.stores.hardlinks import leads_outside

_IGNORED = {
    "*.tmp": "a.tmp",
    "*.lock": "a.lock",
    ".openclaw/": ".openclaw/a",
    "memory/.dreams/": "memory/.dreams/a",
}
"""What .gitignore must contain, and a path that shows whether it does."""

_NEVER_IGNORED = (
    "SOUL.md",
    "IDENTITY.md",
    "USER.md",
    "AGENTS.md",
    "TOOLS.md",
    "MEMORY.md",
    "memory/2026-01-01.md",
)


def look_at_entries(site: Site) -> Finding:
    """Entries with errors, files that are not UTF-8, in which no entry can be read, and files with
    zero bytes, which no search reads.
    """
    faults, fix, doubled = [], "", dict[str, int]()
    reading = site.reading
    for path in sorted({*reading.not_text, *reading.zeros, *reading.problems}):
        if path in reading.zeros:
            faults.append(
                f"{path} is not searched: it has a zero byte (byte {reading.zeros[path]})"
            )
            fix = fix or f"Remove it: {_without_zeros(path)}"
            continue
        if path in reading.not_text:
            faults.append(f"{path} is not UTF-8 (byte {reading.not_text[path]})")
            # One next step is enough, that of the first fault; the next check names the next one.
            fix = fix or f"Convert it: iconv -f LATIN1 -t UTF-8 '{path}'"
            continue
        for problem in reading.problems[path]:
            faults.append(f"{path}:{problem.line}: {problem.message}")
            fix = fix or problem.hint
            doubled[path] = doubled.get(path, 0) + problem.doubled
    # Only duplicate ids are repaired without asking: for any other fault somebody must know what
    # was meant.
    mends = tuple(
        Mend(f"give each entry of {path} an id of its own", partial(_give_ids, site, path))
        for path, count in doubled.items()
        if count
    )
    return Finding(not faults, several(faults) or "every entry can be read", fix, mends)


def _without_zeros(path: str) -> str:
    file, new = shlex.quote(path), shlex.quote(f"{path}.new")
    return rf"tr -d '\0' < {file} > {new} && mv {new} {file}"


def _give_ids(site: Site, path: str) -> Outcome:
    intent = Intent(
        CLAWGIT, "doctor", f"give each entry of {path} an id of its own", "Some had the same."
    )
    with site.workspace.git.transaction(intent, site.workspace.now) as tx:
        tx.put(path, with_own_ids(tx.read_text(path) or ""))
    return tx.outcome


def look_at_sizes(site: Site) -> Finding:
    is_injected = injected_by(site.workspace.layout, site.scope)
    over = oversize(site.root, site.markdown, is_injected)
    if not over:
        return Finding(True, "no file is too large")
    return Finding(False, several([file.what for file in over]), over[0].fix)


def look_at_links(site: Site) -> Finding:
    """OpenClaw refuses symlinks and hard links, and a write by clawgit would break a hard link.

    Other agents follow a symlink: their CLAUDE.md and AGENTS.md are often one file.
    """
    links, fix = [], ""
    for path, status in site.on_disk.items():
        if stat.S_ISLNK(status.st_mode):
            if site.workspace.layout.name != "openclaw" and _is_second_name(site, path):
                continue
            links.append(f"{path} is a symlink")
        elif stat.S_ISREG(status.st_mode) and status.st_nlink > 1:
            outside = ", one of them outside of here" if leads_outside(site.root, status) else ""
            links.append(f"{path} is a hard link ({status.st_nlink} names{outside})")
        else:
            continue
        fix = (
            fix
            or f"Make it a file of its own: cp '{path}' '{path}.new' && mv '{path}.new' '{path}'"
        )
    return Finding(not links, several(links) or "no symlinks, no hard links", fix)


def _is_second_name(site: Site, path: str) -> bool:
    """Whether a symlink leads to a file that is itself in the scope."""
    target = (site.root / path).resolve()
    return any(target == site.root / other for other in site.on_disk if other != path)


def look_at_rights(site: Site) -> Finding:
    locked = [
        path
        for path, status in site.on_disk.items()
        if stat.S_ISREG(status.st_mode) and not status.st_mode & 0o200
    ]
    if not locked:
        return Finding(True, "every file can be written")
    return Finding(
        False, f"read-only: {several(locked)}", f"chmod u+w '{locked[0]}' if clawgit may change it."
    )


def look_at_conflict_markers(site: Site) -> Finding:
    marked = site.reading.in_conflict
    if not marked:
        return Finding(True, "no conflict markers")
    fix = f"Open {marked[0]}, keep what is right of both sides, and delete the markers."
    return Finding(False, f"conflict markers in {several(marked)}", fix)


def look_at_ignored(site: Site) -> Finding:
    """Machine state must be ignored and memory must not: an ignored file is never committed."""
    hidden = _ignored(site, tuple(filter(site.scope.covers, _NEVER_IGNORED)))
    if hidden:
        rule = ignore_rule(site, hidden[0])
        return Finding(
            rule.is_history,
            f"git ignores {several(hidden)} ({rule.text}), so they are never committed",
            "Remove that line if they should be committed.",
        )
    seen = _ignored(site, tuple(_IGNORED.values()))
    missing = [pattern for pattern, example in _IGNORED.items() if example not in seen]
    if not site.scope.covers(".gitignore"):
        missing = [
            pattern for pattern in missing if pattern in PASSING
        ]  # files outside the scope need not be ignored
    if not missing:
        return Finding(True, "machine state is ignored, memory is not")
    if not site.scope.covers(".gitignore"):
        mend = Mend(
            f"add {' '.join(missing)} to .git/info/exclude", partial(hide_passing, site.place)
        )
        fix = "`clawgit doctor --fix` adds them to .git/info/exclude."
        return Finding(False, f"not ignored: {' '.join(missing)}", fix, (mend,))
    mend = Mend(f"add {' '.join(missing)} to .gitignore", partial(_ignore, site, missing))
    return Finding(
        False,
        f"not ignored: {' '.join(missing)}",
        "`clawgit doctor --fix` adds them to .gitignore.",
        (mend,),
    )


class IgnoreRule(NamedTuple):
    """A line that hides files from git, as FILE:LINE:PATTERN.

    `is_history`: it is in the newest commit, so somebody decided this.
    """

    text: str
    is_history: bool


def ignore_rule(site: Site, path: str) -> IgnoreRule:
    """The rule by which git ignores a path."""
    text = site.git.text("check-ignore", "-v", "--no-index", "--", path, ok=(0, 1))
    rule = text.partition("\t")[0]
    file = rule.rsplit(":", 2)[0] if rule.count(":") > 1 else ""
    is_history = (
        file in site.tracked
        and site.git.call("diff-index", "--quiet", "HEAD", "--", file, ok=(0, 1, 128))[0] == 0
    )
    return IgnoreRule(rule, is_history)


def _ignored(site: Site, paths: tuple[str, ...]) -> list[str]:
    # Git gives up at a path behind a link, and such a path is never committed.
    asked = [
        path for path in paths if not any(map(os.path.islink, folders_on_the_way(site.root, path)))
    ]
    if not asked:
        return []
    return site.git.text("check-ignore", "--no-index", *asked, ok=(0, 1)).splitlines()


def _ignore(site: Site, patterns: list[str]) -> Outcome:
    reason = "Machine state of OpenClaw and of editors is not memory."
    intent = Intent(CLAWGIT, "doctor", f"ignore {' '.join(patterns)}", reason)
    with site.workspace.git.transaction(intent, site.workspace.now) as tx:
        text = tx.read_text(".gitignore") or ""
        gap = "" if not text or text.endswith("\n") else "\n"
        tx.put(".gitignore", text + gap + "".join(f"{pattern}\n" for pattern in patterns))
    return tx.outcome


def look_at_bootstrap(site: Site) -> Finding:
    """OpenClaw's bootstrap ritual should run once.

    If BOOTSTRAP.md comes back, OpenClaw repeats it.
    """
    # Git searches the whole history for this, so it is asked only if the file exists.
    if not (site.root / "BOOTSTRAP.md").exists():
        return Finding(True, "there is none")
    deleted = site.git.text(
        "log", "-1", "--diff-filter=D", "--format=%h of %cs", "--", "BOOTSTRAP.md", ok=_NO_COMMIT
    )
    if not deleted:
        return Finding(True, "BOOTSTRAP.md waits for the agent's first conversation")
    return Finding(
        True,
        f"BOOTSTRAP.md is back, though commit {deleted.strip()} ended the ritual",
        "Unless you mean to repeat it: `clawgit snapshot` keeps its text, then `git rm "
        "BOOTSTRAP.md`.",
    )


_NO_COMMIT = (0, 128)
