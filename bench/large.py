"""`python -m bench large [--files N] [--items M]`: what a large workspace costs.

CPU and memory of each process, each beside a reference on the same files in the same run: git, one
table of FTS5, and an MCP server that answers a constant. Then several clients at once, each with an
MCP server of its own.
"""

import json
import os
import random
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

from bench.lab import Lab, open_lab

FILES, ITEMS = 20_000, 200_000
_CLIENTS = (1, 2, 4, 8)
_WARM, _ANSWERS = 25, 800
"""Questions of each client before it is measured, and of all clients together."""

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


Server = subprocess.Popen[bytes]


class Cost(NamedTuple):
    """CPU seconds, and the most MB in memory, of a process and of those that it waited for."""

    cpu: float
    peak: float


def report(files: int = FILES, items: int = ITEMS) -> str:
    with tempfile.TemporaryDirectory(prefix="clawgit-bench-") as folder:
        lab = open_lab(Path(folder))
        rows = [*_measured(lab, files, items)]
        bare = _asked(lab, "theirs", "1, a constant", 1, sys.executable, "-c", _BARE)
        served = [_asked(lab, "ours", f"{count}", count, _CLAWGIT, "mcp") for count in _CLIENTS]
    heading = [f"{files:,} files, {items:,} items", "", "| what | ours | reference | ratio | MB |"]
    table = [*heading, "| --- | --- | --- | --- | --- |", *rows, ""]
    clients = "| MCP clients | answers a second | CPU of an answer | p50 | p99 | MB of each |"
    return "\n".join([*table, clients, "| --- | --- | --- | --- | --- | --- |", *served, bare])


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
    words = _vocabulary(chance)
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


def _vocabulary(chance: random.Random) -> list[str]:
    """Words, the commonest first."""
    words = ["".join(chance.choices(_SYLLABLES, k=3)) for _ in range(20_000)]
    words[40], words[400] = _QUESTION.split()
    return words


def _row(what: str, ours: Cost, theirs: Cost) -> str:
    ratio = ours.cpu / max(theirs.cpu, 0.001)
    return f"| {what} | {ours.cpu:.2f} s | {theirs.cpu:.2f} s | {ratio:.1f} | {ours.peak:.0f} |"


def _cost(lab: Lab, root: Path, *argv: str) -> Cost:
    null = subprocess.DEVNULL
    return _waited(subprocess.Popen(argv, cwd=root, env=lab.env, stdin=null, stdout=null))


def _asked(lab: Lab, folder: str, name: str, clients: int, *argv: str) -> str:
    """A row about so many clients, each of which asks its server one new question after another."""
    servers = [_opened(lab, lab.root / folder, argv) for _ in range(clients)]
    words, chance = _vocabulary(random.Random(7)), random.Random(11)

    def questions(each: int) -> list[list[str]]:
        ranks = [
            (chance.randrange(20, 80), chance.randrange(200, 800)) for _ in range(each * clients)
        ]
        asked = [f"{words[common]} {words[rare]}" for common, rare in ranks]
        return [asked[client::clients] for client in range(clients)]

    with ThreadPoolExecutor(clients) as pool:
        [*pool.map(_waits, servers, questions(_WARM))]
        before, begun = sum(map(_cpu, servers)), perf_counter()
        waits = sorted(chain(*pool.map(_waits, servers, questions(_ANSWERS // clients))))
        took, used = perf_counter() - begun, sum(map(_cpu, servers)) - before
    peak = max(_closed(server).peak for server in servers)
    p50, p99 = (1000 * waits[int(len(waits) * share)] for share in (0.5, 0.99))
    rates = f"{len(waits) / took:.0f} | {1000 * used / len(waits):.1f} ms"
    return f"| {name} | {rates} | {p50:.1f} ms | {p99:.1f} ms | {peak:.0f} |"


def _opened(lab: Lab, root: Path, argv: Sequence[str]) -> Server:
    pipe = subprocess.PIPE
    server = subprocess.Popen(argv, cwd=root, env=lab.env, stdin=pipe, stdout=pipe)
    about = {"protocolVersion": "2025-06-18", "capabilities": {}}
    client = {"clientInfo": {"name": "bench", "version": "1"}}
    _ask(server, 0, "initialize", {**about, **client})
    _send(server, {"method": "notifications/initialized"})
    return server


def _waits(server: Server, questions: Sequence[str]) -> list[float]:
    """How long each answer took, in seconds."""
    waits = list[float]()
    for number, question in enumerate(questions, 1):
        begun = perf_counter()
        call = {"name": "memory_search", "arguments": {"query": question}}
        _ask(server, number, "tools/call", call)
        waits.append(perf_counter() - begun)
    return waits


def _cpu(server: Server) -> float:
    """CPU seconds of a running process so far."""
    fields = Path(f"/proc/{server.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _closed(server: Server) -> Cost:
    assert server.stdin is not None
    server.stdin.close()
    return _waited(server)


def _ask(server: Server, number: int, method: str, params: object) -> None:
    _send(server, {"id": number, "method": method, "params": params})
    assert server.stdout is not None
    while json.loads(server.stdout.readline()).get("id") != number:
        pass


def _send(server: Server, message: dict[str, object]) -> None:
    assert server.stdin is not None
    server.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
    server.stdin.flush()


def _waited(process: Server) -> Cost:
    _, code, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(code)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, process.args)
    return Cost(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)
