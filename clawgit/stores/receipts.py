"""What we changed in files of other programs; a copy of each file is stored next to those of
state.
"""

import hashlib
import json
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from clawgit.stores.plainfile import put_in_place
from clawgit.stores.xdg import state_home

_RECEIPT = "receipt.json"


class Owner(NamedTuple):
    """A connection: the workspace, the program, its project and the server's name there, "" for the
    usual ones.
    """

    root: str
    client: str
    project: str = ""
    name: str = ""


class Receipt(NamedTuple):
    """A change of one file of another program.

    `before` is the text without our changes, None if there was no file. `after` is the mark of the
    text that we left, "" if others have written since. `made` are folders that we made, the
    innermost first.
    """

    before: str | None
    after: str
    owners: tuple[Owner, ...]
    made: tuple[str, ...] = ()


class Receipts:
    """The receipts of one user, one per file.

    Only the user can read them, since configs have keys.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def copy_of(self, path: Path) -> Path:
        """The copy of a file as it was before."""
        return self._place(path) / path.name

    def get(self, path: Path) -> Receipt | None:
        """The receipt of a file; None if there is none that can be read."""
        try:
            stored = json.loads((self._place(path) / _RECEIPT).read_text("utf-8"))
            copy = self.copy_of(path)
            before = copy.read_bytes().decode("utf-8") if stored["existed"] else None
            owners = tuple(Owner(*owner) for owner in stored["owners"])
            return Receipt(before, stored["after"], owners, tuple(stored["made"]))
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def of(self, root: Path) -> list[tuple[Path, Owner]]:
        """The files that were changed for a workspace, in order, each with its connections."""
        rows = []
        for receipt in self._folder.glob(f"*/{_RECEIPT}"):
            with suppress(OSError, ValueError, KeyError, TypeError):
                stored = json.loads(receipt.read_text("utf-8"))
                owners = [Owner(*owner) for owner in stored["owners"]]
                path = Path(stored["path"])
                rows += [(path, owner) for owner in owners if owner.root == str(root)]
        return sorted(rows)

    def put(self, path: Path, receipt: Receipt) -> None:
        place = self._place(path)
        place.mkdir(parents=True, exist_ok=True, mode=0o700)
        if receipt.before is not None:
            put_in_place(self.copy_of(path), receipt.before.encode(), 0o600)
        note = {
            "path": str(path), "existed": receipt.before is not None, "after": receipt.after,
            "owners": [*receipt.owners], "made": [*receipt.made],
        }  # fmt: skip
        text = json.dumps(note, ensure_ascii=False, indent=2) + "\n"
        put_in_place(place / _RECEIPT, text.encode(), 0o600)

    def drop(self, path: Path) -> None:
        """Deletes the receipt of a file; the copy stays."""
        (self._place(path) / _RECEIPT).unlink(missing_ok=True)

    def _place(self, path: Path) -> Path:
        digest = hashlib.sha256(os.fsencode(path)).hexdigest()[:12]
        return self._folder / f"{path.name.lstrip('.')}-{digest}"


def receipts_of(env: Mapping[str, str], home: Path) -> Receipts:
    return Receipts(state_home(env, home) / "clawgit" / "connected")


def mark_of(text: str | None) -> str:
    """A short mark of a text; "" marks none."""
    return "" if text is None else hashlib.sha256(text.encode()).hexdigest()
