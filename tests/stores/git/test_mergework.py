"""What the merge driver leaves for its next calls, and how long."""

import os
from pathlib import Path

from clawgit.stores.git.remotes.mergework import Trio, drop_old_results, keep_result, merging

TRIO = Trio("memory/a b.md", "k" * 120, b"", b"ours", b"theirs")


def test_results_are_kept_for_an_hour(tmp_path: Path) -> None:
    folder = tmp_path / "merged"
    keep_result(str(folder), TRIO, b"- Both.\n", conflict=False)
    keep_result(str(folder), TRIO, b"<<<<<<< ours\n", conflict=True)
    assert (folder / "clean" / TRIO.key / TRIO.path).read_bytes() == b"- Both.\n"
    made = folder.stat().st_mtime
    drop_old_results(str(folder), made + 3500)
    assert (folder / "marked" / TRIO.key / TRIO.path).exists()
    drop_old_results(str(folder), made + 3700)
    assert not folder.exists()
    drop_old_results(str(folder), made)


def test_without_a_merge_of_gits_only_the_file_that_was_asked_for_is_known() -> None:
    assert [*merging({"PATH": os.environ["PATH"]})] == []
