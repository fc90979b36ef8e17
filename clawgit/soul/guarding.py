"""The rules of a workspace: what the git store refuses, holds back, warns of and adds to."""

from collections.abc import Iterator
from contextlib import suppress
from fnmatch import fnmatchcase
from functools import partial
from typing import TYPE_CHECKING

from clawgit.core.config.load import settings_in
from clawgit.core.config.settings import overstepped
from clawgit.core.errors import ClawgitError, PathRefusedError
from clawgit.core.layout import GUIDES, LOGS, SOULS, is_our_log
from clawgit.core.markdown.decoding import decoded, exact_bytes, exact_text, texts_of
from clawgit.core.markdown.entry import holds_entries, new_problems, refuse_invalid, with_own_ids
from clawgit.core.resources import resource
from clawgit.git.batch import Batch
from clawgit.git.commit_rules import Changes, Derived, Judgement, PendingChange, Rules
from clawgit.git.looked import PROPOSED
from clawgit.git.rules.actors import CLAWGIT
from clawgit.git.rules.authority import at_stake
from clawgit.git.rules.history import FORGET, FROM_HISTORY, OWN_WORDS, PROPOSE, RESTORE
from clawgit.git.rules.history import Intent as Intent  # noqa: PLC0414 - a workspace takes it from here
from clawgit.git.store import GitStore
from clawgit.safety.operator import commit_signer
from clawgit.safety.own_files import changelog_file
from clawgit.safety.own_texts import brought, foreign_blocks, keep_as_own
from clawgit.safety.secrets_found import leaks, refuse_forgotten, refuse_secrets
from clawgit.safety.trust_store import AT_A_TERMINAL
from clawgit.workspace.reach import refuse_shared_writing
from clawgit.workspace.rules.routing import TOOLS
from clawgit.workspace.workspace_base import WorkspaceBase

if TYPE_CHECKING:
    from clawgit.soul.rules.guard import GuardVerdict, Objection
    from clawgit.workspace.workspace import Workspace


class GuardError(ClawgitError):
    """The guard of the soul refuses a change. `problems` in its data has each reason."""

    kind = "guard"


def rules_of(workspace: WorkspaceBase) -> Rules:
    """The rules under which the git store of a workspace writes."""
    changelog = Derived(changelog_file(workspace), frozenset(SOULS), partial(_changelog, workspace))
    return Rules(
        judge=partial(_judged, workspace),
        derived=(changelog,),
        leaks=partial(leaks, workspace),
        mend=_mended,
        landed=partial(_landed, workspace),
    )


def _judged(workspace: WorkspaceBase, intent: Intent, changes: Changes) -> Judgement:
    """Raises if the change is refused; else returns whether it must wait for the operator."""
    refuse_secrets(workspace, intent, changes)
    refuse_forgotten(workspace, intent, changes)
    odd = _odd_entries(intent, changes)
    if intent.actor == CLAWGIT:
        return Judgement(warnings=odd)
    if changes:
        refuse_shared_writing(workspace)
    changes = _without_returned(workspace, intent, changes)
    _refuse_overstepping(workspace, intent, changes)
    _refuse_strangers(intent, changes)
    judgement = _judged_identity(workspace, intent, changes)
    if judgement.held:
        return judgement
    return Judgement(warnings=(*judgement.warnings, *odd))


def _without_returned(workspace: WorkspaceBase, intent: Intent, changes: Changes) -> Changes:
    """The changes without the guarded files that are gone from disk and restored as HEAD has them.

    Else an agent could not follow the advice to bring a wiped folder back. A deletion that was
    committed is different: the operator may have meant it.
    """
    if intent.verb != RESTORE:
        return changes
    objects, guarded = Batch(workspace.cgit), (workspace.config_file, *SOULS)
    return {
        path: (before, after)
        for path, (before, after) in changes.items()
        if before is not None
        or not (path in guarded or _directs(path, None))
        or after != objects.data(f"HEAD:{path}")
    }


def _judged_identity(workspace: WorkspaceBase, intent: Intent, changes: Changes) -> Judgement:
    """The judgement of the soul's guard, and of the rules for the agent's other guides."""
    verdicts = _judged_souls(workspace, intent, changes)
    refusals = [refusal for verdict in verdicts for refusal in verdict.refusals]
    warnings = [warning.message for verdict in verdicts for warning in verdict.warnings]
    planted = _planted(workspace, intent, changes)
    reasons = [
        *_taken_back(workspace, intent, changes),
        *_by_agent(intent, changes, planted),
    ]
    if intent.verb == PROPOSE:
        # Nothing is refused: the operator sees each objection beside the proposal.
        refused = [refusal.message for refusal in refusals]
        return Judgement(held=(PROPOSED, *refused, *warnings, *reasons))
    if refusals:
        raise _refused(refusals)
    if reasons or any(verdict.hold for verdict in verdicts):
        return Judgement(held=(*warnings, *reasons))
    unread = map("{}. Agents do not see it: clawgit trust".format, planted)
    return Judgement(warnings=(*warnings, *unread))


def _judged_souls(
    workspace: WorkspaceBase, intent: Intent, changes: Changes
) -> "list[GuardVerdict]":
    souls = [path for path in SOULS if path in changes]
    if not souls:
        return []
    from clawgit.soul.identity_rules import judged_edit  # noqa: PLC0415 - see LATE

    return [judged_edit(workspace, intent, path, *changes[path]) for path in souls]


def _planted(workspace: WorkspaceBase, intent: Intent, changes: Changes) -> list[str]:
    """Planted text that an agent would bring into the files that `context` and the search serve, or
    the operator without having written or read it.
    """
    if intent.actor.is_operator and intent.verb in OWN_WORDS:
        return []
    return [block.why for block in foreign_blocks(workspace, texts_of(changes))]


def _landed(workspace: WorkspaceBase, intent: Intent, changes: Changes) -> None:
    """Records what the operator writes or approves as seen.

    What he only brings back or moves is not seen: nobody has shown it to him.
    """
    if not intent.actor.is_operator or intent.verb not in OWN_WORDS:
        return
    if written := [*brought(texts_of(changes))]:
        # The change was made already. If this cannot be stored, `clawgit trust` asks about the
        # text.
        with suppress(ClawgitError):
            keep_as_own(workspace, written, AT_A_TERMINAL)


def _mended(intent: Intent, changes: Changes) -> dict[str, bytes]:
    """Repairs the entries that a change touches: each gets its own id, for a line may have been
    copied together with its comment.

    Text that comes back from history stays as it was, and so does all text at `forget`.
    """
    if intent.verb in FROM_HISTORY or intent.verb == FORGET:
        return {}
    mended: dict[str, bytes] = {}
    for path in filter(holds_entries, changes):
        text = decoded(changes[path][1]) or ""
        if (own := with_own_ids(text)) != text:
            mended[path] = exact_bytes(own)
    return mended


def _odd_entries(intent: Intent, changes: Changes) -> tuple[str, ...]:
    """Raises if a new text has faulty entries. For a text that comes back from history, they are
    returned as warnings.
    """
    if intent.verb not in FROM_HISTORY:
        for path, (before, after) in changes.items():
            refuse_invalid(path, before, after)
        return ()
    return tuple(
        f"{problem.text}. {problem.remedy}"
        for path, (before, after) in changes.items()
        for problem in new_problems(path, before, after)
    )


def _refuse_overstepping(workspace: WorkspaceBase, intent: Intent, changes: Changes) -> None:
    """Refuses settings that only the operator may change, by `config set`, `undo` or `restore`.

    They would not be in force anyway, and the operator need not be asked about them.
    """
    config = workspace.config_file
    if config not in changes or intent.actor.is_operator:
        return
    before, after = changes[config]
    names = overstepped(settings_in(before), settings_in(after))
    if not names:
        return
    if after is None:
        raise GuardError(
            f"only the operator may delete {config}, which sets {', '.join(names)}",
            hint="The operator does it at a terminal.",
        )
    how = f"clawgit config set {names[0]} …"
    if names[0] == "secrets_allow":
        how = "clawgit secrets allow …"
    raise GuardError(
        f"only the operator may change {', '.join(names)}",
        hint=f"The operator runs this at a terminal: {how}",
    )


def _taken_back(workspace: WorkspaceBase, intent: Intent, changes: Changes) -> Iterator[str]:
    """Why a change must wait that takes back what the operator said, whatever the command.

    The guard of the soul speaks of the lines there.
    """
    yield from intent.takes
    edits = {
        path: (decoded(before), decoded(after))
        for path, (before, after) in changes.items()
        if path not in SOULS
    }
    if not at_stake(intent.actor, edits):
        return
    from clawgit.safety.taking_back import taken_back_by  # noqa: PLC0415 - see LATE

    for loss in taken_back_by(workspace, intent.actor, edits, intent.evidence):
        yield f"{loss.path}: {loss.message}"


def _by_agent(intent: Intent, changes: Changes, planted: list[str]) -> Iterator[str]:
    """Reasons why an agent's changes wait for the operator: text that is planted, and the files
    that direct the agent.

    An agent may change a guide that clawgit wrote: its first line says so.
    """
    if not intent.actor.is_operator:
        yield from planted
        yield from filter(None, (_directs(path, before) for path, (before, _) in changes.items()))


def _directs(path: str, before: bytes | None) -> str:
    """Why a change by an agent to a file that directs it waits, "" if it need not."""
    if fnmatchcase(path, "agents/*/SOUL.md"):
        return f"{path} directs one of clawgit's agents, and changes by proposal only"
    is_guide = path.rpartition("/")[2] in GUIDES
    if before is None:
        begins = is_guide or path == TOOLS
        return f"there is no {path} yet, and an agent may only propose one" if begins else ""
    if not is_guide or before.startswith(_our_headline(path)):
        return ""
    return f"{path} was written by the operator, and an agent changes it by proposal only"


def _our_headline(path: str) -> bytes:
    file = resource("templates") / "workspace" / path
    return file.read_bytes().partition(b"\n")[0] + b"\n" if file.is_file() else b"\0"


def _refuse_strangers(intent: Intent, changes: Changes) -> None:
    """Refuses to write into a file that has the name of a clawgit log but is not one."""
    if intent.verb in FROM_HISTORY or intent.verb == FORGET:
        return
    for path in LOGS:
        before = decoded(changes[path][0]) if path in changes else None
        if before is not None and not is_our_log(path, before):
            raise PathRefusedError(
                f"{path} is not the log that clawgit keeps under this name, so nothing is written "
                "into it.",
                hint=f"Give your file another name, for instance: git mv {path} MY_{path}",
            )


def _changelog(workspace: WorkspaceBase, pending: PendingChange, text: bytes | None) -> bytes:
    from clawgit.soul.changelog import with_changelog  # noqa: PLC0415 - see LATE

    told = with_changelog(workspace, pending, text)
    known = workspace.forgotten()
    if not known:
        return told
    # The changelog quotes history, which may still have forgotten words.
    return exact_bytes(known.without(exact_text(told)))


def _refused(refusals: "list[Objection]") -> GuardError:
    first, *more = refusals
    message = first.message + "".join(f"\n       {refusal.message}" for refusal in more)
    return GuardError(
        message, hint=first.hint, problems=[refusal._asdict() for refusal in refusals]
    )


def open_store(workspace: "Workspace") -> GitStore:
    return GitStore(
        workspace.place,
        workspace.env,
        rules=rules_of(workspace),
        signer=commit_signer(workspace.caller),
        trusted_filters=workspace.trusted_filters,
        scope=workspace.scope,
        follow=partial(_follow_merges, workspace),
    )


def _follow_merges(workspace: "Workspace") -> None:
    """Follows up the merges that plain git made, if our hooks are not installed."""
    from clawgit.history.after_merge import after_merge  # noqa: PLC0415 - 10 ms, for a new head

    # Its failure must not stop a write; `doctor` reports it.
    with suppress(ClawgitError):
        after_merge(workspace)
