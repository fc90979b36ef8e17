"""The settings as they are written: in CONFIG.md, in the environment and in OpenClaw's config,
accepted or not; `kept_config` says what is in force.
"""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from clawgit.config.load import Loaded, Sourced, load
from clawgit.config.written import CONFIG_FILE, ConfigProblem
from clawgit.ops.workspace.config_file import config_name
from clawgit.stores import openclaw
from clawgit.stores.plainfile import read_plain

if TYPE_CHECKING:
    from clawgit.ops.workspace.workspace_base import Caller

SIGNERS = "soul_signers"
"""The setting that lists the keys whose signature accepts a setting."""

NO_SOURCES: Mapping[str, Sourced] = MappingProxyType({})


def read_config(root: Path, caller: "Caller") -> Loaded:
    """What all sources say about the workspace at `root`, accepted or not: `kept_config` says what
    is in force of it.

    Errors are in the result; nothing is raised.
    """
    name = config_name(root)
    text, trouble = _text(root / name)
    sourced, notes = openclaw_settings(root, caller)
    loaded = load(text, env=caller.env, openclaw=sourced)
    loaded = loaded._replace(problems=(*trouble, *loaded.problems), notes=(*notes, *loaded.notes))
    return loaded if name == CONFIG_FILE else _under(name, loaded)


def _under(name: str, loaded: Loaded) -> Loaded:
    """The same, with messages that use the second name of the settings file."""
    problems = (
        problem._replace(where=problem.where.replace(CONFIG_FILE, name, 1))
        for problem in loaded.problems
    )
    origins = {
        key: origin.replace(f"{CONFIG_FILE}:", f"{name}:", 1)
        for key, origin in loaded.origins.items()
    }
    return loaded._replace(problems=tuple(problems), origins=origins)


def openclaw_settings(
    root: Path, caller: "Caller"
) -> tuple[Mapping[str, Sourced], tuple[str, ...]]:
    """The values of our keys in the config of the OpenClaw whose workspace `root` is, and notes on
    parts that were not read.
    """
    installation = openclaw.find(caller.home, caller.env)
    if installation is None:
        return NO_SOURCES, ()
    sourced, notes = openclaw.settings_for(installation, root)
    return sourced, (*installation.notes, *notes)


def _text(path: Path) -> tuple[str, tuple[ConfigProblem, ...]]:
    try:
        return read_plain(path).decode("utf-8"), ()
    except FileNotFoundError:
        return "", ()
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        message = "this is not UTF-8 text"
        return "", (
            ConfigProblem(f"{CONFIG_FILE}:{line}", line, "", message, "Save the file as UTF-8."),
        )
    except OSError as error:
        return "", (ConfigProblem(CONFIG_FILE, 0, "", f"it cannot be read: {error.strerror}"),)
