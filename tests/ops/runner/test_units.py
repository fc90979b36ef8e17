"""What starts the runner: each text survives paths with blanks, quotes and percent signs, and is
found again."""

import plistlib

from clawgit.ops.runner.schedule_install import Start, launchd_agent, systemd_unit, unit_name

AWKWARD = '/home/o/my 100% "claw"$x'
START = Start(
    "clawgit-ws-0a1b2c3d",
    AWKWARD,
    ("/usr/bin/python3", "-m", "clawgit", "-C", AWKWARD, "run"),
    {"TZ": "Europe/Berlin"},
)


def test_a_unit_quotes_what_systemd_would_expand() -> None:
    unit = systemd_unit(START)
    assert 'ExecStart=/usr/bin/python3 -m clawgit -C "/home/o/my 100%% \\"claw\\"$$x" run\n' in unit
    assert 'WorkingDirectory=/home/o/my 100%% "claw"$x\n' in unit
    assert "Environment=TZ=Europe/Berlin\n" in unit


def test_a_unit_doubles_a_dollar_only_where_systemd_looks_for_variables() -> None:
    unit = systemd_unit(
        START._replace(env={"OPENCLAW_STATE_DIR": "/srv/a$b", "XDG_STATE_HOME": AWKWARD})
    )
    assert "Environment=OPENCLAW_STATE_DIR=/srv/a$b\n" in unit
    assert 'Environment="XDG_STATE_HOME=/home/o/my 100%% \\"claw\\"$x"\n' in unit


def test_launchd_reads_the_command_as_it_was_meant() -> None:
    told = plistlib.loads(launchd_agent(START, "/var/err").encode())
    assert (told["Label"], told["ProgramArguments"]) == (START.name, [*START.command])
    assert told["EnvironmentVariables"] == {"TZ": "Europe/Berlin"}


def test_a_name_is_readable_and_its_own() -> None:
    assert unit_name("мой ws!", "0123456789") == "clawgit-ws-01234567"
    assert unit_name("///", "0123456789") == "clawgit-workspace-01234567"
