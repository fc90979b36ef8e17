"""What the forms of the page do: one command each, as the operator."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from clawgit.errors import ClawgitError
from clawgit.web.asking import Asker, Values
from clawgit.web.items import ITEMS, Item, said, seal
from clawgit.web.wording import bare

Form = Mapping[str, str]


class Deed(NamedTuple):
    """A form: the kind of what it acts on, its command, what its page says at the end.

    A word of the command may name what it acts on, and `typed`, what was written in the form.
    `undo` is the form that takes it back: of the commit that it made, or of what it acted on; ""
    if nothing does.
    """

    kind: str
    command: str
    done: str
    undo: str = "undo"

    def words(self, item: Item, form: Form) -> list[str]:
        known = {**item, "typed": form.get("text", ""), "said": bare(str(item.get("text", "")))}
        return [word.format_map(known) for word in self.command.split()]


class OutdatedError(Exception):
    """What the form was about has changed since the page was shown.

    `item` is what it is now; None if it is not there, and `trouble` says so.
    """

    def __init__(self, item: Item | None, trouble: str = "") -> None:
        super().__init__()
        self.item, self.trouble = item, trouble


_ACCEPT = "trust --seen={seen} -- {key}"

DEEDS: dict[str, Deed] = {
    "undo": Deed("change", "undo -- {sha}", "Taken back.", "redo"),
    "redo": Deed("change", "undo -- {sha}", "Brought back."),
    "edit": Deed("entry", "memory edit -- {key} {typed}", "The entry was reworded."),
    "remove": Deed("entry", "memory rm -- {key}", "The entry was removed."),
    "correct": Deed("entry", "corrections add --was={key} -- {typed}", "The entry was corrected."),
    "restore": Deed("life", "memory add --to={path} -- {said}", "The entry is there again."),
    "accept": Deed("correction", "corrections settle --accept -- {id}", "The memory says so now."),
    "keep": Deed("correction", "corrections settle --keep -- {id}", "The memory stays as it is."),
    "dismiss": Deed("correction", "corrections settle --dismiss -- {id}", "It is no correction."),
    "settle": Deed("correction", "corrections settle -- {id} {typed}", "The memory says so now."),
    "keep-a": Deed("conflict", "conflicts resolve --keep a -- {id}", "The first one holds."),
    "keep-b": Deed("conflict", "conflicts resolve --keep b -- {id}", "The second one holds."),
    "keep-both": Deed("conflict", "conflicts resolve --keep both -- {id}", "Both hold."),
    "only-a": Deed("conflict", "conflicts resolve --keep a --whole -- {id}", "The first holds."),
    "only-b": Deed("conflict", "conflicts resolve --keep b --whole -- {id}", "The second holds."),
    "approve": Deed(
        "proposal",
        "soul approve --seen={sha} -- {id}",
        "It was made. Taken back, it is not proposed again.",
    ),
    "reject": Deed(
        "proposal", "soul reject --reason={typed} -- {id}", "The proposal was rejected.", "reopen"
    ),
    "reopen": Deed("rejected", "soul reject --back -- {id}", "The proposal waits again.", ""),
    "accept-setting": Deed("setting", _ACCEPT, "The setting is in force.", "withdraw"),
    "accept-text": Deed("text", _ACCEPT, "The agent may read this text.", "withdraw"),
    "withdraw": Deed("consent", "trust --revoke -- {key}", "Nothing is accepted there now.", ""),
    "seen": Deed("alert", "status --ack={id}", "Seen.", ""),
}


def do(ask: Asker, name: str, form: Form) -> Values:
    """Runs the command of a form, if what it is about is still as it was shown. Returns what its
    page says then, and the form that takes it back.
    """
    deed = DEEDS[name]
    ask.forget()  # an answer of a second ago may be the very page that the form came from
    item = _item(ask, deed.kind, form)
    if seal(item) != form.get("seal"):
        raise OutdatedError(item)
    done = ask.write(*deed.words(item, form))
    is_changed = bool(done.get("id") or done.get("commit")) or deed.undo not in _UNDOS
    return {
        "says": done.get("note") or (deed.done if is_changed else "Nothing was changed by that."),
        "entry": (done.get("entry") or {}).get("key", ""),
        **_undo(ask, deed, done, form),
    }


_UNDOS = {"undo": "Take it back", "redo": "Bring it back"}
"""The forms that take back a commit, whoever made it."""


def _item(ask: Asker, kind: str, form: Form) -> Item:
    try:
        return ITEMS[kind](ask, form.get("id", ""))
    except ClawgitError as error:
        raise OutdatedError(None, error.message) from error


def _undo(ask: Asker, deed: Deed, done: Mapping[str, Any], form: Form) -> Values:
    """The form that takes a deed back on the spot, if one does."""
    is_commit = deed.undo in _UNDOS
    ident = done.get("id") or done.get("commit") if is_commit else form["id"]
    if not deed.undo or not ident or done.get("parked"):
        return {"deed": "", "change": ""}
    sealed = seal(ITEMS[DEEDS[deed.undo].kind](ask, ident))
    label = _UNDOS.get(deed.undo, "Take it back")
    again = {"deed": deed.undo, "label": label, "id": ident, "seal": sealed, "text": ""}
    return {**again, "change": ident if is_commit else ""}


def what_changed(ask: Asker, outdated: OutdatedError) -> Values:
    """What is there now, and the change that came between."""
    newest = ask.read("log", "-n", "1")["commits"]
    if outdated.item and "mentions" in outdated.item:
        newest = ask.read("why", "--", outdated.item["key"])["changes"][:1]
    return {
        "item": outdated.item,
        "trouble": outdated.trouble,
        "now": said(outdated.item or {}),
        "newest": newest,
    }
