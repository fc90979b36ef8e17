"""Settings that are kept are those that are set, whatever was changed since."""

import json
import os
import subprocess
import sys
from pathlib import Path
from zlib import crc32

import pytest

from clawgit.domain.change.actors import OPERATOR
from clawgit.ops.workspace.kept_config import kept_config, read_config
from clawgit.ops.workspace.workspace import Caller, Workspace
from clawgit.stores.git.gitdir import repo_at
from tests.conftest import NOW, Git

_CONFIG = """# Settings

```yaml
max_results: 9
heartbeat_custom_patterns:
  - {pattern: "/urgent/i", route: pager, confidence: high}
extra_paths: [notes, more]
no_such_key: 1
```
"""


@pytest.fixture
def configured(ws: Git) -> Workspace:
    ws.write("CONFIG.md", _CONFIG)
    place = repo_at(ws.root)
    assert place is not None
    place.shared.mkdir()
    return Workspace(place, Caller(OPERATOR, {}, NOW, Path(os.environ["HOME"])))


def test_what_is_kept_says_the_same_as_what_is_read(configured: Workspace) -> None:
    read = read_config(configured.root, configured.caller)
    first, again = (kept_config(configured.place, configured.caller) for _ in range(2))
    assert first == read
    assert again == read
    assert again.origin("max_results") == "CONFIG.md:4"
    assert [problem.key for problem in again.problems] == ["no_such_key"]


def test_an_edit_counts_at_once(configured: Workspace) -> None:
    kept_config(configured.place, configured.caller)
    (configured.root / "CONFIG.md").write_text(_CONFIG.replace("9", "8"), "utf-8")
    assert kept_config(configured.place, configured.caller).settings.max_results == 8


def test_a_changed_config_of_openclaw_counts_at_once(configured: Workspace) -> None:
    state = configured.caller.home / ".openclaw"
    state.mkdir(parents=True)
    told = {
        "agents": {
            "defaults": {
                "workspace": str(configured.root),
                "memorySearch": {"query": {"minScore": 0.5}},
            }
        }
    }
    assert kept_config(configured.place, configured.caller).settings.min_score == 0.35
    (state / "openclaw.json").write_text(json.dumps(told), "utf-8")
    assert kept_config(configured.place, configured.caller).settings.min_score == 0.5


def test_what_the_environment_sets_is_never_written_down(configured: Workspace) -> None:
    secret = "postgresql://me:hush@localhost/chat"  # noqa: S105 - nobody's password
    asker = configured.caller._replace(env={**configured.caller.env, "CLAWGIT_CHAT_STORE": secret})
    assert kept_config(configured.place, asker).settings.chat_store == secret
    for asked in (configured.caller, asker):
        kept_config(configured.place, asked)
        assert "hush" not in (configured.place.shared / "settings.json").read_text("utf-8")
    assert kept_config(configured.place, asker).settings.chat_store == secret


@pytest.mark.parametrize("broken", ["", "{", "[]", '{"sources": 1}'])
def test_a_broken_file_is_read_over(configured: Workspace, broken: str) -> None:
    (configured.place.shared / "settings.json").write_text(broken, "utf-8")
    assert kept_config(configured.place, configured.caller).settings.max_results == 9


def test_a_process_that_stays_open_follows_each_change_of_the_record(
    configured: Workspace,
) -> None:
    def in_force() -> int:
        return kept_config(configured.place, configured.caller).settings.max_results

    file = configured.place.shared / "settings.json"
    assert [in_force(), in_force()] == [9, 9]
    _, _, text = file.read_bytes().partition(b"\n")
    other = text.replace(b'"max_results": 9', b'"max_results": 7')
    file.write_bytes(b"%08x\n" % crc32(other) + other)
    assert in_force() == 7
    file.write_bytes(b"%08x\n" % crc32(text) + other)  # a flipped bit
    assert in_force() == 9
    (configured.root / "CONFIG.md").write_text(_CONFIG.replace("9", "8"), "utf-8")
    assert in_force() == 8


def test_only_its_owner_can_read_it(configured: Workspace) -> None:
    kept_config(configured.place, configured.caller)
    assert (configured.place.shared / "settings.json").stat().st_mode & 0o777 == 0o600


def test_yaml_is_not_loaded_for_settings_that_are_kept(configured: Workspace) -> None:
    code = (
        "import sys; from pathlib import Path; from datetime import datetime, UTC\n"
        "from clawgit.domain.change.actors import AGENT; from clawgit.ops.workspace.workspace "
        "import Caller\n"
        "from clawgit.ops.workspace.kept_config import kept_config; from "
        "clawgit.stores.git.gitdir import find_repo\n"
        f"caller = Caller(AGENT, {{}}, datetime.now(UTC), Path({str(configured.caller.home)!r}))\n"
        f"print(kept_config(find_repo(Path({str(configured.root)!r})), "
        "caller).settings.max_results)\n"
        "print('yaml' in sys.modules)"
    )
    kept_config(configured.place, configured.caller)
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={**os.environ}
    )
    assert done.stdout.split() == ["9", "False"]


def test_without_state_nothing_is_kept(tmp_path: Path, configured: Workspace) -> None:
    place = configured.place._replace(common_dir=tmp_path / "elsewhere")
    assert kept_config(place, configured.caller).settings.max_results == 9
    assert not place.shared.exists()
