"""A statement by which the operator sets something right, as it was read; and the talk in which he made it."""

from datetime import datetime
from typing import NamedTuple


class Objection(NamedTuple):
    """A statement that may set something right. `value` is what is right, with the words that lead to it; `wrong` what
    it stands against, "" where he does not say. `firm`: he says that something was wrong or forgotten. `whole`: the
    statement stands by itself, and needs nothing that was said before to be understood.
    """

    said: str
    value: str
    wrong: str = ""
    firm: bool = False
    whole: bool = False
    changed: bool = False
    """He tells that something is now otherwise, be it that nobody was wrong."""
    around: str = ""
    """The sentence of which it is a part."""
    over: str = ""
    """What another clause says to be over: where the talk or an entry holds it, this stands in its place."""


class Scene(NamedTuple):
    """In what talk a correction was said: the operator's name, what he had asked, what the agent said, and when."""

    operator: str
    question: str
    turn: str
    time: datetime
