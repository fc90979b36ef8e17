"""Where Python looks for modules and the system for programs: never in the folder we stand in,
which somebody else may have filled.
"""

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, MutableMapping


def leave_out_the_current_folder(env: "MutableMapping[str, str]") -> None:
    """To be called before anything is started: `PATH=.:…` would find a `git` in the workspace, and
    `PYTHONPATH=:/own`, with its empty part, a `json.py`.
    """
    whole, near = _parted(env, "PATH")
    if near:
        # An empty PATH would be the current folder again.
        env["PATH"] = os.pathsep.join(whole) or os.defpath
    whole, near = _parted(env, "PYTHONPATH")
    if near:
        # For the Python that we start; this one has read it already.
        env["PYTHONPATH"] = os.pathsep.join(whole)
        here = {os.path.abspath(part) for part in near}.difference(whole)  # noqa: PTH100 - pathlib takes 5 ms to load
        sys.path[:] = [path for path in sys.path if path not in here]


def _parted(env: "Mapping[str, str]", name: str) -> tuple[list[str], list[str]]:
    """The absolute parts of a variable, and those that begin at the current folder."""
    parts = env[name].split(os.pathsep) if name in env else []
    whole = [part for part in parts if os.path.isabs(part)]  # noqa: PTH117 - as above
    return whole, [part for part in parts if part not in whole]
