"""The fleet on the page, where there is one."""

import pytest

from clawgit.front.cli.root import run
from tests.conftest import Git
from tests.front.web.serving import served
from tests.run.fleet.lab import Lab, lab, mold, server

__all__ = ["lab", "mold", "server"]


def test_the_fleet_is_on_the_page(lab: Lab, ws: Git, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(["init", str(ws.root)]) == 0
    lab.add("coder")
    lab.query("UPDATE due SET trouble = 'It hangs <b>here</b>.'")
    monkeypatch.setenv("CLAWGIT_FLEET", lab.address.plain)
    with served(ws.root) as page:
        page.comes_in()
        text = page.sees("fleet")
        assert ">Fleet</a>" in page.sees("")
        assert "It hangs &lt;b&gt;here" in text
        lab.work_off()
        assert "It hangs" not in page.sees("fleet")


def test_without_a_fleet_the_page_has_none(ws: Git) -> None:
    assert run(["init", str(ws.root)]) == 0
    with served(ws.root) as page:
        page.comes_in()
        assert ">Fleet</a>" not in page.sees("")
        assert "No database is named" in page.asks(f"{page.base}fleet")[1]
