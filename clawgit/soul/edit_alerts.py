"""Alerts about edits that were not made through clawgit; and which corrections nothing proves, in a
commit under an open alert or in what is not committed.
"""

import re
import shlex
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from typing import TYPE_CHECKING

from clawgit.core.config.load import settings_in
from clawgit.core.config.settings import overstepped
from clawgit.core.layout import CONFIG, OTHER_CONFIG, SOULS
from clawgit.core.markdown.decoding import decoded, exact_text, text_of, texts_of
from clawgit.git.batch import Batch
from clawgit.git.looked import CLAIMING_COMMITS, TAKING_COMMITS
from clawgit.git.rules.actors import OPERATOR, Actor
from clawgit.git.rules.authority import soul_alert
from clawgit.git.rules.history import SAYS
from clawgit.safety.claimed_words import reworded, unsaid
from clawgit.safety.committed_texts import (
    doubtful_in,
    look_at_new,
    noted_alerts,
    recorded_alerts,
)
from clawgit.safety.own_texts import foreign_blocks, reason
from clawgit.safety.rules.planted import is_served
from clawgit.safety.taking_back import taken_back_by
from clawgit.soul.identity_rules import policy_in_force
from clawgit.talk.rules.corrections import CORRECTIONS, holds_corrections
from clawgit.workspace.workspace_base import WorkspaceBase

if TYPE_CHECKING:
    from clawgit.history.rules.record import Forgotten

_LARGEST_LOOK = 256 * 1024
"""How many bytes of changed Markdown a snapshot judges, about a second's work."""


class Room:
    """How much of others' edits is still judged in this call.

    A snapshot of 100,000 files would take minutes. The rest is judged when it is shown.
    """

    def __init__(self) -> None:
        self._call: datetime | None = None
        self._left = 0

    def take(self, now: datetime, size: int) -> bool | None:
        """Whether this many bytes are judged; None the first time that there is no room."""
        if now != self._call:
            self._call, self._left = now, _LARGEST_LOOK
        had_room = self._left > 0
        self._left -= size
        if self._left >= 0:
            return True
        return None if had_room else False


def alerts(
    workspace: WorkspaceBase,
    room: Room,
    known: "Callable[[], Forgotten]",
    path: str,
    before: bytes | None,
    after: bytes | None,
    actor: Actor,
) -> tuple[str, ...]:
    """Alerts about an edit that was not made through clawgit."""
    if actor == OPERATOR:
        return ()
    # This runs for each file of a snapshot: only these two names can be the settings.
    if path in (CONFIG, OTHER_CONFIG) and path == workspace.config_file and before is not None:
        return _config_alerts(path, before, after)
    found: tuple[str, ...] = ()
    if path in SOULS:
        policy = policy_in_force(workspace)
        found = tuple(filter(None, [soul_alert(path, before, after, policy, actor)]))
    if holds_corrections(path):
        found = claim_alerts(workspace, path, before, after)
    if known().acts and known().is_back(text_of(before or b""), text_of(after or b"")):
        found = (*found, f"forgotten {path}: words that `clawgit forget` removed are back")
    lost = _lost_alerts(workspace, actor, {path: (decoded(before), decoded(after))})
    return (*found, *lost, *_planted_alerts(workspace, room, path, before, after))


def _lost_alerts(
    workspace: WorkspaceBase, actor: Actor, texts: Mapping[str, tuple[str | None, str | None]]
) -> Iterator[str]:
    """What the operator said and is gone, in an alert. Entries have no name that it could hold, so
    several of them are one alert.
    """
    lost = Counter(
        f"{loss.path}: {loss.message}" for loss in taken_back_by(workspace, actor, texts)
    )
    return (f"{what} ({count} entries)" if count > 1 else what for what, count in lost.items())


def _config_alerts(path: str, before: bytes, after: bytes | None) -> tuple[str, ...]:
    names = overstepped(settings_in(before), settings_in(after))
    if names and after is None:
        return (f"{path}, which sets {', '.join(names)}, was deleted without authority",)
    return tuple(f"{name} changed in {path} without authority" for name in names)


def _planted_alerts(
    workspace: WorkspaceBase, room: Room, path: str, before: bytes | None, after: bytes | None
) -> Iterator[str]:
    if workspace.adopting:
        # `init` lists what it finds in the folder.
        return
    has_room = room.take(workspace.now, len(after or b"")) if is_served(path) else False
    if has_room is None:
        yield f"poison {path}: too much changed at once to check the rest"
    elif has_room:
        for _, block in foreign_blocks(workspace, texts_of({path: (before, after)})):
            yield f"poison {reason(path, block)}"


_NAMED = re.compile(r"(?:correction .*#|CORRECTIONS\.md: correction )([\w-]+) (?:is|no longer) .*")
"""An alert about a correction: that it is confirmed, or says something else now."""


def claim_alerts(
    workspace: WorkspaceBase, path: str, before: bytes | None, after: bytes | None
) -> tuple[str, ...]:
    """Alerts about the corrections that an edit makes binding without proof.

    None in a repository without any history: it has lost the messages, too.
    """
    if workspace.adopting or not workspace.cgit.has_references():
        return ()
    log = exact_text(Batch(workspace.cgit).data(f"HEAD:{CORRECTIONS}"))
    claims = unsaid(workspace, path, exact_text(before or b""), exact_text(after or b""), log)
    return tuple(
        f"correction {path}#{claim.id} is confirmed, but no message that is known here says so"
        for claim in claims
    )


def doubts(
    workspace: WorkspaceBase, head: str, files: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    """The ids of the corrections in doubt, of these files with corrections, and what to do."""
    look_at_new(workspace, workspace.cgit, head)
    yield from _of_commits(workspace, head)
    committed = Batch(workspace.cgit).read(f"{head}:{path}" for path in (CORRECTIONS, *files))
    log, *before = ["" if blob is None else text_of(blob.data) for blob in committed]
    for (path, now), then in zip(files.items(), before, strict=True):
        if now != then:
            claims = (claim.id for claim in unsaid(workspace, path, then, now, log))
            for ident in (*claims, *reworded(path, then, now)):
                yield ident, f"clawgit diff {shlex.quote(path)}, then clawgit snapshot"


def _of_commits(workspace: WorkspaceBase, head: str) -> Iterator[tuple[str, str]]:
    """Those that a commit brought, by the alerts that nobody has settled."""
    git = workspace.cgit
    for alert in recorded_alerts(workspace, git, head):
        # What a message in the operator's name says may be typed by anybody.
        if not alert.message.startswith(SAYS) and (named := _NAMED.fullmatch(alert.message)):
            yield named[1], alert.next
    for commit, noted in noted_alerts(workspace, git, head, (CLAIMING_COMMITS, TAKING_COMMITS)):
        for ident in doubtful_in(workspace, git, commit):
            yield ident, noted.next
