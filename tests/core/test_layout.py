"""Each kind of workspace is recognised by its paths, and only what it names is in its scope."""

from clawgit.core.layout import LAYOUTS, scope_in_force, searched
from clawgit.front.adoption import recognise
from tests.each import for_each

CODE = "pyproject.toml src/app.py README.md docs/usage.md CHANGELOG.md"
TOOLS = " ".join(f"tools/{at}.js" for at in range(4))
NOTES = " ".join(f"notes/{at}.md" for at in range(40))
HOME = "SOUL.md IDENTITY.md USER.md AGENTS.md TOOLS.md HEARTBEAT.md"

SEEN = f"""
openclaw | SOUL.md AGENTS.md memory/2026-02-14.md | projects/plan.md | skills/a/run.js
openclaw | IDENTITY.md HEARTBEAT.md | IDENTITY.md | avatars/a.png
openclaw | HEARTBEAT.md .openclaw/ | HEARTBEAT.md | .openclaw/state.json
openclaw | SOUL.md USER.md {CODE} | USER.md | README.md
openclaw | {HOME} {CODE} | USER.md | README.md
openclaw | {HOME} package.json tools/run.js | KANBAN.md | tools/run.js
openclaw | {HOME} package.json src/server.js {TOOLS} | health/MEMORY.md | src/server.js
openclaw | TOOLS.md memory/2026-02-14.md | jobs/list.md | jobs/list.csv
markdown | system/persona.md reference/a.md | reference/a.md | app.py
memory-bank | memory-bank/activeContext.md {CODE} | memory-bank/progress.md | README.md
memory-bank | memory_bank/projectbrief.md .clinerules | .clinerules | src/app.py
markdown | .obsidian/ Daily/2026.md Ideas.md | Daily/2026.md | .obsidian/app.json
markdown | .obsidian/ package.json publish.js {NOTES} | notes/0.md | publish.js
openclaw | SOUL.md MEMORY.md package.json {TOOLS} {NOTES} | notes/0.md | tools/0.js
claude-code | CLAUDE.md package.json {TOOLS} {NOTES} | notes/0.md | tools/0.js
markdown | .obsidian/ CLAUDE.md | Ideas.md | .trash/Old idea.md
markdown | .obsidian/ Ideas.md | Ideas.md | .obsidian/plugins/tasks/README.md
claude-code | CLAUDE.md app.py | CLAUDE.md | app.py
claude-code | .claude/rules/style.md {CODE} | .claude/rules/style.md | docs/usage.md
claude-code | packages/a/CLAUDE.md {CODE} | packages/a/CLAUDE.md | CHANGELOG.md
claude-code | CLAUDE.md notes/a.md | notes/a.md | picture.png
markdown | notes/a.md b.md | notes/a.md | picture.png
code | {CODE} | MEMORY.md | README.md
code | main.c README.md | memory/2026-02-14.md | README.md
code | data.csv | CONFIG.md | data.csv
code | AGENTS.md {CODE} | CONFIG.md | AGENTS.md
code | .obsidian/ {CODE} | CONFIG.md | docs/usage.md
"""
"""A layout, the paths that show it, one that is in its scope, and one that is not."""


@for_each("row", SEEN.strip().splitlines())
def test_a_layout_is_recognised(row: str) -> None:
    name, paths, inside, outside = row.split(" | ")
    found = recognise(frozenset(paths.split()))
    scope = scope_in_force(found.layout.name, found.scope)
    assert (found.layout.name, scope.covers(inside), scope.covers(outside)) == (name, True, False)


@for_each(
    "layout, scope, path, memory, notes",
    [
        ("openclaw", (), "research/a.md", False, True),
        ("openclaw", ("*.md",), "HEARTBEAT.md", False, False),
        ("openclaw", ("/AGENTS.md", "/skills/**/*.md"), "skills/a/SKILL.md", False, False),
        ("memory-bank", (), "memory-bank/progress.md", True, False),
        ("memory-bank", ("/docs/bank/**/*.md",), "docs/bank/progress.md", True, False),
        ("memory-bank", (), "README.md", False, False),
        ("markdown", (), "Daily/a.md", True, True),
        ("claude-code", (), "CLAUDE.md", True, False),
        ("claude-code", (), ".claude/memory/a.md", True, True),
        ("claude-code", (), ".claude/rules/a.md", False, True),
        ("claude-code", (), ".claude/skills/a/SKILL.md", False, False),
        ("claude-code", ("/notes/**/*.md",), "notes/feedback_tests.md", True, False),
        ("code", ("docs/decisions/*.md",), "docs/decisions/a.md", True, False),
        ("code", (), "README.md", False, False),
    ],
)
def test_what_of_a_scope_is_searched(
    layout: str, scope: tuple[str, ...], path: str, *, memory: bool, notes: bool
) -> None:
    found = searched(LAYOUTS[layout], scope)
    assert (found.memory.covers(path), found.notes.covers(path)) == (memory, notes)
