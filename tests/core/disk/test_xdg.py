"""Where XDG has programs keep what is theirs."""

from pathlib import Path

from clawgit.core.disk.xdg import config_home, state_home

HOME = Path("/home/o")


def test_what_is_not_absolute_does_not_count() -> None:
    env = {"XDG_STATE_HOME": "", "XDG_CONFIG_HOME": "./rel"}
    assert state_home(env, HOME) == HOME / ".local/state"
    assert config_home(env, HOME) == HOME / ".config"
