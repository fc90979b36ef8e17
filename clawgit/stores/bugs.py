"""The log of bugs, with their tracebacks."""

from collections.abc import Mapping
from pathlib import Path

from clawgit.domain.safety.secrets import masked
from clawgit.doors import traceback
from clawgit.stores.xdg import state_home


def keep_bug(error: Exception, env: Mapping[str, str], home: Path | str) -> str:
    """Adds a bug to the log; returns where the log is, or that it cannot be written."""
    log = state_home(env, Path(home)) / "clawgit" / "crash.log"
    try:
        log.parent.mkdir(parents=True, exist_ok=True)
        with log.open("a", encoding="utf-8", errors="backslashreplace") as file:
            file.write(masked("".join(traceback.format_exception(error))) + "\n")
    except OSError as refused:
        return f"nowhere: {log} cannot be written ({refused.strerror})"
    return str(log)
