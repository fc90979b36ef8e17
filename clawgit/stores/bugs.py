"""The log in which a bug leaves its traceback."""

from collections.abc import Mapping
from pathlib import Path

from clawgit.stores.xdg import state_home


def keep_bug(error: Exception, env: Mapping[str, str], home: Path) -> str:
    """Adds it to the log, and says where that is; where nothing can be written it says so, and the
    bug is told yet.
    """
    import traceback  # noqa: PLC0415 - only for a bug

    from clawgit.domain.safety.secrets import masked  # noqa: PLC0415

    log = state_home(env, home) / "clawgit" / "crash.log"
    try:
        log.parent.mkdir(parents=True, exist_ok=True)
        with log.open("a", encoding="utf-8", errors="backslashreplace") as file:
            file.write(masked("".join(traceback.format_exception(error))) + "\n")
    except OSError as refused:
        return f"nowhere: {log} cannot be written ({refused.strerror})"
    return str(log)
