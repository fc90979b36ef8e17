"""Works off a queue, and tells each item on a line of its own; or holds one until it is killed.

usage: python queue_child.py FOLDER (work | hold) TIME MINUTES
"""

import signal
import sys
from datetime import datetime, timedelta
from pathlib import Path

from clawgit.talk.stores.queue import claim, done
from clawgit.workspace.stores.state import open_state
from clawgit.workspace.stores.state_log import log_of


def main(folder: str, mode: str, time: str, minutes: str) -> None:
    root, now = Path(folder), datetime.fromisoformat(time) + timedelta(minutes=int(minutes))
    with open_state(root / "state.db", log_of(root / "copies", root), now) as state:
        while claimed := claim(state, "miner", now):
            print(claimed.id, flush=True)
            if mode == "hold":
                signal.pause()
            if not done(state, claimed):
                print("lost", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
