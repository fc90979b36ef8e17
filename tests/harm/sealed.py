"""`python sealed.py PROGRAM …`: runs a program in a network of its own, where every address is this
machine and every name has one. Prints what was looked up and called, one a line; what the program
prints goes to standard error.

A plain user may have such a network inside a user namespace; root needs none.
"""

import ctypes
import fcntl
import os
import re
import socket
import struct
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from threading import Thread
from time import monotonic, sleep

_USERS, _NETWORK = 0x10000000, 0x40000000  # CLONE_NEWUSER, CLONE_NEWNET
_SET_FLAGS, _UP = 0x8914, 1  # SIOCSIFFLAGS, IFF_UP
_LOOPBACK = 1
"""The number of the only interface in a new network."""

_EVERY_PACKET, _IP, _IP6 = 3, 0x800, 0x86DD  # ETH_P_ALL and the two that are read
_TCP, _UDP = 6, 17
_DNS = 53
_SOMEWHERE = socket.inet_aton("192.0.2.1")  # an address that nobody has
_END, _PATIENCE = ("198.51.100.1", 9), 30.0


def main() -> int:
    _enter()
    with socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(_EVERY_PACKET)) as wire:
        seen = dict[str, None]()
        Thread(target=_watch, args=(wire, seen), daemon=True).start()
        for server in _name_servers():
            Thread(target=_answer, args=(server,), daemon=True).start()
        code = subprocess.run(sys.argv[1:], stdout=sys.stderr, check=False).returncode
        _wait_for_the_watch(seen)
    print(*seen, sep="\n")
    return code


def _wait_for_the_watch(seen: dict[str, None]) -> None:
    """Until a last packet of our own is seen: all before it are seen by then, however busy it is."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as last:
        last.sendto(b"the end", _END)
    end, until = f"udp {_END[0]} {_END[1]}", monotonic() + _PATIENCE
    while end not in seen:
        assert monotonic() < until, "the watch has stopped"
        sleep(0.01)
    del seen[end]


def _enter() -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    user, group = os.getuid(), os.getgid()
    if libc.unshare(_NETWORK):
        if libc.unshare(_USERS | _NETWORK):
            error = ctypes.get_errno()
            raise OSError(error, f"no network of its own: {os.strerror(error)}")
        Path("/proc/self/setgroups").write_text("deny")
        Path("/proc/self/uid_map").write_text(f"{user} {user} 1")
        Path("/proc/self/gid_map").write_text(f"{group} {group} 1")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, _SET_FLAGS, struct.pack("16sh14x", b"lo", _UP))
    _lead_all_here(socket.AF_INET)
    _lead_all_here(socket.AF_INET6)


def _lead_all_here(family: int) -> None:
    """As `ip route add local default dev lo`."""
    # The table of local addresses, made by hand, for this host, a local route.
    route = struct.pack("=8BI", family, 0, 0, 0, 255, 3, 254, 2, 0)
    out_by = struct.pack("=HHI", 8, 4, _LOOPBACK)  # RTA_OIF
    body = route + out_by
    # RTM_NEWROUTE; a request, acknowledged, for a new one.
    head = struct.pack("=IHHII", 16 + len(body), 24, 0x405, 1, 0)
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0) as kernel:
        kernel.send(head + body)
        (error,) = struct.unpack_from("=i", kernel.recv(4096), 16)
    if error and family == socket.AF_INET:
        raise OSError(-error, os.strerror(-error))


def _name_servers() -> list[str]:
    with suppress(OSError):
        named = re.findall(r"(?m)^nameserver\s+([\d.]+)", Path("/etc/resolv.conf").read_text())
    return named or ["127.0.0.1"]


def _answer(server: str) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as door:
        door.bind((server, _DNS))
        while True:
            asked, client = door.recvfrom(4096)
            end = asked.index(b"\0", 12) + 5
            is_a = asked[end - 4 : end - 2] == b"\0\1"
            record = b"\xc0\x0c\0\1\0\1\0\0\0\x3c\0\4" + _SOMEWHERE
            counts = struct.pack(">4H", 1, is_a, 0, 0)
            head = asked[:2] + b"\x81\x80" + counts
            door.sendto(head + asked[12:end] + record * is_a, client)


def _watch(wire: socket.socket, seen: dict[str, None]) -> None:
    while True:
        packet, (_, protocol, *_) = wire.recvfrom(65535)
        if protocol == _IP:
            kind, to, rest = packet[9], packet[16:20], packet[(packet[0] & 15) * 4 :]
            _note(kind, socket.inet_ntop(socket.AF_INET, to), rest, seen)
        elif protocol == _IP6:
            _note(packet[6], socket.inet_ntop(socket.AF_INET6, packet[24:40]), packet[40:], seen)


def _note(kind: int, to: str, rest: bytes, seen: dict[str, None]) -> None:
    came_from, port = struct.unpack_from(">2H", rest)
    if kind == _UDP and port == _DNS:
        name = b".".join(re.findall(rb"[\x01-\x3f]([!-~]+)", rest[20 : rest.index(b"\0", 20)]))
        seen[f"look-up {name.decode()}"] = None
    elif kind == _UDP and came_from != _DNS:
        seen[f"udp {to} {port}"] = None
    elif kind == _TCP and rest[13] & 0x12 == 2:  # SYN without ACK
        seen[f"tcp {to} {port}"] = None


if __name__ == "__main__":
    sys.exit(main())
