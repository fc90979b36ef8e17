"""The time zone of a workspace whose settings name none: that of the caller's system."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from clawgit.git.gitdir import repo_at
from clawgit.git.rules.actors import OPERATOR
from clawgit.workspace.workspace import Caller, Workspace
from tests.conftest import Git


def test_it_tells_the_time_as_the_system_does(ws: Git) -> None:
    place, now = repo_at(ws.root), datetime(2026, 7, 1, 23, tzinfo=UTC)
    assert place is not None
    told = {
        name: Workspace(place, Caller(OPERATOR, {"TZ": name}, now, ws.root)).local_now.isoformat()
        for name in ("UTC", "Etc/UTC", "Europe/Berlin", "Asia/Seoul")
    }
    assert told == {name: now.astimezone(ZoneInfo(name)).isoformat() for name in told}
