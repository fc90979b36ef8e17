"""The documentation is true: made pages are up to date, and what a console block shows is what happens.

In a block marked `console`, a line that begins with `$ ` is run by a shell, in one scratch folder for all blocks of a
page; a line after it that begins with `> ` continues it. What follows must be its output, where `…` stands for any
text in a line, and alone for any lines. Change ids, hashes and times are equal to any other. A command must succeed,
unless its output shows an error; one with no output shown may say what it likes.
"""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

REPO = Path(__file__).parents[1]
PAGES = [REPO / "README.md", *sorted((REPO / "docs").glob("*.md"))]
_BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_TIME = r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?"
_VARIABLE = (
    (re.compile(_TIME), "<time>"),
    (re.compile(r"\b\d{4}-\d{2}-\d{2}\b"), "<date>"),
    (re.compile(r"\b\d{2}:\d{2}(:\d{2})?\b"), "<clock>"),
    (re.compile(r"\b[k-z]{8}\b"), "<id>"),
    (re.compile(r"\b(?=[a-z]*\d)[0-9a-f]{7,40}\b"), "<sha>"),
)


class Example(NamedTuple):
    """One command of a page, and the output that the page shows."""

    line: int
    command: str
    output: str


def examples(page: str) -> Iterator[Example]:
    for block in _BLOCK.finditer(page):
        first = page.count("\n", 0, block.start(1)) + 1
        command, output, begun = "", "", 0
        for number, line in enumerate(block[1].splitlines(), first):
            if line.startswith("$ "):
                if command:
                    yield Example(begun, command, output)
                command, output, begun = line[2:], "", number
            elif line.startswith("> ") and not output:
                command += "\n" + line[2:]
            else:
                output += line + "\n"
        if command:
            yield Example(begun, command, output)


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


def play(page: str, folder: Path) -> list[str]:
    """Runs the examples of a page in order; says what did not go as shown."""
    home = folder / "home"
    home.mkdir(parents=True)
    git = "[user]\n\tname = Olga\n\temail = olga@example.org\n[init]\n\tdefaultBranch = main\n"
    (home / ".gitconfig").write_text(git)
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    env = {"HOME": str(home), "PATH": path, "LANG": "C.UTF-8", "TZ": "UTC", "GIT_CONFIG_NOSYSTEM": "1"}
    where, wrong = folder / "where", []
    where.write_text(str(home))
    for example in examples(page):
        script = f'cd "$(cat {where})" || exit\n{example.command}\nset -- $?\npwd > {where}\nexit $1\n'
        done = subprocess.run(
            ["bash", "-c", script], env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, check=False, timeout=60,
        )  # fmt: skip
        said = "".join(f"{line.rstrip()}\n" for line in normalised(done.stdout).rstrip().splitlines())
        fails = done.returncode != 0
        if fails != ("error:" in example.output) or (example.output and not pattern(example.output).fullmatch(said)):
            wrong.append(f"line {example.line}: $ {example.command}\n(exit {done.returncode})\n{done.stdout}")
    return wrong


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_what_a_page_shows_is_what_happens(page: Path, tmp_path: Path) -> None:
    assert play(page.read_text("utf-8"), tmp_path) == []


@pytest.mark.parametrize("script", sorted((REPO / "docs").glob("make_*.py")), ids=lambda script: script.stem)
def test_a_made_page_is_up_to_date(script: Path) -> None:
    done = subprocess.run([sys.executable, script, "--check"], capture_output=True, text=True, check=False)

    assert (done.returncode, done.stderr) == (0, "")


TRUE_PAGE = """
```console
$ mkdir "my folder"
$ cd "my folder"
$ echo one; echo two; echo three
one
…
three
$ pwd
…/my folder
$ echo "kkmmppqq of 0123abc at 2026-02-14T09:00:00+01:00"
zzzzzzzz of fedcba9876 at 1999-12-31T00:00Z
$ cat <<'EOF'
> a
> b
> EOF
a
b
$ echo "error: it broke"; exit 3
error: it broke
```

```sh
false
```
"""


def test_the_runner_follows_a_page(tmp_path: Path) -> None:
    assert len(list(examples(TRUE_PAGE))) == 7
    assert play(TRUE_PAGE, tmp_path) == []


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
def test_the_runner_finds_what_is_not_so(tmp_path: Path, lie: str) -> None:
    [wrong] = play(f"```console\n{lie}```\n", tmp_path)

    assert wrong.startswith(f"line 2: {lie.splitlines()[0]}\n")
