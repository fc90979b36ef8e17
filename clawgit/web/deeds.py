"""What the forms of the page do: one command each, as the operator."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from clawgit.web.asking import Asker
from clawgit.web.items import ITEMS, Item, seal

Form = Mapping[str, str]


class Deed(NamedTuple):
    """A form: the kind of what it acts on, the words of its command, what it says at the end."""

    kind: str
    words: Callable[[Item, Form], list[str]]
    done: str


class OutdatedError(Exception):
    """What the form was about has changed since the page was shown."""

    def __init__(self, item: Item) -> None:
        super().__init__()
        self.item = item


def _settle(way: str) -> Callable[[Item, Form], list[str]]:
    return lambda item, _: ["corrections", "settle", way, "--", item["id"]]


def _resolve(side: str) -> Callable[[Item, Form], list[str]]:
    return lambda item, _: ["conflicts", "resolve", "--keep", side, "--", item["id"]]


DEEDS: dict[str, Deed] = {
    "undo": Deed("change", lambda item, _: ["undo", "--", item["sha"]], "Taken back."),
    "edit": Deed(
        "entry",
        lambda item, form: ["memory", "edit", "--", item["key"], form.get("text", "")],
        "Changed.",
    ),
    "remove": Deed("entry", lambda item, _: ["memory", "rm", "--", item["key"]], "Removed."),
    "correct": Deed(
        "entry",
        lambda item, form: [
            "corrections",
            "add",
            f"--was={item['key']}",
            "--",
            form.get("text", ""),
        ],
        "Corrected.",
    ),
    "accept": Deed("correction", _settle("--accept"), "The offered sentence is right now."),
    "keep": Deed("correction", _settle("--keep"), "The entry stays as it is."),
    "dismiss": Deed("correction", _settle("--dismiss"), "It was no correction."),
    "settle": Deed(
        "correction",
        lambda item, form: ["corrections", "settle", "--", item["id"], form.get("text", "")],
        "Settled.",
    ),
    "keep-a": Deed("conflict", _resolve("a"), "The first one stays."),
    "keep-b": Deed("conflict", _resolve("b"), "The second one stays."),
    "keep-both": Deed("conflict", _resolve("both"), "Both stay."),
    "approve": Deed(
        "proposal",
        lambda item, _: ["soul", "approve", f"--seen={item['sha']}", "--", item["id"]],
        "Approved.",
    ),
    "reject": Deed(
        "proposal",
        lambda item, form: ["soul", "reject", f"--reason={form.get('text', '')}", "--", item["id"]],
        "Rejected.",
    ),
    "seen": Deed("alert", lambda item, _: ["status", f"--ack={item['id']}"], "Seen."),
}


def do(ask: Asker, name: str, form: Form) -> Any:
    """Runs the command of a form, if what it is about is still as it was shown."""
    deed = DEEDS[name]
    ask.forget()  # an answer of a second ago may be the very page that the form came from
    item = ITEMS[deed.kind](ask, form.get("id", ""))
    if seal(item) != form.get("seal"):
        raise OutdatedError(item)
    return ask.write(*deed.words(item, form))
