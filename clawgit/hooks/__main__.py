"""`python -m clawgit.hooks NAME …`: runs one hook. The shell scripts in hooks/ call it."""

import os
import sys
from collections.abc import Sequence

from clawgit.core import surroundings

_NEVER_UNCHECKED = "pre-push"
"""The hook that refuses if it cannot run: a push cannot be taken back."""

_REFUSED = 10
"""A copy of `border.REFUSED`, since that module may itself be broken."""


def main(arguments: Sequence[str]) -> int:
    """Runs one hook: its name, then what its script passes on."""
    surroundings.look_seldom()
    surroundings.put_in_order(os.environ)
    name, *rest = arguments
    # Imported by name and inside the `try`: a broken module of one hook must not stop the others,
    # and can still be reported here.
    try:
        module = __import__(f"clawgit.hooks.{name.replace('-', '_')}", fromlist=["run"])
        code: int = module.run(rest)
    except Exception as error:
        if name != _NEVER_UNCHECKED:
            # Python then ends with 1, which the script reads as "not checked", and git goes on.
            raise
        print(
            f"error: clawgit refuses this: secret could not be checked: {type(error).__name__}\n"
            " next: install clawgit again"
        )
        return _REFUSED
    return code


if __name__ == "__main__":
    surroundings.leave(main(sys.argv[1:]))
