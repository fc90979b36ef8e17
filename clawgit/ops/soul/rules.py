"""What this workspace says about changes: which the store refuses, holds back, warns of, and what
follows from them.
"""

from collections.abc import Iterator
from datetime import datetime
from fnmatch import fnmatchcase
from functools import partial
from typing import TYPE_CHECKING

from clawgit.config.guards import overstepped
from clawgit.config.settings import Settings
from clawgit.domain.change.actors import CLAWGIT, OPERATOR, Actor
from clawgit.domain.change.authority import EVOLVE, LOCKED, SOULS, soul_alert, strictest
from clawgit.domain.change.history import REDO, UNDO, Intent
from clawgit.domain.markdown.entry import holds_entries
from clawgit.domain.markdown.validate import new_problems, refuse_invalid, with_own_ids
from clawgit.domain.workspace.adoption import LOGS, is_our_log
from clawgit.domain.workspace.layout import GUIDES
from clawgit.errors import ClawgitError, PathRefusedError
from clawgit.ops.safety.secrets_kept import refuse_secrets
from clawgit.ops.workspace.workspace import Workspace
from clawgit.resources import resource
from clawgit.stores.git.batch import Batch
from clawgit.stores.git.cgit import CGit
from clawgit.stores.git.rules import Changes, Derived, Judgement, Pending, Rules

if TYPE_CHECKING:
    from clawgit.domain.soul.guard import Objection, SoulEdit, SoulRules, Verdict

CONFIG_FILE = "CONFIG.md"
CORRECTIONS = "CORRECTIONS.md"
SNAPSHOTS = "refs/clawgit/soul/"
PROPOSE = "propose"
REVERT = "revert"
RESTORE = "restore"
PROPOSED = "proposed"
"""Why a proposal waits that was made as one; what the guard thinks of it follows."""

FROM_HISTORY = frozenset({UNDO, REDO, REVERT, RESTORE})


class GuardError(ClawgitError):
    """The guard of the soul refuses a change. `problems` in its data has each reason."""

    kind = "guard"


def rules_of(workspace: Workspace) -> Rules:
    """All of them look first whether the soul, or a file that enters each session, is concerned at
    all.
    """
    derived = Derived(workspace.changelog, frozenset(SOULS), partial(_changelog, workspace))
    return Rules(
        partial(_judged, workspace), partial(_alerts, workspace), _kept_under, (derived,),
        partial(_leaks, workspace),
        _with_own_ids,
    )  # fmt: skip


def soul_rules(workspace: Workspace) -> "SoulRules":
    """What the settings say about the soul."""
    from clawgit.domain.model.tokens import estimate_tokens  # noqa: PLC0415
    from clawgit.domain.soul.guard import SoulRules  # noqa: PLC0415 - most changes are none of the soul

    settings = workspace.config.settings
    return SoulRules(
        tokens=estimate_tokens,
        policy=policy_in_force(workspace),
        max_tokens=settings.soul_max_tokens,
        max_change=settings.soul_max_change,
    )


def policy_in_force(workspace: Workspace) -> str:
    """The stricter of what is in force and what the last commit says, so that an agent cannot free
    itself by an edit on the way, on a machine too where nobody accepted anything; where the
    settings cannot be read, the strictest.
    """
    if any(problem.key in ("", "soul_policy") for problem in workspace.config.problems):
        return LOCKED
    committed = Batch(CGit(workspace.root, workspace.caller.env)).read(
        [f"HEAD:{workspace.config_file}"]
    )[0]
    said = _settings_of(committed.data if committed else None)
    return strictest(workspace.config.settings.soul_policy, said.soul_policy)


def _settings_of(text: bytes | None) -> Settings:
    from clawgit.config import load  # noqa: PLC0415 - YAML takes 14 ms to load

    return load((text or b"").decode("utf-8", "replace"), env={}).settings


def _judged(workspace: Workspace, intent: Intent, changes: Changes) -> Judgement:
    if intent.verb not in FROM_HISTORY:  # what history holds can always come back
        refuse_secrets(workspace, intent, changes)
    odd = _odd_entries(intent, changes)
    if intent.actor == CLAWGIT:
        return Judgement(warnings=odd)
    if changes and workspace.caller.actor != OPERATOR:
        from clawgit.ops.workspace.shared import refuse_writing  # noqa: PLC0415 - the operator writes wherever he stands

        refuse_writing(workspace)
    config = workspace.config_file
    if config in changes and intent.actor != OPERATOR:
        _refuse_overstepping(*map(_settings_of, changes[config]))
    _refuse_strangers(intent, changes)
    verdicts = [
        _verdict(workspace, intent, path, *changes[path]) for path in SOULS if path in changes
    ]
    refusals = [one for verdict in verdicts for one in verdict.refusals]
    said = [one.message for verdict in verdicts for one in verdict.warnings]
    poison = [*_poison(intent, changes), *_guides(intent, changes)]
    if intent.verb == PROPOSE:
        return Judgement((PROPOSED, *(one.message for one in refusals), *said, *poison))
    if refusals:
        raise _refused(refusals)
    held = any(verdict.hold for verdict in verdicts) or bool(poison)
    return Judgement(held=(*said, *poison)) if held else Judgement(warnings=(*said, *odd))


def _with_own_ids(intent: Intent, changes: Changes) -> dict[str, bytes]:
    """The files of a change in which an id stands twice, mended: somebody copied a line together
    with its comment. What comes back from history comes back as it was.
    """
    if intent.verb in FROM_HISTORY:
        return {}
    mended = {}
    for path, (_, after) in changes.items():
        if after is None or not holds_entries(path):
            continue
        text = with_own_ids(_text(after) or "")
        if text != _text(after):
            mended[path] = text.encode("utf-8", "surrogateescape")
    return mended


def _odd_entries(intent: Intent, changes: Changes) -> tuple[str, ...]:
    """What is wrong with the entries of a text that comes back from history; a new text is refused
    for it.
    """
    if intent.verb not in FROM_HISTORY:
        for path, (before, after) in changes.items():
            refuse_invalid(path, before, after)
        return ()
    return entry_warnings(changes)


def entry_warnings(changes: Changes) -> tuple[str, ...]:
    """What edits make wrong with entries, where that hinders nobody; of those with one id only the
    last is named.
    """
    last = {
        (path, problem.message): f"{path}:{problem.line}: {problem.message}. {problem.hint}"
        for path, (before, after) in changes.items()
        for problem in new_problems(path, before, after)
    }
    return tuple(last.values())


def _refuse_overstepping(before: Settings, after: Settings) -> None:
    """It would not be in force, whatever way an agent takes, `config set`, `undo` or `restore`. It
    is refused, so that nobody is asked about what an agent wants for itself.
    """
    if names := overstepped(before, after):
        how = (
            "clawgit secrets allow …"
            if names[0] == "secrets_allow"
            else f"clawgit config set {names[0]} …"
        )
        raise GuardError(
            f"only the operator may change {', '.join(names)}",
            hint=f"The operator runs this at a terminal: {how}",
        )


def _verdict(
    workspace: Workspace, intent: Intent, path: str, before: bytes | None, after: bytes | None
) -> "Verdict":
    from clawgit.domain.soul.guard import SoulEdit, judge  # noqa: PLC0415 - most changes are none of the soul

    edit = SoulEdit(
        path,
        _text(before),
        _text(after),
        intent.actor == OPERATOR,
        intent.evidence,
        restores=intent.verb in FROM_HISTORY,
    )
    return judge(_with_origins(workspace, edit), soul_rules(workspace))


def _with_origins(workspace: Workspace, edit: "SoulEdit") -> "SoulEdit":
    """With the lines that the operator's corrections brought, and the corrections, as HEAD has
    both: what this very change says of them proves nothing.
    """
    from clawgit.domain.corrections.corrections import corrections  # noqa: PLC0415 - most changes are none of the soul
    from clawgit.domain.soul.guard import Protected  # noqa: PLC0415
    from clawgit.ops.soul.history import protected_lines, soul_history  # noqa: PLC0415

    git = workspace.git
    with soul_history(workspace, edit.path) as history:
        protected = tuple(
            Protected(one.line, one.correction, one.time) for one in protected_lines(history)
        )
    if not protected:
        return edit
    known = corrections(_text(git.read(git.head().oid, CORRECTIONS)) or "")
    return edit._replace(protected=protected, corrections=known)


def _poison(intent: Intent, changes: Changes) -> Iterator[str]:
    """What an agent would bring into the other files that enter each session."""
    paths = [path for path in sorted(changes) if path not in SOULS and _enters_sessions(path)]
    for path in paths if intent.actor != OPERATOR else ():
        yield from _poison_in(path, *changes[path])


def _guides(intent: Intent, changes: Changes) -> Iterator[str]:
    """What an agent would change in the words by which its operator directs it: those wait for him.
    Where clawgit wrote the file, it says itself that it is the agent's to change.
    """
    for path, (before, _) in changes.items() if intent.actor != OPERATOR else ():
        is_guide = path.rpartition("/")[2] in GUIDES and before is not None
        if is_guide and not (before or b"").startswith(_our_headline(path)):
            yield f"{path} was written by the operator, and an agent changes it by proposal only"
        elif fnmatchcase(path, "agents/*/SOUL.md"):
            yield f"{path} directs an agent of clawgit's, and changes by proposal only"


def _our_headline(path: str) -> bytes:
    file = resource("templates") / "workspace" / path
    return file.read_bytes().partition(b"\n")[0] + b"\n" if file.is_file() else b"\0"


def _refuse_strangers(intent: Intent, changes: Changes) -> None:
    """A file that bears the name of one of clawgit's logs, and is none, is never written into."""
    for path in LOGS if intent.verb not in FROM_HISTORY else ():
        before = _text(changes[path][0]) if path in changes else None
        if before is not None and not is_our_log(path, before):
            raise PathRefusedError(
                f"{path} is not the log that clawgit keeps under this name, so nothing is written "
                "into it.",
                hint=f"Give your file another name, for instance: git mv {path} MY_{path}",
            )


def _alerts(
    workspace: Workspace, path: str, before: bytes | None, after: bytes | None, actor: Actor
) -> tuple[str, ...]:
    if path == workspace.config_file and before is not None:
        names = overstepped(_settings_of(before), _settings_of(after)) if actor != OPERATOR else ()
        return tuple(f"{name} changed in {path} without authority" for name in names)
    if path == CORRECTIONS and actor != OPERATOR:
        return _unproven(before, after)
    if actor == OPERATOR or not _enters_sessions(path):
        return ()
    policy = policy_in_force(workspace) if path in SOULS else EVOLVE
    told = soul_alert(path, before, after, policy, actor)
    lost = (
        _lost_principles(workspace, path, before, after)
        if path in SOULS and before is not None
        else ()
    )
    return (
        *([told] if told else []),
        *lost,
        *(f"poison {one}" for one in _poison_in(path, before, after)),
    )


def _unproven(before: bytes | None, after: bytes | None) -> tuple[str, ...]:
    """Corrections that an edit declares to be the operator's own word, and does not say where he
    gave it.
    """
    from clawgit.domain.corrections.corrections import unproven  # noqa: PLC0415 - few edits touch CORRECTIONS.md

    found = unproven(_text(before) or "", _text(after) or "")
    return tuple(
        f"correction {CORRECTIONS}#{one.id} is confirmed without evidence" for one in found
    )


def _leaks(
    workspace: Workspace, path: str, before: bytes | None, after: bytes | None
) -> tuple[str, ...]:
    from clawgit.ops.safety.secrets_found import leaks  # noqa: PLC0415 - only who writes looks for secrets

    return leaks(workspace, path, before, after)


def _lost_principles(
    workspace: Workspace, path: str, before: bytes | None, after: bytes | None
) -> tuple[str, ...]:
    """What a foreign edit did to lines that the operator's corrections brought, under whatever
    policy.
    """
    from clawgit.domain.soul.guard import SoulEdit, judge  # noqa: PLC0415 - most changes are none of the soul

    edit = _with_origins(workspace, SoulEdit(path, _text(before), _text(after)))
    if not edit.protected:
        return ()
    return tuple(
        f"soul {path}: {one.message}"
        for one in judge(edit, soul_rules(workspace)).refusals
        if one.rule == "protected"
    )


def _poison_in(path: str, before: bytes | None, after: bytes | None) -> Iterator[str]:
    from clawgit.domain.safety.injection import findings  # noqa: PLC0415 - most changes touch no file that enters each session

    for found in findings(_text(before) or "", _text(after) or ""):
        if found.hold:
            yield f"{path}:{found.line} {found.kind}: {found.reason} ({found.excerpt})"


def _enters_sessions(path: str) -> bool:
    """All such files lie at the top; patterns are not loaded for what lies below."""
    if "/" in path:
        return False
    from clawgit.domain.safety.injection import GUARDED  # noqa: PLC0415 - most changes touch files below folders

    return path in GUARDED


def _kept_under(ident: str, paths: tuple[str, ...], now: datetime) -> str:
    return f"{SNAPSHOTS}{now:%Y-%m-%d}-{ident}" if set(SOULS) & set(paths) else ""


def _changelog(workspace: Workspace, pending: Pending, found: bytes | None) -> bytes:
    from clawgit.ops.soul.changelog import with_changelog  # noqa: PLC0415 - most changes are none of the soul

    return with_changelog(workspace, pending, found)


def _refused(refusals: "list[Objection]") -> GuardError:
    first, *more = refusals
    message = first.message + "".join(f"\n       {one.message}" for one in more)
    return GuardError(message, hint=first.hint, problems=[one._asdict() for one in refusals])


def _text(data: bytes | None) -> str | None:
    return None if data is None else data.decode("utf-8", "surrogateescape")
