"""A wire to a server that a test can cut, or let hang, at the moment it chooses."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from socketserver import BaseRequestHandler, ThreadingTCPServer
from threading import Event, Thread
from urllib.parse import urlsplit

from clawgit.stores.chroma.server import Address


class Wire(ThreadingTCPServer):
    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, behind: Address) -> None:
        parts = urlsplit(behind.url)
        self.behind = (parts.hostname, parts.port)
        self.hung, self.cut = Event(), Event()
        super().__init__(("127.0.0.1", 0), _Carrier)

    @property
    def address(self) -> Address:
        return Address(f"http://127.0.0.1:{self.server_address[1]}")


class _Carrier(BaseRequestHandler):
    server: Wire

    def handle(self) -> None:
        if self.server.cut.is_set():
            return
        with socket.create_connection(self.server.behind) as far, suppress(OSError):
            back = Thread(target=self._carry, args=(far, self.request), daemon=True)
            back.start()
            self._carry(self.request, far)
            back.join()

    def _carry(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while (said := source.recv(65536)) and not self.server.cut.is_set():
                if not self.server.hung.is_set():
                    target.sendall(said)
        for end in (source, target):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)


@contextmanager
def wire_to(behind: Address) -> Iterator[Wire]:
    with Wire(behind) as wire:
        Thread(target=wire.serve_forever, args=(0.01,), daemon=True).start()
        yield wire
        wire.cut.set()
        wire.shutdown()
