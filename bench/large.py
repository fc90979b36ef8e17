"""`python -m bench large [--files N] [--items M]`: what a large workspace costs.

CPU and memory of each process, each beside a reference on the same files in the same run: git, one
table of FTS5, and an MCP server that answers a constant.
"""

import json
import os
import random
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from bench.lab import Lab, open_lab

FILES, ITEMS = 20_000, 200_000
_ANSWERS = 100
_QUESTION = "harbour parcel"
_SYLLABLES = [
    "ba",
    "ker",
    "to",
    "li",
    "mon",
    "sa",
    "ru",
    "ve",
    "ni",
    "do",
    "pe",
    "ga",
    "shi",
    "tor",
    "el",
    "an",
]
_REPO = Path(__file__).resolve().parent.parent
_CLAWGIT = str(Path(sys.executable).with_name("clawgit"))

_FTS = """import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
print(len(db.execute("SELECT rowid FROM t WHERE t MATCH ? ORDER BY rank LIMIT 6", [sys.argv[2]])
    .fetchall()))"""

_BARE = """import asyncio
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp_types import CallToolResult, ListToolsResult, TextContent
async def tools(_, __):
    return ListToolsResult(tools=[])
async def call(_, __):
    return CallToolResult(content=[TextContent(type="text", text="x" * 1300)])
async def main():
    server = Server("bare", on_list_tools=tools, on_call_tool=call)
    async with stdio_server() as (reader, writer):
        await server.run(reader, writer, server.create_initialization_options())
asyncio.run(main())"""


class Cost(NamedTuple):
    """CPU seconds, and the most MB in memory, of a process and of those that it waited for."""

    cpu: float
    peak: float


def report(files: int = FILES, items: int = ITEMS) -> str:
    with tempfile.TemporaryDirectory(prefix="clawgit-bench-") as folder:
        lab = open_lab(Path(folder))
        rows = [*_measured(lab, files, items)]
    heading = [f"{files:,} files, {items:,} items", "", "| what | ours | reference | ratio | MB |"]
    return "\n".join([*heading, "| --- | --- | --- | --- | --- |", *rows])


def _measured(lab: Lab, files: int, items: int) -> list[str]:
    ours, theirs = lab.root / "ours", lab.root / "theirs"
    for root in (ours, theirs):
        root.mkdir()
        lab.finish(root, "git", "init", "-q")
    lab.finish(ours, _CLAWGIT, "init")
    # In a process of its own: what a parent has in memory counts as its children's, too.
    code = f"import sys; sys.path.insert(0, {str(_REPO)!r}); from bench.large import plant; plant"
    lab.finish(lab.root, sys.executable, "-c", f"{code}({files}, {items})")
    table = lab.root / "fts.db"
    asked = (_CLAWGIT, "memory", "search", _QUESTION)
    commit = _cost(lab, theirs, "sh", "-c", "git add -A && git commit -qm all")
    rows = [_row("snapshot of new files", _cost(lab, ours, _CLAWGIT, "snapshot"), commit)]
    status = _cost(lab, theirs, "git", "status", "--porcelain")
    rows.append(_row("snapshot, unchanged", _cost(lab, ours, _CLAWGIT, "snapshot"), status))
    rows.append(_row("first search (as git commits)", _cost(lab, ours, *asked), commit))
    query = _cost(lab, theirs, sys.executable, "-c", _FTS, str(table), _QUESTION)
    rows.append(_row("next search", _cost(lab, ours, *asked), query))
    bare = _answers(lab, theirs, sys.executable, "-c", _BARE)
    rows.append(_row(f"MCP, {_ANSWERS} answers", _answers(lab, ours, _CLAWGIT, "mcp"), bare))
    return rows


def plant(files: int, items: int) -> None:
    """Makes both trees and the table, below the current folder."""
    lines = _planted(files, items, (Path("ours"), Path("theirs")))
    with sqlite3.connect("fts.db") as db:
        db.execute("CREATE VIRTUAL TABLE t USING fts5(words, tokenize='porter ascii')")
        db.executemany("INSERT INTO t VALUES (?)", ((line,) for line in lines))


def _planted(files: int, items: int, roots: Sequence[Path]) -> list[str]:
    """Writes the same plain text each time; returns its items."""
    chance = random.Random(7)
    words = ["".join(chance.choices(_SYLLABLES, k=3)) for _ in range(20_000)]
    words[40], words[400] = _QUESTION.split()
    pool = chance.choices(words, [1 / (at + 1) for at in range(len(words))], k=300_000)
    lines = list[str]()
    for number in range(files):
        begun = [chance.randrange(len(pool) - 10) for _ in range(max(items // files, 1))]
        own = [f"- {' '.join(pool[at : at + 10])}\n" for at in begun]
        lines += own
        for root in roots:
            file = root / f"memory/topics/t{number % 100:02}/n{number:06}.md"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(f"# Note {number}\n\n{''.join(own)}")
    return lines


def _row(what: str, ours: Cost, theirs: Cost) -> str:
    ratio = ours.cpu / max(theirs.cpu, 0.001)
    return f"| {what} | {ours.cpu:.2f} s | {theirs.cpu:.2f} s | {ratio:.1f} | {ours.peak:.0f} |"


def _cost(lab: Lab, root: Path, *argv: str) -> Cost:
    null = subprocess.DEVNULL
    return _waited(subprocess.Popen(argv, cwd=root, env=lab.env, stdin=null, stdout=null))


def _answers(lab: Lab, root: Path, *argv: str) -> Cost:
    """Of a server that answers questions one by one; its start is counted, too."""
    pipe = subprocess.PIPE
    server = subprocess.Popen(argv, cwd=root, env=lab.env, stdin=pipe, stdout=pipe)
    about = {"protocolVersion": "2025-06-18", "capabilities": {}}
    client = {"clientInfo": {"name": "bench", "version": "1"}}
    _ask(server, 0, "initialize", {**about, **client})
    _send(server, {"method": "notifications/initialized"})
    call = {"name": "memory_search", "arguments": {"query": _QUESTION}}
    for number in range(1, _ANSWERS + 1):
        _ask(server, number, "tools/call", call)
    assert server.stdin is not None
    server.stdin.close()
    return _waited(server)


def _ask(server: "subprocess.Popen[bytes]", number: int, method: str, params: object) -> None:
    _send(server, {"id": number, "method": method, "params": params})
    assert server.stdout is not None
    while json.loads(server.stdout.readline()).get("id") != number:
        pass


def _send(server: "subprocess.Popen[bytes]", message: dict[str, object]) -> None:
    assert server.stdin is not None
    server.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
    server.stdin.flush()


def _waited(process: "subprocess.Popen[bytes]") -> Cost:
    _, code, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(code)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, process.args)
    return Cost(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)
