"""The inspector of the protocol's authors, from npm, lists and calls every tool."""

import json
import os
import pwd
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Git
from tests.front.mcp.fronts import CALLS, made
from tests.front.mcp.test_stdio import command

pytestmark = pytest.mark.host

INSPECTOR = "@modelcontextprotocol/inspector@2.12.0"


def inspected(*arguments: str) -> Any:
    """What the inspector prints. Its packages come from the user's own cache, not from the home of
    the test."""
    npx = shutil.which("npx")
    assert npx, "npx comes with Node"
    cache = Path(pwd.getpwuid(os.getuid()).pw_dir) / ".npm"
    done = subprocess.run(
        [npx, "-y", INSPECTOR, "--cli", *arguments],
            env={**os.environ, "npm_config_cache": str(cache)},
        capture_output=True, text=True, check=False, timeout=110,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_it_lists_every_tool(ws: Git) -> None:
    made(ws)
    listed = inspected(*command(ws.root), "--method", "tools/list")["tools"]
    assert [tool["name"] for tool in listed] == [*CALLS]
    assert all(tool["inputSchema"]["additionalProperties"] is False for tool in listed)
