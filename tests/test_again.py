"""What tests share: a folder that the next one finds as it was."""

import os
import subprocess
from pathlib import Path
from threading import Thread

from tests.again import as_it_was


def test_who_still_works_in_a_folder_has_ended_before_it_is_made_as_it_was(tmp_path: Path) -> None:
    kept, used = tmp_path / "kept", tmp_path / "used"
    (kept / "ws").mkdir(parents=True)
    as_it_was(kept, used)
    os.mkfifo(tmp_path / "go")
    late = subprocess.Popen(
        ["/bin/sh", "-c", "read line < ../../go; echo late > late.md"],
        cwd=used / "ws",
        start_new_session=True,
    )
    waiting = Thread(target=as_it_was, args=(kept, used))
    waiting.start()
    waiting.join(0.05)  # without a wait, it has ended by then
    (tmp_path / "go").write_text("go\n")
    waiting.join()
    assert late.wait(10) == 0
    assert [*(used / "ws").iterdir()] == []
