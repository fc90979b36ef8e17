"""The border to the user: the only place that turns errors into words and exit codes."""

from collections.abc import Callable

from clawgit.cli import output
from clawgit.cli.given import Options, running
from clawgit.errors import ClawgitError
from clawgit.stores.failures import explained

_BUG = 3
_INTERRUPTED = 130


def ended(act: Callable[[], object], given: Options, *, as_json: bool) -> int:
    """The exit code of a command; what went wrong is printed. `as_json`: as JSON."""
    output.mask_by()
    try:
        with running(given):
            code = act()
    except ClawgitError as error:
        return output.fail(error, as_json=as_json)
    except KeyboardInterrupt:
        output.note("interrupted")
        return _INTERRUPTED
    except (output.ReaderGoneError, BrokenPipeError):
        return 0
    except Exception as error:  # noqa: BLE001 - the border to the user: a bug is logged with its traceback, and said
        known = explained(error)
        return output.fail(known, as_json=as_json) if known else _bug(error, as_json=as_json)
    return code if isinstance(code, int) else 0


def _bug(error: Exception, *, as_json: bool) -> int:
    log = output.keep_bug(error)
    report = ClawgitError(
        f"This is a bug in clawgit: {type(error).__name__}: {error}", hint=f"Its log is {log}."
    )
    output.fail(report, as_json=as_json)
    return _BUG
