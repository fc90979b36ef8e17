"""`python -m bench power [--cuts N]`: cuts the power of a disk while clawgit writes, and looks.

A file system in an image is mounted where nobody else sees it (`unshare --mount`), so that it goes
with this process, however that ends. At a random moment, or right after an acknowledgement, it is
shut down without its log being written, which loses what was not synced, as a power cut does. Then
the writers are killed, the disk is mounted again, and all that was acknowledged must be there.
"""

import fcntl
import json
import os
import random
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from bench.lab import open_lab
from bench.power_faults import Act, faults
from bench.power_writers import WRITERS, Desk, plant

DISKS = {
    "ext4": (("mkfs.ext4", "-q"), "defaults"),
    "writeback": (("mkfs.ext4", "-q"), "data=writeback,commit=60"),
    "ext2": (("mkfs.ext4", "-q", "-O", "^has_journal"), "defaults"),
    "xfs": (("mkfs.xfs", "-q"), "defaults"),
}
"""How each disk is made and mounted. `ext2` has no journal, so nothing is in order that was not
synced."""

_GOING_DOWN, _WITHOUT_LOG = 0x8004587D, 2
"""The request of ext4 and XFS that shuts a file system down, and how: nothing is written any more."""

_MEGABYTES = 384
_CUTS_OF_A_DISK = 12
_LONGEST = 3.0
_INSIDE = "CLAWGIT_BENCH_POWER"


class Result(NamedTuple):
    """What came of one cut."""

    acts: tuple[Act, ...]
    failed: tuple[str, ...]
    faults: tuple[str, ...]


class Disk(NamedTuple):
    """An image of a file system, and where it is mounted."""

    image: Path
    at: Path
    kind: str

    def make(self) -> None:
        with self.image.open("wb") as file:
            file.truncate(_MEGABYTES << 20)
        subprocess.run([*DISKS[self.kind][0], str(self.image)], check=True)
        self.mount()

    def mount(self) -> None:
        if self.kind == "ext2":
            subprocess.run(["e2fsck", "-fy", str(self.image)], capture_output=True, check=False)
        options = f"loop,{DISKS[self.kind][1]}"
        subprocess.run(["mount", "-o", options, str(self.image), str(self.at)], check=True)

    def unmount(self) -> None:
        for _ in range(100):
            # The last of the killed writers may still hold a file.
            done = subprocess.run(["umount", str(self.at)], capture_output=True, check=False)
            if done.returncode == 0:
                return
            time.sleep(0.05)
        raise RuntimeError(done.stderr.decode())

    def cut(self) -> None:
        descriptor = os.open(self.at, os.O_RDONLY)
        try:
            fcntl.ioctl(descriptor, _GOING_DOWN, struct.pack("I", _WITHOUT_LOG))
        finally:
            os.close(descriptor)


def report(
    kind: str, cuts: int, names: tuple[str, ...], seed: int, keep: Path | None
) -> tuple[str, int]:
    """A table of what was written, and how many cuts left a fault; these are printed as they come."""
    _refuse_elsewhere(kind)
    if os.environ.get(_INSIDE) != str(os.getpid()):
        # The same process, which now sees a table of mounts of its own.
        os.environ[_INSIDE] = str(os.getpid())
        argv = ["unshare", "--mount", sys.executable, "-m", "bench", *sys.argv[1:]]
        os.execvp(argv[0], argv)  # noqa: S606
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    done = list[Result]()
    with tempfile.TemporaryDirectory(prefix="clawgit-power-") as folder:
        disk = Disk(Path(folder) / "image", Path(folder) / "disk", kind)
        try:
            for cut, result in enumerate(_cuts(disk, cuts, names, seed, keep)):
                print(_line(cut, result), file=sys.stderr)
                done.append(result)
        finally:
            # Lazily: what is killed may hold it for a moment.
            subprocess.run(["umount", "-l", str(disk.at)], capture_output=True, check=False)
    begun = Counter(act.name for result in done for act in result.acts)
    kept = Counter(act.name for result in done for act in result.acts if act.done)
    rows = [f"| {name} | {begun[name]} | {kept[name]} |" for name in begun]
    bad = sum(1 for result in done if result.faults)
    head = f"{kind}, seed {seed}: {len(done)} cuts, {sum(kept.values())} acknowledged, {bad} bad"
    table = ["", "| writer | begun | acknowledged |", "| --- | ---: | ---: |", *rows]
    return "\n".join([head, *table]), bad


def _refuse_elsewhere(kind: str) -> None:
    programs = ("unshare", "mount", "git", DISKS[kind][0][0])
    missing = [program for program in programs if shutil.which(program) is None]
    if os.geteuid() != 0 or not Path("/dev/loop-control").exists() or missing:
        sys.exit(f"This needs Linux, root, loop devices and {', '.join(programs)}.")


def _line(cut: int, result: Result) -> str:
    counted = Counter(act.name for act in result.acts if act.done)
    kept = " ".join(f"{name} {number}" for name, number in counted.items())
    return f"… {cut}: {kept} {'; '.join((*result.faults, *result.failed))}"


def _cuts(
    disk: Disk, cuts: int, names: tuple[str, ...], seed: int, keep: Path | None
) -> Iterator[Result]:
    disk.at.mkdir()
    lab = open_lab(disk.at.parent)
    desk = Desk(
        disk.at, {**lab.env, "HOME": str(disk.at / "home"), "TMPDIR": str(disk.at / "home")}
    )
    chance = random.Random(seed)
    left, before = 0, list[Act]()
    for cut in range(cuts):
        if not left:
            disk.make()
            plant(desk)
            left, before = _CUTS_OF_A_DISK, list[Act]()
        result = _one(disk, desk, cut, names, chance, before, keep)
        before += result.acts
        yield result
        left = 0 if result.faults else left - 1
        if not left:
            disk.unmount()


def _one(
    disk: Disk, desk: Desk, cut: int, names: tuple[str, ...], chance: random.Random,
    before: Sequence[Act], keep: Path | None,
) -> Result:  # fmt: skip
    chosen = chance.sample(names, min(len(names), chance.randint(2, 4)))
    service = ["service"] * chance.randint(0, 1)
    seconds, aimed = chance.uniform(0.1, _LONGEST), chance.choice([0, chance.randint(1, 8)])
    argv = [sys.executable, "-m", "bench.power_writers", str(disk.at), f"{cut:03}"]
    isolated = ["unshare", "--pid", "--fork", "--kill-child"]
    writers = subprocess.Popen(
        [*isolated, *argv, *service, *chosen], env=desk.env, stdout=subprocess.PIPE
    )
    try:
        assert writers.stdout is not None
        said = _until(writers.stdout.fileno(), seconds, aimed)
        disk.cut()
    finally:
        writers.kill()
    # One that ended well after the cut needed nothing that the cut took.
    said += writers.stdout.read()
    writers.wait()
    disk.unmount()
    if keep is not None:
        shutil.copyfile(disk.image, keep / "before-mount.img")
    disk.mount()
    rows = [json.loads(row) for row in said.decode().splitlines(keepends=True) if row[-1] == "\n"]
    done = {word for how, _, word, _ in rows if how == "done"}
    acts = tuple(Act(name, word, word in done) for how, name, word, _ in rows if how == "begun")
    failed = tuple(
        f"({word}: {printed[:200]})"
        for how, _, word, printed in rows
        if how == "failed" and not any(sign in printed for sign in _DISK_GONE)
    )
    found = tuple(faults(desk, acts, before))
    if keep is not None and found:
        (keep / "before-mount.img").rename(keep / f"cut-{cut}.img")
    return Result(acts, failed, found)


_DISK_GONE = ("nput/output error", "not a git repository", "could not open", "unable to")


def _until(pipe: int, seconds: float, aimed: int) -> bytes:
    """What the writers say until the moment of the cut: after so many acknowledgements, or at that
    time."""
    said, end = b"", time.monotonic() + (3 * _LONGEST if aimed else seconds)
    begun = False
    while (left := end - time.monotonic()) > 0:
        if select.select([pipe], [], [], left)[0]:
            piece = os.read(pipe, 1 << 16)
            if not piece:
                raise RuntimeError("The writers have ended by themselves.")
            said += piece
            if not begun:
                begun, end = True, time.monotonic() + (3 * _LONGEST if aimed else seconds)
        if aimed and said.count(b'"done"') >= aimed:
            break
    return said


ALL = tuple(WRITERS)
