"""When the last deep check was, and what it left. The file can be deleted; then there was none."""

import json
from contextlib import suppress
from datetime import datetime

from clawgit.ops.health.finding import Finding, Site, plural, several
from clawgit.stores.git.place import RepoPlace
from clawgit.values import NamedTuple

_FILE = "doctor.json"
_NEXT = "clawgit doctor --deep"


class DeepCheck(NamedTuple):
    """`time` is None if there was none; `problems` are the names of the checks that failed."""

    time: datetime | None = None
    problems: tuple[str, ...] = ()


def look_at_deep(site: Site) -> Finding:
    """A problem of the last deep check stays a problem until another deep check no longer finds
    it.
    """
    last = last_deep_check(site.place)
    if last.time is None:
        return Finding(True, f"all objects, all commits: not checked yet ({_NEXT})")
    day = f"{last.time:%Y-%m-%d}"
    if not last.problems:
        return Finding(True, f"all objects, all commits: checked on {day}, all well ({_NEXT})")
    left = f"{plural(len(last.problems), 'problem')}: {several(list(last.problems))}"
    return Finding(False, f"on {day} the deep check found {left}", _NEXT)


def last_deep_check(place: RepoPlace) -> DeepCheck:
    try:
        kept = json.loads((place.shared / _FILE).read_bytes())
        return DeepCheck(datetime.fromisoformat(kept["time"]), tuple(map(str, kept["problems"])))
    except (OSError, ValueError, KeyError, TypeError):
        return DeepCheck()


def remember_deep_check(place: RepoPlace, done: DeepCheck) -> None:
    """Records a deep check. If nothing can be written, it counts as not done."""
    if done.time is None:
        return
    kept = {"time": done.time.isoformat(), "problems": done.problems}
    with suppress(OSError):
        place.shared.mkdir(exist_ok=True)
        temp = place.shared / f"{_FILE}.new"
        temp.write_text(json.dumps(kept), "utf-8")
        temp.replace(place.shared / _FILE)
