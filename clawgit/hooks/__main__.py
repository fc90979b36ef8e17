"""`python -m clawgit.hooks NAME …`: runs one hook. The shell scripts in hooks/ call it."""

import importlib
import sys
from collections.abc import Mapping, Sequence

_HOOKS: Mapping[str, str] = {
    "pre-commit": "pre_commit",
    "commit-msg": "commit_msg",
    "pre-push": "pre_push",
    "reference-transaction": "signature",
    "freshen": "freshen",
    "config": "settings",
}
"""Name → the module below `clawgit.hooks` whose `run` it is."""


def main(arguments: Sequence[str]) -> int:
    """Runs one hook: its name, then what its script passes on."""
    name, *rest = arguments
    code: int = importlib.import_module(f"clawgit.hooks.{_HOOKS[name]}").run(rest)
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
