"""`soul show`, `log`, `diff`, `blame` and `drift` as they are typed."""

import pytest

from tests.conftest import Git
from tests.front.cli.typed import typed

START = "# Soul\n\n## Boundaries\n\n- Ask before deleting files.\n- Keep secrets.\n"
KINDER = START + "\n## Vibe\n\n- Be brief.\n"
CORRECTED = KINDER.replace("Ask before deleting files.", "Always ask before deleting files.")

CORRECTION = """\
soul-keeper: always ask

The operator asked.

Clawgit-Id: klmnopqr
Clawgit-Op: soul-keeper/edit
Evidence: CORRECTIONS.md#c1
"""


@pytest.fixture
def told(git: Git, monkeypatch: pytest.MonkeyPatch) -> Git:
    """Three versions at known times, the last one ours; we are in the workspace."""
    git.write("CONFIG.md", "# Config\n")
    versions = (
        ("2026-02-12T08:00:00+01:00", START, "start"),
        ("2026-02-13T08:00:00+01:00", KINDER, "a vibe"),
        (
            "2026-02-14T09:12:00+01:00", CORRECTED,
            CORRECTION,
        ),
    )  # fmt: skip
    for when, text, message in versions:
        monkeypatch.setenv("GIT_COMMITTER_DATE", when)
        git.write("SOUL.md", text)
        git.commit_all(message)
    monkeypatch.chdir(git.root)
    monkeypatch.setenv("CLAWGIT_NOW", "2026-02-15T10:00:00+01:00")
    return git


said, answer = typed("soul")


def short(told: Git, rev: str) -> str:
    return told("rev-parse", rev).strip()[:8]


def test_log_tells_each_version_and_what_lies_on_disk(told: Git) -> None:
    told.write("SOUL.md", CORRECTED + "- Be kind.\n")
    found = answer("log")
    sizes = [one["tokens"] for one in found["versions"]]
    assert said("log") == (
        f"not committed yet  {found['uncommitted']['tokens']} tokens\n"
        "    Vibe\n      + Be kind.\n"
        "\n"
        f"klmnopqr  2026-02-14 09:12  soul-keeper  always ask  {sizes[0]} tokens\n"
        "    Boundaries\n      ~ [-Ask-]{+Always ask+} before deleting files.\n"
        "    The operator asked.\n"
        "    evidence: CORRECTIONS.md#c1\n"
        "\n"
        f"{short(told, 'HEAD~1')}  2026-02-13 08:00  Olga Operator  a vibe  {sizes[1]} tokens\n"
        "    Vibe\n      + Be brief.\n"
        "\n"
        f"{short(told, 'HEAD~2')}  2026-02-12 08:00  Olga Operator  start  {sizes[2]} tokens\n"
        "    Boundaries\n      + Ask before deleting files.\n      + Keep secrets.\n"
    )


def test_blame_puts_lines_under_the_change_that_made_them(told: Git) -> None:
    told.write("SOUL.md", CORRECTED + "- Be kind.\n")
    start, vibe = short(told, "HEAD~2"), short(told, "HEAD~1")
    assert said("blame") == (
        f"{start}  2026-02-12 08:00  Olga Operator  start\n"
        "   1  # Soul\n"
        "   2\n"
        "   3  ## Boundaries\n"
        "   4\n"
        "klmnopqr  2026-02-14 09:12  soul-keeper  always ask\n"
        "    The operator asked.\n"
        "    evidence: CORRECTIONS.md#c1\n"
        "   5  - Always ask before deleting files.  ← protected by c1\n"
        f"{start}  2026-02-12 08:00  Olga Operator  start\n"
        "   6  - Keep secrets.\n"
        "   7\n"
        f"{vibe}  2026-02-13 08:00  Olga Operator  a vibe\n"
        "   8  ## Vibe\n"
        "   9\n"
        "  10  - Be brief.\n"
        "not committed yet\n"
        "  11  - Be kind.\n"
    )
