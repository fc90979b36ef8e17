"""A front end of the tests' own, and every tool with a call that does something."""

from pathlib import Path
from typing import Any

from clawgit.front.mcp.tools import TOOLS
from clawgit.front.mcp.worker import Front, Worker
from clawgit.git.rules.actors import AGENT
from tests.conftest import NOW, Git
from tests.making import asker
from tests.trusting import accept_settings

CONFIG = "# Config\n\n```yaml\nsearch_mode: core\n```\n"

CALLS: dict[str, dict[str, Any]] = {
    "memory_search": {"query": "what does billing use"},
    "memory_get": {"path": "MEMORY.md"},
    "memory_add": {"text": "The heron is grey.", "dryRun": True},
    "memory_list": {"tag": "decision"},
    "memory_edit": {"id": "MEMORY.md:3", "text": "Billing uses PostgreSQL 17.", "dryRun": True},
    "memory_rm": {"ids": ["MEMORY.md:3"], "dryRun": True},
    "memory_why": {"place": "MEMORY.md:3"},
    "memory_conflicts": {"all": True},
    "correction_add": {
        "text": "Billing uses MySQL.",
        "was": "Billing uses PostgreSQL.",
        "dry_run": True,
    },
    "context": {"message": "what does billing use"},
    "soul_show": {},
    "soul_log": {"limit": 3},
    "soul_diff": {},
    "soul_propose": {"add": "Ask first.", "reason": "asked twice", "dry_run": True},
    "history_log": {"path": "MEMORY.md"},
    "history_diff": {"stat": True},
    "status": {},
}
"""A call for each tool that needs no leave."""


def front(root: Path) -> Front:
    return Front(root, asker(AGENT), lambda: NOW)


def made(ws: Git, config: str = CONFIG) -> Git:
    """A workspace that is one of clawgit's."""
    ws.write("CONFIG.md", config)
    accept_settings(ws.root)
    ws.commit_all("settings")
    return ws


def call(desk: Worker, name: str, **arguments: Any) -> Any:
    """The value of a call that must succeed."""
    answer = desk.answer("tests", TOOLS[name], arguments)
    desk.tidy()
    assert not answer.failed, answer.texts
    return answer.value


def refused(desk: Worker, name: str, **arguments: Any) -> Any:
    answer = desk.answer("tests", TOOLS[name], arguments)
    desk.tidy()
    assert answer.failed, answer.texts
    return answer.value["error"]
