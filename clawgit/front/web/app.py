"""The page as an application: who may see it, what is shown, what a form does."""

import asyncio
import secrets
import socket
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from datetime import datetime
from functools import partial
from itertools import takewhile
from typing import Any
from urllib.parse import parse_qsl, urlencode

import uvicorn
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from clawgit.core import NamedTuple
from clawgit.core.doors import concurrent
from clawgit.core.errors import ClawgitError, UsageError, counted
from clawgit.front.web.asking import ITEMS, Asker, Item, RefusedError, Run, Values, said, seal
from clawgit.front.web.rendering import STATIC, Pages
from clawgit.front.web.sessions import Fence, Session, Sessions, is_this_user
from clawgit.front.web.views import PAGES, VIEWS, Shown
from clawgit.front.web.wording import bare
from clawgit.git.rules.actors import OPERATOR
from clawgit.terminal.output import keep_bug

Form = Mapping[str, str]


class Deed(NamedTuple):
    """A form: the kind of what it acts on, its command, what its page says at the end.

    A word of the command may name what it acts on, and `typed`, what was written in the form.
    `undo` is the form that takes it back: of the commit that it made, or of what it acted on; ""
    if nothing does.
    """

    kind: str
    command: str
    done: str
    undo: str = "undo"

    def words(self, item: Item, form: Form) -> list[str]:
        known = {**item, "typed": form.get("text", ""), "said": bare(str(item.get("text", "")))}
        return [word.format_map(known) for word in self.command.split()]


class OutdatedError(Exception):
    """What the form was about has changed since the page was shown.

    `item` is what it is now; None if it is not there, and `trouble` says so.
    """

    def __init__(self, item: Item | None, trouble: str = "") -> None:
        super().__init__()
        self.item, self.trouble = item, trouble


_ACCEPT = "trust --seen={seen} -- {key}"

DEEDS: dict[str, Deed] = {
    "undo": Deed("change", "undo -- {sha}", "Taken back.", "redo"),
    "redo": Deed("change", "undo -- {sha}", "Brought back."),
    "edit": Deed("entry", "memory edit -- {key} {typed}", "The entry was reworded."),
    "remove": Deed("entry", "memory rm -- {key}", "The entry was removed."),
    "correct": Deed("entry", "corrections add --was={key} -- {typed}", "The entry was corrected."),
    "restore": Deed("life", "memory add --to={path} -- {said}", "The entry is there again."),
    "accept": Deed("correction", "corrections settle --accept -- {id}", "The memory says so now."),
    "keep": Deed("correction", "corrections settle --keep -- {id}", "The memory stays as it is."),
    "dismiss": Deed("correction", "corrections settle --dismiss -- {id}", "It is no correction."),
    "settle": Deed("correction", "corrections settle -- {id} {typed}", "The memory says so now."),
    "keep-a": Deed("conflict", "conflicts resolve --keep a -- {id}", "The first one holds."),
    "keep-b": Deed("conflict", "conflicts resolve --keep b -- {id}", "The second one holds."),
    "keep-both": Deed("conflict", "conflicts resolve --keep both -- {id}", "Both hold."),
    "approve": Deed(
        "proposal",
        "soul approve --seen={sha} -- {id}",
        "It was made. Taken back, it is not proposed again.",
    ),
    "reject": Deed(
        "proposal", "soul reject --reason={typed} -- {id}", "The proposal was rejected.", "reopen"
    ),
    "reopen": Deed("rejected", "soul reject --back -- {id}", "The proposal waits again.", ""),
    "accept-setting": Deed("setting", _ACCEPT, "The setting is in force.", "withdraw"),
    "accept-text": Deed("text", _ACCEPT, "The agent may read this text.", "withdraw"),
    "withdraw": Deed("consent", "trust --revoke -- {key}", "Nothing is accepted there now.", ""),
    "seen": Deed("alert", "status --ack={id}", "Seen.", ""),
}


def do(ask: Asker, name: str, form: Form) -> Values:
    """Runs the command of a form, if what it is about is still as it was shown. Returns what its
    page says then, and the form that takes it back.
    """
    deed = DEEDS[name]
    ask.forget()  # an answer of a second ago may be the very page that the form came from
    item = _item(ask, deed.kind, form)
    if seal(item) != form.get("seal"):
        raise OutdatedError(item)
    done = ask.write(*deed.words(item, form))
    is_changed = bool(done.get("id") or done.get("commit")) or deed.undo not in _UNDOS
    return {
        "says": done.get("note") or (deed.done if is_changed else "Nothing was changed by that."),
        "entry": (done.get("entry") or {}).get("key", ""),
        **_undo(ask, deed, done, form),
    }


_UNDOS = {"undo": "Take it back", "redo": "Bring it back"}
"""The forms that take back a commit, whoever made it."""


def _item(ask: Asker, kind: str, form: Form) -> Item:
    try:
        return ITEMS[kind](ask, form.get("id", ""))
    except ClawgitError as error:
        raise OutdatedError(None, error.message) from error


def _undo(ask: Asker, deed: Deed, done: Mapping[str, Any], form: Form) -> Values:
    """The form that takes a deed back on the spot, if one does."""
    is_commit = deed.undo in _UNDOS
    ident = done.get("id") or done.get("commit") if is_commit else form["id"]
    if not deed.undo or not ident or done.get("parked"):
        return {"deed": "", "change": ""}
    sealed = seal(ITEMS[DEEDS[deed.undo].kind](ask, ident))
    label = _UNDOS.get(deed.undo, "Take it back")
    again = {"deed": deed.undo, "label": label, "id": ident, "seal": sealed, "text": ""}
    return {**again, "change": ident if is_commit else ""}


def what_changed(ask: Asker, outdated: OutdatedError) -> Values:
    """What is there now, and the change that came between."""
    newest = ask.read("log", "-n", "1")["commits"]
    if outdated.item and "mentions" in outdated.item:
        newest = ask.read("why", "--", outdated.item["key"])["changes"][:1]
    return {
        "item": outdated.item,
        "trouble": outdated.trouble,
        "now": said(outdated.item or {}),
        "newest": newest,
    }


_COOKIE = "clawgit"
_MOST_FIELDS = 20
_LARGEST = 256 * 1024
"""Bytes of a form. An entry is a line; the longest form is a text of SOUL.md."""

_ALL_SEEN = ("", "timeline")
"""Views that show what is new."""

_MOST_NEWS = 100


class Desk:
    """Answers requests. Everything that asks runs in `worker`, which has one thread.

    `tell_code`: shows a code on the terminal that started the server; None where there is none, so
    that the page can only be read.
    """

    def __init__(
        self, asker: Asker, sessions: Sessions, tell_code: Callable[[str], None] | None,
        worker: concurrent.futures.ThreadPoolExecutor,
    ) -> None:  # fmt: skip
        self._asker, self._sessions, self._worker = asker, sessions, worker
        self._tell_code = tell_code
        # Nobody can guess where the pages are: cookies know paths, and no ports.
        self._base = f"/{secrets.token_urlsafe(16)}/"
        self._pages = Pages(self._base, tell_code is not None)

    def application(self) -> Starlette:
        base, views = self._base, (VIEWS | PAGES).items()
        return Starlette(
            routes=[
                Route("/in/{secret}", self.enter),
                # Style, script and icon: the same for everybody. An installer may have put links.
                Mount(base + "static", StaticFiles(directory=STATIC, follow_symlink=True)),
                Route(base + "head", self.seated(self.head, is_used=False)),
                Route(base + "unlock", self.seated(self.unlock), methods=["GET", "POST"]),
                Route(base + "do/{deed}", self.seated(self.deed), methods=["POST"]),
                *(Route(base + name, self.seated(self.view(name, shown))) for name, shown in views),
            ],
            exception_handlers={404: self.lost, Exception: self.broken},
        )

    async def enter(self, request: Request) -> Response:
        """Spends an address: from then on the browser's cookie opens the page."""
        ports = [end[1] for end in (request.scope["client"], request.scope["server"])]
        if not is_this_user(*ports):
            return self._shut("This address is for the user who started the server.")
        session = self._sessions.enter(request.path_params["secret"])
        if session is None:
            return self._shut("This address was opened before, or is too old.")
        return self._let_in(session, "")

    def _let_in(self, session: Session, back: str) -> Response:
        answer = RedirectResponse(self._base + back, 303, {"referrer-policy": "no-referrer"})
        answer.set_cookie(_COOKIE, session.key, path=self._base, httponly=True, samesite="strict")
        return answer

    def seated(
        self, answer: Callable[[Request, Session], Awaitable[Response]], *, is_used: bool = True
    ) -> Callable[[Request], Awaitable[Response]]:
        """Answers those who came in by an address."""

        async def seated(request: Request) -> Response:
            session = self._sessions.find(_cookie(request), is_used=is_used)
            if session is None:
                return self._shut("This page opens with an address that was not used yet.")
            try:
                return await answer(request, session)
            except ClawgitError as error:
                status = 413 if isinstance(error, _FormError) else 400
                return self._page("error.html", session, status, {"error": error})
            except Exception as error:  # noqa: BLE001 - the border of a request: a bug is logged and told, and the server goes on
                return self._page("error.html", session, 500, {"error": keep_bug(error)})

        return seated

    def view(self, name: str, shown: Shown) -> Callable[[Request, Session], Awaitable[Response]]:
        async def answer(request: Request, session: Session) -> Response:
            query = {**request.query_params, **request.path_params}
            query["operator"] = "yes" if session.is_operator else ""
            notice = session.notice
            if request.headers.get("sec-fetch-mode", "navigate") == "navigate":
                session.notice = {}  # it is shown; the script of another page shows none
            rendered: Response = await self._in_thread(
                lambda: self._rendered(name, shown, session, query, notice)
            )
            return rendered

        return answer

    def _rendered(
        self, name: str, shown: Shown, session: Session, query: Mapping[str, str],
        notice: Mapping[str, str],
    ) -> Response:  # fmt: skip
        news = self._news(session, is_seen=name in _ALL_SEEN)
        frame = {
            "title": shown.title, "view": name, "head": self._asker.newest(), "notice": notice,
            "news": news, "place": self._asker.read("status")["workspace"],
        }  # fmt: skip
        return self._page(shown.template, session, 200, frame | shown.values(self._asker, query))

    async def deed(self, request: Request, session: Session) -> Response:
        """Runs the command of a form, then shows the page that it came from."""
        form = await _form(request)
        name, back = request.path_params["deed"], _back(form.get("back", ""))
        if form.get("key") != session.form_key or name not in DEEDS:
            return self._shut("The form is not one of this session. Load the page again.")
        if not session.is_operator:
            session.notice = _kept(name, form, back)
            return RedirectResponse(f"{self._base}unlock?{urlencode({'back': back})}", 303)
        try:
            done = await self._in_thread(lambda: do(self._asker, name, form))
        except OutdatedError as error:
            outdated = error
            values = await self._in_thread(lambda: what_changed(self._asker, outdated))
            status, template = 409, "outdated.html"
        except RefusedError as error:
            values, status, template = {"error": error}, 400, "refused.html"
        else:
            # To the entry by its new id, where its id is made of its words.
            entry = done.pop("entry")
            back = f"entry/{entry}" if entry and back.startswith("entry/") else back
            session.notice = {**done, "back": back}
            return RedirectResponse(self._base + back, 303)
        return self._page(
            template, session, status, {**values, "form": form, "back": back, "deed": name}
        )

    async def unlock(self, request: Request, session: Session) -> Response:
        """Asks for the code that the terminal shows."""
        if self._tell_code is None:
            return self._page("unlock.html", session, 403, {})
        if request.method != "POST":
            code = self._sessions.new_code(session)
            if code is None:
                return self._page("error.html", session, 429, {"error": _TOO_MANY_CODES})
            # In its thread: whoever prints waits until no command runs, and others must not.
            await self._in_thread(partial(self._tell_code, code))
            back = _back(request.query_params.get("back", ""))
            return self._page("unlock.html", session, 200, {"back": back, "wrong": ""})
        form = await _form(request)
        back = _back(form.get("back", ""))
        if form.get("key") == session.form_key and (
            opened := self._sessions.unlock(session, form.get("code", ""))
        ):
            opened.notice = session.notice
            return self._let_in(opened, back)
        wrong = "That was not the code, or it is too old."
        return self._page("unlock.html", session, 403, {"back": back, "wrong": wrong})

    async def head(self, _: Request, __: Session) -> Response:
        """The newest change, for pages that are open: asking for it keeps no session alive."""
        return PlainTextResponse(await self._in_thread(self._asker.newest))

    def _news(self, session: Session, *, is_seen: bool) -> str:
        """How much others changed since this browser saw all changes last; "" for nothing."""
        newest = self._asker.newest()
        if is_seen or not session.head:
            session.head = newest
        if session.head == newest:
            return ""
        changes = self._asker.read("log", "-n", str(_MOST_NEWS))["commits"]
        new = takewhile(lambda change: change["sha"] != session.head, changes)
        number = sum(change["actor"] != OPERATOR.slug for change in new)
        return counted(number, "new change") if number else ""

    async def lost(self, _: Request, __: Exception) -> Response:
        return self._shut("There is no such page.", 404)

    async def broken(self, _: Request, error: Exception) -> Response:
        """A bug outside of what those who came in ask."""
        return self._shut(f"This is a bug in clawgit. {keep_bug(error).hint}", 500)

    def _page(self, template: str, session: Session, status: int, values: Values) -> Response:
        return HTMLResponse(self._pages.fill(template, {"session": session, **values}), status)

    def _shut(self, why: str, status: int = 403) -> Response:
        return HTMLResponse(self._pages.fill("closed.html", {"why": why, "status": status}), status)

    async def _in_thread(self, act: Callable[[], Any]) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self._worker, act)


_TOO_MANY_CODES = ClawgitError(
    "Too many codes were asked for.",
    hint="Press Return at the terminal that started the page, then load this page again.",
)


class _FormError(ClawgitError):
    """A form that none of our pages sends."""


def _cookie(request: Request) -> str:
    """Ours: what another server of this machine set, for all paths, comes after it."""
    pairs = [pair.strip().partition("=") for pair in request.headers.get("cookie", "").split(";")]
    return next((value for name, _, value in pairs if name == _COOKIE), "")


async def _form(request: Request) -> dict[str, str]:
    """The fields of a form, if it is not too long."""
    body = bytearray()
    try:
        async for piece in request.stream():
            body += piece
            if len(body) > _LARGEST:
                raise _FormError("The form is too long.", hint="Write less.")
        text = body.decode("utf-8", "replace")
        return dict(parse_qsl(text, keep_blank_values=True, max_num_fields=_MOST_FIELDS))
    except (ClientDisconnect, ValueError) as error:
        raise _FormError("The form did not come whole.", hint="Load the page again.") from error


def _back(path: str) -> str:
    """Where a form came from, below this page only."""
    return path if path and path[0] not in "/\\" and ":" not in path.partition("?")[0] else ""


def _kept(name: str, form: Mapping[str, str], back: str) -> dict[str, str]:
    """A form of somebody who must unlock first: shown again then, so that no word is lost."""
    typed = {part: form.get(part, "") for part in ("id", "seal", "text")}
    shown = {"says": "What you pressed was kept.", "deed": name, "label": "Do it now", "back": back}
    return {**shown, **typed, "change": ""}


# The process behind the page: one address of this machine, one port, one workspace

_HOST = "127.0.0.1"


def serve(
    port: int, run: Run, mark: Callable[[], object], clock: Callable[[], datetime],
    ready: Callable[[Callable[[], str]], None], tell_code: Callable[[str], None] | None,
) -> None:  # fmt: skip
    """Serves the page until it is told to stop. Port 0 takes a free one.

    `run` runs a command; `mark` is another one once the answers of commands may be others.
    `ready` is told how to make a new address, once the server listens.
    """
    with _listening(port) as door, concurrent.futures.ThreadPoolExecutor(1, "page") as worker:
        port = door.getsockname()[1]
        sessions = Sessions(clock)
        desk = Desk(Asker(run, mark), sessions, tell_code, worker)
        hosts = {f"{name}:{port}" for name in (_HOST, "localhost")}
        config = uvicorn.Config(
            Fence(desk.application(), hosts), http="h11", ws="none", lifespan="off",
            log_config=None, log_level="critical", access_log=False, server_header=False,
            proxy_headers=False, timeout_keep_alive=5,
            timeout_graceful_shutdown=1,
        )  # fmt: skip

        def at_the_terminal() -> str:
            sessions.operator_is_here()
            return f"http://{_HOST}:{port}/in/{sessions.new_address()}"

        ready(at_the_terminal)
        with suppress(KeyboardInterrupt):
            uvicorn.Server(config).run([door])


def _listening(port: int) -> socket.socket:
    """It listens before anybody is told the address."""
    try:
        return socket.create_server((_HOST, port))
    except OSError as error:
        raise UsageError(
            f"Port {port} cannot be used: {error.strerror}.", hint="clawgit page --port 0"
        ) from error
