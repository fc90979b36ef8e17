"""What starts the runner: each text survives paths with blanks, quotes and percent signs, and is
found again."""

import plistlib

from clawgit.run.schedule_install import launchd_agent, systemd_unit

AWKWARD = '/home/o/my 100% "claw"$x'
COMMAND = ("/usr/bin/python3", "-m", "clawgit", "-C", AWKWARD, "run")


def test_a_unit_quotes_what_systemd_would_expand() -> None:
    env = {"OPENCLAW_STATE_DIR": "/srv/a$b", "XDG_STATE_HOME": AWKWARD}
    unit = systemd_unit(AWKWARD, COMMAND, env)
    assert 'ExecStart=/usr/bin/python3 -m clawgit -C "/home/o/my 100%% \\"claw\\"$$x" run\n' in unit
    assert 'WorkingDirectory=/home/o/my 100%% "claw"$x\n' in unit
    assert "Environment=OPENCLAW_STATE_DIR=/srv/a$b\n" in unit
    assert 'Environment="XDG_STATE_HOME=/home/o/my 100%% \\"claw\\"$x"\nRestart' in unit


def test_launchd_reads_the_command_as_it_was_meant() -> None:
    agent = launchd_agent("clawgit-ws", AWKWARD, COMMAND, {"TZ": "Europe/Berlin"}, "/var/err")
    told = plistlib.loads(agent.encode())
    assert (told["Label"], told["ProgramArguments"]) == ("clawgit-ws", [*COMMAND])
    assert told["EnvironmentVariables"] == {"TZ": "Europe/Berlin"}
