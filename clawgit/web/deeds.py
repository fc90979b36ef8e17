"""What the forms of the page do: one command each, as the operator."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from clawgit.errors import ClawgitError
from clawgit.web.asking import Asker
from clawgit.web.items import ITEMS, Item, is_as_shown, said, said_then, seal
from clawgit.web.wording import bare, by_word

Form = Mapping[str, str]
Values = dict[str, Any]


class Deed(NamedTuple):
    """A form: the kind of what it acts on, the words of its command, what it says at the end.

    `undo` is the form that takes it back: of the commit that it made, or of what it acted on; ""
    if nothing does.
    """

    kind: str
    words: Callable[[Item, Form], list[str]]
    done: str
    undo: str = "undo"


class OutdatedError(Exception):
    """What the form was about has changed since the page was shown.

    `item` is what it is now; None if it is not there, and `trouble` says so.
    """

    def __init__(self, item: Item | None, trouble: str = "") -> None:
        super().__init__()
        self.item, self.trouble = item, trouble


def _settle(way: str) -> Callable[[Item, Form], list[str]]:
    return lambda item, _: ["corrections", "settle", way, "--", item["id"]]


def _resolve(side: str, *more: str) -> Callable[[Item, Form], list[str]]:
    return lambda item, _: ["conflicts", "resolve", "--keep", side, *more, "--", item["id"]]


def _reworded(side: str) -> Callable[[Item, Form], list[str]]:
    return lambda item, form: _resolve(side, f"--text={form.get('text', '')}")(item, form)


def _trust(item: Item, _: Form) -> list[str]:
    """Accepts what was shown, and nothing else."""
    return ["trust", f"--seen={item['seen']}", "--", item["key"]]


DEEDS: dict[str, Deed] = {
    "undo": Deed("change", lambda item, _: ["undo", "--", item["sha"]], "Taken back."),
    "edit": Deed(
        "entry",
        lambda item, form: ["memory", "edit", "--", item["key"], form.get("text", "")],
        "The entry was reworded.",
    ),
    "remove": Deed(
        "entry", lambda item, _: ["memory", "rm", "--", item["key"]], "The entry was removed."
    ),
    "correct": Deed(
        "entry",
        lambda item, form: [
            "corrections",
            "add",
            f"--was={item['key']}",
            "--",
            form.get("text", ""),
        ],
        "The entry was corrected.",
    ),
    "restore": Deed(
        "life",
        lambda item, _: ["memory", "add", f"--to={item['path']}", "--", bare(item["text"])],
        "The entry is there again.",
    ),
    "accept": Deed("correction", _settle("--accept"), "The memory says the offered sentence now."),
    "keep": Deed("correction", _settle("--keep"), "The memory stays as it is."),
    "dismiss": Deed("correction", _settle("--dismiss"), "It counts as no correction."),
    "settle": Deed(
        "correction",
        lambda item, form: ["corrections", "settle", "--", item["id"], form.get("text", "")],
        "The memory says your sentence now.",
    ),
    "keep-a": Deed("conflict", _resolve("a"), "The first one holds."),
    "keep-b": Deed("conflict", _resolve("b"), "The second one holds."),
    "keep-both": Deed("conflict", _resolve("both"), "Both hold."),
    "only-a": Deed("conflict", _resolve("a", "--whole"), "Only the first one holds."),
    "only-b": Deed("conflict", _resolve("b", "--whole"), "Only the second one holds."),
    "reword-a": Deed("conflict", _reworded("b"), "The first one says your sentence now."),
    "reword-b": Deed("conflict", _reworded("a"), "The second one says your sentence now."),
    "approve": Deed(
        "proposal",
        lambda item, _: ["soul", "approve", f"--seen={item['sha']}", "--", item["id"]],
        "The proposed change was made.",
    ),
    "reject": Deed(
        "proposal",
        lambda item, form: ["soul", "reject", f"--reason={form.get('text', '')}", "--", item["id"]],
        "The proposal was rejected.",
        "reopen",
    ),
    "reopen": Deed(
        "rejected",
        lambda item, _: ["soul", "reject", "--back", "--", item["id"]],
        "The proposal waits again.",
        "",
    ),
    "accept-setting": Deed("setting", _trust, "The setting is in force.", "withdraw"),
    "accept-text": Deed("text", _trust, "The agent may read this text.", "withdraw"),
    "withdraw": Deed(
        "consent",
        lambda item, _: ["trust", "--revoke", "--", item["key"]],
        "Nothing is accepted there any more.",
        "",
    ),
    "seen": Deed("alert", lambda item, _: ["status", f"--ack={item['id']}"], "Seen.", ""),
}


def do(ask: Asker, name: str, form: Form) -> Values:
    """Runs the command of a form, if what it is about is still as it was shown. Returns what its
    page says then, and the form that takes it back.
    """
    deed = DEEDS[name]
    ask.forget()  # an answer of a second ago may be the very page that the form came from
    item = _item(ask, deed.kind, form)
    if not is_as_shown(item, form.get("seal", "")):
        raise OutdatedError(item)
    done = ask.write(*deed.words(item, form))
    return {
        "says": done.get("note") or deed.done,
        "entry": (done.get("entry") or {}).get("key", ""),
        **_undo(ask, deed, done, form),
    }


def _item(ask: Asker, kind: str, form: Form) -> Item:
    try:
        return ITEMS[kind](ask, form.get("id", ""))
    except ClawgitError as error:
        raise OutdatedError(None, error.message) from error


def _undo(ask: Asker, deed: Deed, done: Mapping[str, Any], form: Form) -> Values:
    """The form that takes a deed back on the spot, if one does."""
    ident = form["id"] if deed.undo != "undo" else done.get("id") or done.get("commit")
    if not deed.undo or not ident or done.get("parked"):
        return {"deed": "", "change": ""}
    change = ident if deed.undo == "undo" else ""
    sealed = seal(ITEMS[DEEDS[deed.undo].kind](ask, ident))
    again = {"deed": deed.undo, "label": "Take it back", "id": ident, "seal": sealed}
    return {**again, "change": change, "text": ""}


def what_changed(ask: Asker, form: Form, outdated: OutdatedError) -> Values:
    """What was shown beside what is there now, word by word, and the change that came between."""
    was, now = said_then(form.get("seal", "")), said(outdated.item or {})
    names = [name for name in {**was, **now} if was.get(name) != now.get(name)] if was else []
    newest = ask.read("log", "-n", "1")["commits"]
    if outdated.item and "mentions" in outdated.item:
        newest = ask.read("why", "--", outdated.item["key"])["changes"][:1]
    return {
        "item": outdated.item,
        "trouble": outdated.trouble,
        "moved": [(name, by_word(was.get(name, ""), now.get(name, ""))) for name in names],
        "newest": newest,
    }
