"""`context --style openclaw`: what OpenClaw itself would put at the start of a session."""

from collections.abc import Iterator
from datetime import timedelta

from clawgit.domain.context.openclaw import Injected, injected, is_shared
from clawgit.domain.model.tokens import estimate_tokens
from clawgit.domain.workspace.limits import (
    ALL_CHARACTERS,
    FILE_CHARACTERS,
    INJECTED,
)
from clawgit.domain.workspace.tiers import WORKING, dated, tier
from clawgit.errors import UsageError
from clawgit.ops.context.answer import Context, ShownSlot
from clawgit.ops.context.asking import OPENCLAW, ContextRequest
from clawgit.ops.context.files import Files, Moment


def as_openclaw(asking: ContextRequest, files: Files, when: Moment) -> Context:
    """The context in OpenClaw's form.

    Its limits are characters, so there is no budget of tokens.
    """
    if asking.budget is not None:
        raise UsageError(
            "OpenClaw's limits are not counted in tokens.",
            hint="Leave --budget or --style openclaw out.",
        )
    paths = _named(files, when, shared=is_shared(asking.session))
    texts = ((path, files.text(path)) for path in paths)
    lasting: list[Injected] = []
    notes: list[Injected] = []
    for file in injected(texts, FILE_CHARACTERS, ALL_CHARACTERS):
        (notes if file.path.startswith("memory/") else lasting).append(file)
    # The time is where OpenClaw has it: between the files and the notes of the days.
    clock = Injected("date_time", f"{when.now:%A, %Y-%m-%d %H:%M} ({when.now.tzname()})")
    slots = tuple(_shown(file) for file in (*lasting, clock, *notes))
    return Context(
        budget=None,
        used=estimate_tokens("\n\n".join(filter(None, (slot.text for slot in slots)))),
        slots=slots,
        style=OPENCLAW,
        session=asking.session,
        now=when.now,
        at=when.commit or None,
        notes=tuple(dict.fromkeys(filter(None, (when.note, *files.notes)))),
    )


def _shown(file: Injected) -> ShownSlot:
    text = f"# {file.path}\n\n{file.text}" if file.text else ""
    return ShownSlot(
        name=file.path,
        budget=None,
        tokens=estimate_tokens(text),
        sources=(file.path,) if file.text else (),
        truncated=(file.cut,) if file.cut else (),
        text=text,
    )


def _named(files: Files, when: Moment, *, shared: bool) -> Iterator[str]:
    """The files in OpenClaw's order, then the notes of today and yesterday.

    MEMORY.md is for the operator alone.
    """
    for path in INJECTED:
        if path != "MEMORY.md":
            yield path
        elif not shared:
            yield files.notebook
    today = when.now.date()
    for day in (today, today - timedelta(days=1)):
        yield from (path for path in files.paths if tier(path) == WORKING and dated(path) == day)
