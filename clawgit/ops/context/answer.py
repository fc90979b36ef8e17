"""The result of `context`: its slots, and what they were made from."""

from dataclasses import dataclass
from datetime import datetime

from clawgit.domain.context.slot import ContextChoice


@dataclass(frozen=True, slots=True)
class ShownSlot:
    """A slot.

    `budget` is None if none applies. `truncated` lists the sources that had no room, or says how a
    file was cut. `own`, `lent`, `stolen` and `given` make up its room. `taken` and `left` are
    filled by --explain.
    """

    name: str
    budget: int | None
    tokens: int
    sources: tuple[str, ...]
    truncated: tuple[str, ...]
    text: str
    own: int = 0
    lent: int = 0
    stolen: int = 0
    given: int = 0
    taken: tuple[ContextChoice, ...] | None = None
    left: tuple[ContextChoice, ...] | None = None


@dataclass(frozen=True, slots=True)
class Context:
    """The whole context is the texts of the slots, with blank lines between them; `used` counts its
    tokens, `counted` says by what. `at` is the commit that it is made from, None for the files on
    disk. `notes` say what was unusual.
    """

    budget: int | None
    used: int
    slots: tuple[ShownSlot, ...]
    style: str
    session: str
    now: datetime
    at: str | None
    notes: tuple[str, ...]
