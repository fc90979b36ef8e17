"""`context --style openclaw`: what OpenClaw itself would put before a session, of the same
files.
"""

from collections.abc import Iterator
from datetime import timedelta

from clawgit.domain.context.openclaw import Injected, injected, is_shared
from clawgit.domain.workspace.tiers import WORKING, dated, tier
from clawgit.errors import UsageError
from clawgit.ops.context.answer import Context, Shown
from clawgit.ops.context.asking import OPENCLAW, Asking
from clawgit.ops.context.counting import counting
from clawgit.ops.context.files import Files, Moment
from clawgit.ops.health.sizes import ALL_CHARACTERS, ALL_CHARACTERS_E3, FILE_CHARACTERS, INJECTED
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores import openclaw


def as_openclaw(workspace: Workspace, asking: Asking, files: Files, when: Moment) -> Context:
    """Its limits are characters, so there is no budget of tokens; what is used is counted all the
    same.
    """
    if asking.budget is not None:
        raise UsageError(
            "OpenClaw's limits are no tokens.", hint="Leave --budget or --style openclaw out."
        )
    count, counted, uncounted = counting(workspace)
    named = (
        (path, files.text(path)) for path in _named(files, when, shared=is_shared(asking.session))
    )
    clock = Injected("date_time", f"{when.now:%A, %Y-%m-%d %H:%M} ({when.now.tzname()})")
    made = [*injected(named, FILE_CHARACTERS, _together(workspace))]
    at = next((at for at, one in enumerate(made) if one.path.startswith("memory/")), len(made))
    slots = tuple(
        Shown(
            one.path,
            None,
            count(text),
            (one.path,) * bool(one.text),
            (one.cut,) * bool(one.cut),
            text,
        )
        for one in (*made[:at], clock, *made[at:])
        for text in [f"# {one.path}\n\n{one.text}" if one.text else ""]
    )
    return Context(
        budget=None,
        used=count("\n\n".join(filter(None, (slot.text for slot in slots)))),
        slots=slots,
        style=OPENCLAW,
        session=asking.session,
        now=when.now,
        at=when.commit or None,
        counted=counted,
        notes=tuple(dict.fromkeys((*files.notes, *filter(None, (uncounted,))))),
    )


def _named(files: Files, when: Moment, *, shared: bool) -> Iterator[str]:
    """The files in OpenClaw's order, then those of today and yesterday. MEMORY.md is for the
    operator alone.
    """
    for path in INJECTED:
        if path != "MEMORY.md":
            yield path
        elif not shared:
            yield files.notebook
    today = when.now.date()
    for day in (today, today - timedelta(days=1)):
        yield from (path for path in files.paths if tier(path) == WORKING and dated(path) == day)


def _together(workspace: Workspace) -> int:
    found = openclaw.find(workspace.caller.home, workspace.caller.env)
    return ALL_CHARACTERS_E3 if found and openclaw.era_of(found) == "E3" else ALL_CHARACTERS
