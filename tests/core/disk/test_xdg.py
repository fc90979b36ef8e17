"""Where XDG has programs keep what is theirs."""

from pathlib import Path

import pytest

from clawgit.core.disk.xdg import config_home, state_home

HOME = Path("/home/o")


@pytest.mark.parametrize(
    "env",
    [
        {},
        {"XDG_STATE_HOME": "", "XDG_CONFIG_HOME": ""},
        {"XDG_STATE_HOME": "rel", "XDG_CONFIG_HOME": "./rel"},
    ],
)
def test_what_is_not_absolute_does_not_count(env: dict[str, str]) -> None:
    assert (state_home(env, HOME), config_home(env, HOME)) == (
        HOME / ".local/state",
        HOME / ".config",
    )


def test_the_environment_may_name_other_folders() -> None:
    env = {"XDG_STATE_HOME": "/var/state", "XDG_CONFIG_HOME": "/etc/o"}
    assert (state_home(env, HOME), config_home(env, HOME)) == (Path("/var/state"), Path("/etc/o"))
