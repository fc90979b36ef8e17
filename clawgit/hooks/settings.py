"""config: says what is wrong with the settings that a merge or a checkout brought."""

from collections.abc import Iterator, Sequence

from clawgit.hooks.border import row, run_safely, say, workspace
from clawgit.ops.hooks.finding import HookCheck, HookFinding


def run(_: Sequence[str]) -> int:
    """Never refuses: git has finished already."""
    findings = run_safely(HookCheck("config", "CONFIG.md", _misconfigured))
    if findings:
        rows = "\n".join(row(finding) for finding in findings)
        say(f"clawgit: the settings that just came in by git have mistakes\n{rows}")
    return 0


def _misconfigured() -> Iterator[HookFinding]:
    for problem in workspace().config.problems:
        yield HookFinding(
            "CONFIG.md", problem.line, "config", problem.message, problem.hint, refused=False
        )
