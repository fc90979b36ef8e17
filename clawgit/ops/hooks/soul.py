"""The files whose loss or misuse is worst, at a commit: the soul, the settings, the operator's
corrections.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from clawgit.config.guards import overstepped
from clawgit.config.load import load
from clawgit.domain.change.actors import AGENT, Actor
from clawgit.domain.change.authority import LOCKED, strictest
from clawgit.domain.corrections.corrections import Correction, corrections
from clawgit.domain.model.tokens import estimate_tokens
from clawgit.domain.safety.masks import head
from clawgit.domain.soul.guard import Protected, SoulEdit, SoulRules, judge
from clawgit.ops.hooks.finding import (
    CONFIG_RULE,
    CORRECTIONS,
    CORRECTIONS_RULE,
    SOUL,
    Asker,
    HookFinding,
    config_here,
)
from clawgit.ops.workspace.kept_config import kept_config
from clawgit.stores.git.gitdir import find_repo
from clawgit.stores.git.staged import merge_heads, output, texts

_ARCHIVE = "Archive/Corrections"
_PLAIN_ITEM = re.compile(r"(?:- [^<`\[\]]*)?")
_EXCERPT = 60
_AT_A_TERMINAL = "Whoever is the operator commits at a terminal."


def soul_findings(
    asker: Asker, path: str, before: str | None, after: str | None
) -> Iterator[HookFinding]:
    """What the guard of the soul has against an edit. The operator is only warned; the birth of a
    soul is no edit.
    """
    if before is None:
        return
    settings, known, archive = texts(
        [f"HEAD:{name}" for name in (config_here(), CORRECTIONS, _ARCHIVE)], asker.env
    )
    edit = SoulEdit(path, before, after, asker.operator and not _signs(asker))
    if (corrections(known) or archive) and not _only_adds(before, after or ""):
        edit = _with_origins(asker, edit, known)
    verdict = judge(edit, _rules(asker, settings))
    for one in verdict.refusals:
        yield HookFinding(path, one.line, SOUL, one.message, f"{one.hint} {_AT_A_TERMINAL}")
    for one in verdict.warnings:
        hint = (
            f"Propose it instead: clawgit soul propose. {_AT_A_TERMINAL}"
            if verdict.hold
            else one.hint
        )
        yield HookFinding(path, one.line, SOUL, one.message, hint, refused=verdict.hold)


def _signs(asker: Asker) -> bool:
    """Whether this machine's operator proves it by a key: then the terminal at which git was called
    proves nothing.
    """
    from clawgit.stores.operator_key import operator_key  # noqa: PLC0415 - subprocess and tempfile, 12 ms

    return operator_key(asker.env, Path.home()) is not None


def _only_adds(before: str, after: str) -> bool:
    """Whether every line stays in its place and what is new are plain items: then no principle can
    be weaker, and nobody need be asked where each line came from.
    """
    rest = iter(after.split("\n"))
    for line in before.rstrip("\n").split("\n"):
        for other in rest:
            if other == line:
                break
            if not _PLAIN_ITEM.fullmatch(other):
                return False
        else:
            return False
    return all(_PLAIN_ITEM.fullmatch(line) for line in rest)


def config_findings(
    asker: Asker, _path: str, before: str | None, after: str | None
) -> Iterator[HookFinding]:
    """What becomes wrong in CONFIG.md, and what an agent would set that is the operator's."""
    old, new = load(before or ""), load(after or "")
    known = {(problem.key, problem.message) for problem in old.problems}
    for problem in new.problems:
        if (problem.key, problem.message) not in known:
            hint = problem.hint or "`clawgit config` shows every key with its value."
            yield HookFinding(config_here(), problem.line, "config", problem.message, hint)
    if asker.operator:
        return
    for name in overstepped(old.settings, new.settings):
        hint = f"The operator runs this at a terminal: clawgit config set {name} …"
        yield HookFinding(config_here(), 0, "config", f"only the operator may change {name}", hint)


def lost_corrections(
    asker: Asker, _path: str, before: str | None, after: str | None
) -> Iterator[HookFinding]:
    """The corrections that neither CORRECTIONS.md nor the archive would hold any more, or not in
    full.
    """
    was = {one.id: one for text in (before or "", *_merged(asker)) for one in corrections(text)}
    now = {one.id: one for one in corrections(after or "")}
    gone = was.keys() - now.keys()
    archived = {one.id for text in _archive(asker) for one in corrections(text)} if gone else set()
    for one in was.values():
        if one.id not in now and one.id not in archived:
            hint = (
                "Put it back, or move it into a file under Archive/Corrections/ in this same "
                "commit."
            )
            yield HookFinding(
                CORRECTIONS, 0, "corrections", f"correction {one.id} is lost: {_excerpt(one)}", hint
            )
        elif one.id in now and one.correct and not now[one.id].correct:
            message = f"correction {one.id} does not say any more what is right"
            yield HookFinding(
                CORRECTIONS, now[one.id].line, "corrections", message, f"It said: {_excerpt(one)}"
            )


def _with_origins(asker: Asker, edit: SoulEdit, known: str) -> SoulEdit:
    """With the lines that corrections brought, as HEAD has both: what the commit itself says of
    them proves nothing.
    """
    from clawgit.ops.soul.history import protected_lines, soul_history  # noqa: PLC0415 - SQLite, 12 ms

    with soul_history(asker.workspace(), edit.path) as history:
        protected = tuple(
            Protected(one.line, one.correction, one.time) for one in protected_lines(history)
        )
    return edit._replace(protected=protected, corrections=corrections(known))


def _rules(asker: Asker, committed: str) -> SoulRules:
    """As `soul_rules` has them."""
    loaded = kept_config(
        find_repo(Path.cwd()), _Hooked(asker.env, datetime.now().astimezone(), Path.home())
    )
    settings, unread = (
        loaded.settings,
        any(one.key in ("", "soul_policy") for one in loaded.problems),
    )
    policies = [settings.soul_policy]
    if committed != _on_disk(config_here()):
        policies.append(load(committed).settings.soul_policy)
    return SoulRules(
        tokens=estimate_tokens,
        policy=LOCKED if unread else strictest(*policies),
        max_tokens=settings.soul_max_tokens,
        max_change=settings.soul_max_change,
    )


class _Hooked(NamedTuple):
    """Who asks for the settings in a hook. A terminal of the operator's does not bring his
    environment into force.
    """

    env: Mapping[str, str]
    now: datetime
    home: Path
    actor: Actor = AGENT


def _archive(asker: Asker) -> list[str]:
    """The archived corrections as they are staged."""
    listed = output(("git", "ls-files", "-s", "-z", "--", _ARCHIVE), asker.env)
    return texts(
        [record.split(b" ")[1].decode() for record in listed.split(b"\0") if record], asker.env
    )


def _merged(asker: Asker) -> list[str]:
    """CORRECTIONS.md as each branch has it that is being merged."""
    return texts([f"{oid}:{CORRECTIONS}" for oid in merge_heads(asker.env)], asker.env)


def _on_disk(name: str) -> str:
    """A hook stands at the top of the work tree."""
    try:
        with open(name, "rb") as file:  # noqa: PTH123 - pathlib takes 5 ms to load
            return file.read().decode("utf-8", "surrogateescape")
    except OSError:
        return ""


def _excerpt(correction: Correction) -> str:
    return f"“{head(' '.join((correction.correct or correction.said).split()), _EXCERPT)}”"


QUESTIONS: Mapping[str, Callable[[Asker, str, str | None, str | None], Iterator[HookFinding]]] = {
    SOUL: soul_findings,
    CONFIG_RULE: config_findings,
    CORRECTIONS_RULE: lost_corrections,
}
"""By the rule: what is asked about a file before and after the commit."""
