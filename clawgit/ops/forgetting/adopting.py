"""Follows a rewrite that was made in another clone: forgets the same words here, in the same way.

The other clone passes on hashes, not words. Here the words are still in files, commits or chats, so
they are found by their hashes, and forgotten as if the operator had named them. History that both
clones had gets the same commits as there; what only this one had stays, on top.
"""

import re
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from functools import partial
from typing import NamedTuple

from clawgit.domain.forgetting.needle import Matcher, Needle
from clawgit.domain.forgetting.record import Forgetting, Forgotten, RemoteHistory, remote_history
from clawgit.domain.markdown.decoding import text_of
from clawgit.ops.forgetting.forget import (
    ForgetPlan,
    Forgot,
    Step,
    carried_out,
    publish,
)
from clawgit.ops.forgetting.ground import Ground, files_with, refuse_running
from clawgit.ops.forgetting.history import refuse_history, signed
from clawgit.ops.forgetting.places import search
from clawgit.ops.forgetting.proof import history_with
from clawgit.ops.workspace.operator import require_operator, signers_of
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.database import connect
from clawgit.stores.git.batch import every_object
from clawgit.stores.git.cgit import CGit
from clawgit.stores.git.forgetting.forgotten import forgotten_at
from clawgit.stores.git.forgetting.rewriting import names_in
from clawgit.stores.git.signatures import signed_by
from clawgit.stores.state import state_file
from clawgit.stores.state_journal import tables

_CHUNK = re.compile(r"\n(?=[ \t]*(?:[-*+#>|]|\d+[.)])[ \t])|\n[ \t]*\n")
"""Splits a text into chunks of whole sentences. Versions of a file share most chunks; each is read
once."""

_AT_A_TERMINAL = "The operator runs this at a terminal: clawgit sync --adopt-forgotten"


class AdoptPlan(NamedTuple):
    """What adopting would do here. `signed`: the record is the operator's own, by a signature."""

    acts: tuple[Forgetting, ...]
    record: Forgotten
    signed: bool
    forgetting: ForgetPlan


def look_at_remote(workspace: Workspace, fetched: str, tip: str) -> RemoteHistory:
    """`fetched` is the commit of the remote's record, `tip` that of its branch; both are here."""
    git = workspace.cgit
    theirs = forgotten_at(git, fetched) if fetched else Forgotten()
    # By C git, which sees what a rewrite has just packed anew.
    return remote_history(
        workspace.forgotten(),
        theirs,
        partial(_answers, git, "cat-file", "-e"),
        lambda oid: _answers(git, "merge-base", "--is-ancestor", oid, tip),
    )


def _answers(git: CGit, *question: str) -> bool:
    return git.call(*question, ok=(0, 1, 128))[0] == 0


def plan_adoption(workspace: Workspace, fetched: str, acts: Iterable[Forgetting]) -> AdoptPlan:
    """Finds the words by their hashes. Nothing is changed."""
    require_operator(workspace.caller, "adopt a rewritten history", _AT_A_TERMINAL)
    acts = tuple(acts)
    needles = frozenset(_needles(workspace, Forgotten(acts)))
    ground = Ground(workspace, Matcher(needles))
    refuse_running(ground)
    refuse_history(ground)
    what = ForgetPlan(
        needles,
        "adopt",
        files_with(ground),
        search(ground),
        history_with(ground),
        history=True,
        unsigned=signed(workspace.cgit),
    )
    ours = signed_by(workspace.cgit, [fetched], signers_of(workspace))
    return AdoptPlan(acts, forgotten_at(workspace.cgit, fetched), fetched in ours, what)


def adopt(workspace: Workspace, what: AdoptPlan, *, at: Step = lambda _step: None) -> Forgot:
    """Forgets here what was forgotten there. After that, the two histories merge as usual."""
    require_operator(workspace.caller, "adopt a rewritten history", _AT_A_TERMINAL)

    def record() -> tuple[Forgetting, ...]:
        publish(workspace, workspace.forgotten().united(what.record))
        return what.acts

    return carried_out(workspace, what.forgetting, record, at)


def _needles(workspace: Workspace, record: Forgotten) -> Iterator[Needle]:
    seen: set[int] = set()
    for text in _texts(workspace):
        for chunk in _CHUNK.split(text):
            mark = hash(chunk)
            if mark not in seen:
                seen.add(mark)
                yield from record.needles_in(chunk)


def _texts(workspace: Workspace) -> Iterator[str]:
    """All texts of this clone: every object of git, and the rows of the state."""
    for found in every_object(workspace.cgit):
        if found.kind == "tree":
            yield from names_in(found.data)
        else:
            yield text_of(found.data)
    file = state_file(workspace.place)
    if file.is_file():
        with closing(connect(file, "ro")) as db:
            yield from _values(db)


def _values(db: sqlite3.Connection) -> Iterator[str]:
    for table in tables(db):
        for row in db.execute(f'SELECT {table.selected} FROM "{table.name}"'):  # noqa: S608 - our own schema
            yield from (value for value in row if isinstance(value, str))
