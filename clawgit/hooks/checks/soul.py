"""The checks of the soul, the settings and the operator's corrections at `git commit`."""

from collections.abc import Callable, Iterator, Mapping

from clawgit.core.config.load import load
from clawgit.core.config.settings import overstepped
from clawgit.core.errors import Finding
from clawgit.core.markdown.decoding import TextChange
from clawgit.git.rules.actors import AGENT
from clawgit.git.staged import merge_heads, output, texts
from clawgit.hooks.checks import CONFIG_RULE, CORRECTIONS, CORRECTIONS_RULE, ENTRIES, SOUL, Asker
from clawgit.safety.operator import operator_key
from clawgit.safety.own_files import config_name
from clawgit.safety.own_texts import foreign_blocks, keep_as_own
from clawgit.safety.rules.planted import PlantedBlock
from clawgit.safety.taking_back import retold, taken_back_by
from clawgit.safety.trust_store import AT_A_TERMINAL
from clawgit.soul.identity_rules import soul_rules, with_origins
from clawgit.soul.rules.guard import SoulEdit, judge
from clawgit.talk.rules.corrections import ARCHIVE, claimed
from clawgit.talk.rules.lost import TakenBack, Texts, lost_corrections

_AT_A_TERMINAL = "The operator commits at a terminal."
_SIGNED = (
    "The operator signs it with `clawgit soul edit`, or with `git commit -S --no-verify`, and "
    "`clawgit soul verify` looks at the signature."
)
"""Where an operator key is set, a terminal proves nothing."""

_CLAIM = "`clawgit corrections add` writes one, and looks up the message that it cites."
_QUOTE = "Say what is right, and it is quoted there: clawgit corrections add TEXT --was ID."
_KEEP = "Put it back, or move it into a file under Archive/Corrections/ in this same commit."


def soul_findings(
    asker: Asker, path: str, before: str | None, after: str | None
) -> Iterator[Finding]:
    """The objections of the soul's guard. The operator is only warned; a first version passes."""
    if before is None:
        return
    [settings] = texts([f"HEAD:{config_name()}"], asker.env)
    edit = with_origins(asker.workspace(), SoulEdit(path, before, after, _is_proven(asker)))
    verdict = judge(edit, soul_rules(asker.workspace(), settings))
    how = _SIGNED if _has_key(asker) else _AT_A_TERMINAL
    for refusal in verdict.refusals:
        yield Finding(refusal.message, f"{refusal.hint} {how}", line=refusal.line)
    for warning in verdict.warnings:
        hint = warning.hint
        if verdict.hold:
            # A commit by git cannot wait for the operator, so a change that must wait is refused.
            hint = f"Propose it instead: clawgit soul propose. {how}"
        yield Finding(warning.message, hint, line=warning.line, refused=verdict.hold)


def planted_by_others(asker: Asker, path: str, before: str, after: str) -> list[PlantedBlock]:
    """The new planted blocks of a file that are not the operator's; what he brings is recorded."""
    moved = (TextChange(path, text, "") for text in asker.gone())
    found = foreign_blocks(asker.workspace(), [TextChange(path, before, after), *moved])
    if not _is_proven(asker):
        return found
    keep_as_own(asker.workspace(), found, AT_A_TERMINAL)
    return []


def _is_proven(asker: Asker) -> bool:
    """Whether the operator commits: a terminal does not prove it where an operator key is set."""
    return asker.operator and not _has_key(asker)


def _has_key(asker: Asker) -> bool:
    return operator_key(asker.workspace().caller) is not None


def config_findings(
    asker: Asker, path: str, before: str | None, after: str | None
) -> Iterator[Finding]:
    """New faults in CONFIG.md, and settings that an agent changes but only the operator may."""
    old, new = load(before or ""), load(after or "")
    known = {(problem.key, problem.message) for problem in old.problems}
    for problem in new.problems:
        if (problem.key, problem.message) not in known:
            hint = problem.hint or "`clawgit config --all` shows every key with its value."
            yield Finding(problem.message, hint, line=problem.line)
    # An agent that commits by git must not loosen its own limits.
    names = () if asker.operator else overstepped(old.settings, new.settings)
    if names and after is None:
        why = f"only the operator may delete it: it sets {', '.join(names)}"
        yield Finding(why, f"Put it back: git checkout HEAD -- {path}")
        return
    for name in names:
        hint = f"The operator runs this at a terminal: clawgit config set {name} …"
        yield Finding(f"only the operator may change {name}", hint)


def entry_findings(
    asker: Asker, path: str, before: str | None, after: str | None
) -> Iterator[Finding]:
    """The entries that the operator wrote or corrected, and that a commit by somebody else takes
    back.
    """
    if asker.operator:
        return
    workspace, edits = asker.workspace(), {path: (before, after)}
    losses = (*retold(workspace, edits), *taken_back_by(workspace, AGENT, edits))
    for loss in {loss.name: loss for loss in losses}.values():
        yield Finding(loss.message, f"{_QUOTE} {_AT_A_TERMINAL}")


def correction_findings(
    asker: Asker, path: str, before: str | None, after: str | None
) -> Iterator[Finding]:
    """The corrections that would be in neither CORRECTIONS.md nor the archive, as they are staged,
    and those that somebody else than the operator rewords or confirms.
    """
    now, was = {path: after or ""}, {path: before or ""}
    # What a branch that is being merged has must not get lost either.
    merged = [f"{oid}:{CORRECTIONS}" for oid in merge_heads(asker.env)]
    known = was | _as_archived(asker, merged)
    if _missing(known, now):
        # Reading the archive takes a while, and few commits remove a correction.
        now |= _as_archived(asker, _archive(asker))
    losses = _missing(known, now)
    if not asker.operator:
        losses += (loss for loss in lost_corrections(was, now) if loss.line)
        yield from _claimed(asker, known, now[path])
    for loss in dict.fromkeys(losses):
        hint = _AT_A_TERMINAL if loss.line else _KEEP
        yield Finding(loss.message, hint, line=loss.line)


def _missing(before: Texts, after: Texts) -> list[TakenBack]:
    return [loss for loss in lost_corrections(before, after) if not loss.line]


def _claimed(asker: Asker, was: Texts, now: str) -> Iterator[Finding]:
    """The corrections that the operator is said to have made: clawgit commits its own without git's
    hooks.
    """
    for each in claimed("\n\n".join(was.values()), now):
        why = f"correction {each.id} says that the operator said so"
        yield Finding(why, _CLAIM, line=each.line, refused=asker.is_agent)


def _archive(asker: Asker) -> list[str]:
    """The blobs of the archive as they are staged."""
    staged = output(("git", "ls-files", "-s", "-z", "--", ARCHIVE), asker.env).split(b"\0")[:-1]
    return [row.split(b" ")[1].decode() for row in staged]


def _as_archived(asker: Asker, names: list[str]) -> dict[str, str]:
    """The texts that git has by these names, each as a file of the archive."""
    read = zip(names, texts(names, asker.env), strict=True)
    return {f"{ARCHIVE}{name}.md": text for name, text in read}


QUESTIONS: Mapping[str, Callable[[Asker, str, str | None, str | None], Iterator[Finding]]] = {
    SOUL: soul_findings,
    CONFIG_RULE: config_findings,
    CORRECTIONS_RULE: correction_findings,
    ENTRIES: entry_findings,
}
"""Rule → its check, which takes a file's text before and after the commit."""
