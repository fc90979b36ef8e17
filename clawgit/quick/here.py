"""What a plain command does in this process, without click."""

from typing import TYPE_CHECKING

from clawgit.cli.given import Options
from clawgit.cli.loading import load

if TYPE_CHECKING:
    from clawgit.quick.entry import Plain
    from clawgit.stores.asking import Asked


def run(typed: "Plain", asked: "Asked | None") -> None:
    """Does what was typed, and ends the process; returns where the usual way must explain what is
    wrong. `asked`: the service was asked to do it, and may have done so.
    """
    given = Options(asked)
    given.directory = typed.last("directory") or None
    given.actor = typed.last("actor") or None
    given.as_json = typed.as_json
    act = "writing:write" if typed.command[-1] == "add" else "searching:search"
    load(f"clawgit.quick.{act}")(typed, given)
