"""The documentation is true: made pages are up to date, and what a console block shows is what
happens.

docs/make_transcript.py reads and runs the blocks. What follows a command must be its output; change
ids, hashes and times are equal to any other. A command must succeed, unless its output shows an
error; one with no output shown may say what it likes. A page with no `clawgit init` in it goes on
where quickstart.md ends.
"""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path

import click
import pytest

from clawgit.agents import AGENTS
from clawgit.front.cli.root import cli
from clawgit.front.web.views import VIEWS
from clawgit.talk.rules.kept_line import kept, line
from docs.make_screens import FOLDER, SCREENS
from docs.make_transcript import Done, examples, played
from tests.conftest import run_to_end
from tests.each import for_each
from tests.ready import programs, python

REPO = Path(__file__).parents[1]
QUICKSTART = REPO / "docs" / "quickstart.md"
PAGES = [REPO / "README.md", *sorted((REPO / "docs").rglob("*.md"))]
OUT_OF_THE_BOX = ("README.md", "quickstart.md", "openclaw-memory.md")
"""The pages that show what a search finds by meaning. On the others each command that searches
would load the models, which takes longer than all else there."""
PICTURES = ("make_page.py", "make_screens.py")
_TIME = r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?"
_VARIABLE = (
    (re.compile(_TIME), "<time>"),
    (re.compile(r"\b\d{4}-\d{2}-\d{2}\b"), "<date>"),
    (re.compile(r"\b\d{2}:\d{2}(:\d{2})?\b"), "<clock>"),
    (re.compile(r"\b[k-z]{8}\b"), "<id>"),
    (re.compile(r"\b(?=[a-z]*\d)[0-9a-f]{7,40}\b"), "<sha>"),
    (
        re.compile(r"\b(claw:|CORRECTIONS\.md#|  (?:memory|corrections)  )[a-z0-9]{6,8}\b"),
        r"\1<entry>",
    ),
    (re.compile(r"\brun r[0-9a-f]{6,12}\b"), "run <run>"),
    (re.compile(r"\bh[0-9a-f]{12,16}\b"), "<message>"),
)


def pattern(output: str) -> re.Pattern[str]:
    """What an output must match, whatever its ids and times are."""
    lines = output.rstrip().splitlines()
    parts = ["(?:.*\n)*" if line.strip() == "…" else f"{_pattern_of(line)}\n" for line in lines]
    return re.compile("".join(parts))


def _pattern_of(line: str) -> str:
    return ".*".join(re.escape(part) for part in normalised(line.rstrip()).split("…"))


def normalised(text: str) -> str:
    for found, name in _VARIABLE:
        text = found.sub(name, text)
    return text


def play(page: str, folder: Path, ready: Path, **more: str) -> list[str]:
    """Runs the examples of a page in order; says what did not go as shown."""
    path = f"{ready}:{Path(sys.executable).parent}:{os.environ['PATH']}"
    done = played([*examples(page)], folder, path, **more)
    return [
        f"line {one.example.line}: $ {one.example.command}\n(exit {one.code})\n{one.said}"
        for one in done
        if _lies(one)
    ]


def _lies(done: Done) -> bool:
    shown = done.example.output
    said = "".join(f"{line.rstrip()}\n" for line in normalised(done.said).rstrip().splitlines())
    return (done.code != 0) != ("error:" in shown) or bool(
        shown and not pattern(shown).fullmatch(said)
    )


@pytest.fixture(scope="module")
def ready() -> Path:
    return programs()


@pytest.fixture(scope="module")
def begun(ready: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that quickstart.md leaves behind."""
    folder = tmp_path_factory.mktemp("begun")
    assert play(QUICKSTART.read_text("utf-8"), folder, ready) == []
    return folder


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_what_a_page_shows_is_what_happens(
    page: Path, tmp_path: Path, ready: Path, request: pytest.FixtureRequest
) -> None:
    text = page.read_text("utf-8")
    commands = [example.command for example in examples(text)]
    if commands and not any("clawgit init" in command for command in commands):
        shutil.copytree(
            request.getfixturevalue("begun"), tmp_path, symlinks=True, dirs_exist_ok=True
        )
    more = {} if page.name in OUT_OF_THE_BOX else {"CLAWGIT_SEARCH_MODE": "core"}
    assert play(text, tmp_path, ready, **more) == []


@for_each("page", PAGES)
def test_what_a_page_points_to_is_there(page: Path) -> None:
    for link in re.findall(r"\]\(([^)\s:]+)\)", page.read_text("utf-8")):
        name, _, anchor = link.partition("#")
        there = page.parent / name if name else page
        assert there.exists(), link
        assert not anchor or anchor in _anchors(there), link


def test_each_agent_is_told_of() -> None:
    text = (REPO / "docs" / "agents.md").read_text("utf-8")
    assert [
        name for name in AGENTS if not re.search(rf"^\|[^|]*`{name}`", text, re.MULTILINE)
    ] == []


def test_each_promise_of_the_threat_model_names_a_test_that_exists() -> None:
    text = (REPO / "docs" / "threat-model.md").read_text("utf-8")
    promised = re.findall(r"(tests/[\w/]+\.py)::(\w+)", text)
    rows = [
        row
        for row in text.split("| promise | tested by |")[1:]
        for row in row.partition("\n\n")[0].splitlines()[2:]
    ]
    assert rows
    assert [row for row in rows if not re.search(r"tests/[\w/]+\.py::\w+", row)] == []
    assert [
        f"{file}::{name}"
        for file, name in promised
        if not re.search(rf"^ *def {name}\(", (REPO / file).read_text("utf-8"), re.MULTILINE)
    ] == []


def _anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.*)$", page.read_text("utf-8"), re.MULTILINE)
    return {
        re.sub(r"[^\w\- ]", "", heading).strip().lower().replace(" ", "-") for heading in headings
    }


@for_each("page", [*PAGES, *(REPO / "templates").rglob("*.md")])
def test_what_a_page_tells_to_type_can_be_typed(page: Path) -> None:
    """Commands in running text, in tables and in blocks that are not run: they exist, and so do
    their options. Templates tell them to agents."""
    text = page.read_text("utf-8")
    spans = re.findall(r"(?<!`)`((?:clawgit|make) [^`]*)`(?!`)", text)
    blocks = re.findall(r"^```sh\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    lines = [line.partition(" #")[0].strip() for block in blocks for line in block.splitlines()]
    told = [part.strip() for line in (*spans, *lines) for part in re.split(r"&&|\|", line)]
    assert [line for line in told if line.startswith("clawgit ") and not _is_command(line)] == []
    assert [line for line in told if line.startswith("make ") and not _is_target(line)] == []


def _is_command(line: str) -> bool:
    command: click.Command = cli
    context = click.Context(cli, info_name="clawgit", **cli.context_settings)
    words = line.replace("'", "").replace('"', "").split()[1:]
    for word in words:
        if isinstance(command, click.Group) and (found := command.get_command(context, word)):
            command, context = found, click.Context(found, info_name=word, parent=context)
        elif isinstance(command, click.Group) and re.fullmatch(r"[a-z]+", word):
            return False
    known = {
        option
        for param in command.get_params(context)
        for option in (*param.opts, *param.secondary_opts)
    }
    return (
        "…" in words
        or {word.partition("=")[0].rstrip(",;") for word in words if word.startswith("--")} <= known
    )


def _is_target(line: str) -> bool:
    targets = re.findall(r"^([a-z-]+):", (REPO / "Makefile").read_text("utf-8"), re.MULTILINE)
    return {word for word in line.split()[1:] if word.islower()} <= {*targets}


@pytest.mark.parametrize(
    "script",
    # The pictures take half a minute.
    sorted({*(REPO / "docs").glob("make_*.py")} - {REPO / "docs" / name for name in PICTURES}),
    ids=lambda script: script.stem,
)
def test_a_made_page_is_up_to_date(script: Path) -> None:
    done = run_to_end(python(), script, "--check")
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    "lie",
    [
        "$ echo one\ntwo\n",
        "$ printf 'one\\ntwo\\n'\none\n",
        "$ echo one\none\ntwo\n",
        "$ echo 'error: it broke'\nerror: it broke\n",
        "$ false\n",
        "$ echo kkmmppqq\nsomebody\n",
        "$ echo one\n…two\n",
    ],
)
def test_the_runner_finds_what_is_not_so(tmp_path: Path, ready: Path, lie: str) -> None:
    [wrong] = play(f"```console\n{lie}```\n", tmp_path, ready)
    assert wrong.startswith(f"line 2: {lie.splitlines()[0]}\n")


@pytest.mark.slow
def test_the_demo_plays_a_whole_day(tmp_path: Path, ready: Path) -> None:
    """Each scene has the sign that shows that it went as told; the shell ends at the first command
    that fails.

    README.md and recipes.md are its short form.
    """
    env = {
        "PATH": f"{ready}:{Path(sys.executable).parent}:{os.environ['PATH']}",
        "HOME": str(tmp_path),
        "TZ": "UTC",
    }
    env |= {"CLAWGIT_DEMO": str(tmp_path / "demo"), "LANG": "C.UTF-8"}
    done = run_to_end("sh", REPO / "docs" / "demo.sh", env=env)

    assert (done.returncode, done.stderr) == (0, "")
    signs = (
        "waiting: OpenClaw has not set this workspace up yet", "BOOTSTRAP.md deleted",
        "semantic_recall",
        "9 new of 9 messages read", "Caching is done by Redis. #decision #correction",
        "flush now: 180,000",
        "openclaw-flush", "memory/2026-02-14-dashboard-march.md",
        "  - added: Olga: “From now on, always ask me before you delete anything.”",
        "Olga: “We decided to ship the Harbor dashboard on 3 March.” #decision",
        '"citation": "MEMORY.md#L',
        "evidence: chat:day/m6",
        "- Caching is done by Memcached. #decision", "CHANGELOG.md says what history says",
        "! shrink MEMORY.md",
        "every byte is the same", "Is this right: “The Harbor dashboard ships on 10 March.”?",
        "checks pass",
    )  # fmt: skip
    assert [sign for sign in signs if sign not in done.stdout] == []
    page = f"{done.stdout.splitlines()[-1]} --out '{tmp_path}/page.html'"
    subprocess.run(["sh", "-c", page], env={"PATH": "/usr/bin:/bin"}, check=True)
    assert "No, it&#39;s Redis, not Memcached." in (tmp_path / "page.html").read_text("utf-8")


# docs/agents.md shows how sentences are kept: each of its examples is kept just so.

_TABLE = re.compile(
    r"^\| you say, on Wednesday, (\d{4}-\d{2}-\d{2}) \|.*\n\|.*\n((?:\|.*\n)+)", re.MULTILINE
)


def kept_sentences() -> list[tuple[str, str, datetime]]:
    found = _TABLE.search((REPO / "docs" / "agents.md").read_text("utf-8"))
    assert found is not None
    rows = [row.strip("|\n").split("|") for row in found[2].splitlines()]
    return [
        (said.strip(), shown.strip(" `"), datetime.fromisoformat(found[1])) for said, shown in rows
    ]


@pytest.mark.parametrize(("said", "shown", "when"), kept_sentences())
def test_an_example_is_kept_as_the_page_shows_it(said: str, shown: str, when: datetime) -> None:
    assert when.strftime("%A") == "Wednesday"
    assert line(kept(said, "Marta", when)) == shown


# The pictures of docs/screens, where what a terminal shows is drawn cell for cell, and of the page.


def test_each_screen_has_its_picture() -> None:
    assert {path.stem for path in FOLDER.glob("*.svg")} == {*SCREENS}


def test_each_view_of_the_page_has_its_pictures_and_they_are_shown() -> None:
    pictures = {*(REPO / "docs" / "page").iterdir()}
    text = (REPO / "docs" / "page.md").read_text("utf-8")
    assert {
        f"{view.title.lower()}{look}.webp"
        for name, view in VIEWS.items()
        if name != "fleet"  # it is there with a fleet alone
        for look in ("", "-dark", "-phone")
    } <= {file.name for file in pictures}
    assert [file.name for file in pictures if f"page/{file.name}" not in text] == []
    assert sum(file.stat().st_size for file in pictures) < 1_500_000


# The man pages that `make man` builds from the commands: complete, and clean for what shows them.

REQUESTS = (".TH ", ".SH ", ".SS ", ".TP", ".PP", ".RS 4", ".RE")


@pytest.fixture(scope="module")
def pages() -> Mapping[str, str]:
    spec = importlib.util.spec_from_file_location("make_man", REPO / "docs" / "make_man.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    made: Mapping[str, str] = module.pages()
    return made


def test_every_command_has_a_page_with_all_that_is_below_it(pages: Mapping[str, str]) -> None:
    top = click.Context(cli, info_name="clawgit")
    own = [name for name in cli.list_commands(top) if name not in ("search", "add")]
    assert {*pages} == {"clawgit.1", *(f"clawgit-{name}.1" for name in own)}
    for name in own:
        command = cli.get_command(top, name)
        assert command is not None
        for option in _long_options(command):
            shown = option.replace("-", "\\-")
            assert shown in pages[f"clawgit-{name}.1"] or shown in pages["clawgit.1"], (
                f"{name}: {option}"
            )


def _long_options(command: click.Command) -> Iterator[str]:
    for param in command.params:
        if isinstance(param, click.Option) and not param.hidden and param.name != "help":
            yield max(param.opts, key=len)
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            assert inner is not None
            yield from _long_options(inner)


def test_no_line_is_taken_for_a_request_of_roff(pages: Mapping[str, str]) -> None:
    lines = [line for text in pages.values() for line in text.splitlines()]
    assert [line for line in lines if line.startswith(".") and not line.startswith(REQUESTS)] == []
    assert [line for line in lines if line.startswith("'") or not line.isascii()] == []


@pytest.mark.host
def test_groff_has_nothing_to_say_against_them(pages: Mapping[str, str]) -> None:
    for text in pages.values():
        done = run_to_end("groff", "-ww", "-man", "-Tutf8", input=text)
        assert (done.returncode, done.stderr) == (0, "")
