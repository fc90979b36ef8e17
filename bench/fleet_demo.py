"""`make fleet`: three workers do what is due in twelve workspaces, on a real PostgreSQL. One of them
is killed, one stands still for longer than a heartbeat, somebody pushes by hand meanwhile, and the
database is restarted. Each time of each job is done once."""

import sys
import threading
import time
from collections.abc import Callable

from bench.fleet_ground import STALE, Ground, ground

WORKSPACES = 12
ROUNDS = 2


def main() -> int:
    began = time.monotonic()

    def tell(what: str) -> None:
        print(f"{time.monotonic() - began:6.1f} s  {what}", flush=True)

    with ground() as (here, server):
        agents = here.add(WORKSPACES)
        tell(f"{WORKSPACES} workspaces in the fleet")
        for number in (1, 2, 3):
            here.start(f"worker-{number}")
        lines = 0
        for number in range(ROUNDS):
            for agent in agents:
                here.say(agent, number)
            here.due()
            tell(f"round {number + 1}: the miner is due in each of them")
            hands = threading.Thread(target=_by_hand, args=(here, agents, number))
            hands.start()
            _harm(here, number, tell, server.restart)
            here.wait()
            hands.join()
            lines += 1
            tell(f"round {number + 1}: all is done")
        for name in sys.argv[1:]:
            print(here.log(name))
        wrong = here.wrong(agents, lines)
        print(f"\n{table(here)}\n")
        print("\n".join(wrong) or "each time of each job was done once, and no line is lost")
    return int(bool(wrong))


def _by_hand(here: Ground, agents: list[str], number: int) -> None:
    for agent in agents:
        here.by_hand(agent, f"by hand, {number}")


def _harm(
    here: Ground, number: int, tell: Callable[[str], None], restart: Callable[[], None]
) -> None:
    here.wait(undone=WORKSPACES - 2)
    if number == 0:
        here.kill("worker-1")
        tell("worker-1 is killed (kill -9), and starts again")
        here.start("worker-1")
        return
    still = here.stop("worker-2")
    tell(f"worker-2 stands still (SIGSTOP) for {STALE + 4:.0f} s")
    time.sleep((STALE + 4) / 2)
    restart()
    tell("the database was restarted")
    time.sleep((STALE + 4) / 2)
    here.go_on(still)
    tell("worker-2 goes on")


def table(here: Ground) -> str:
    rows = here.query("""SELECT job, count(*), count(*) FILTER (WHERE outcome = 'done'),
        sum(refused), sum(tries), max(gen) FROM due GROUP BY job ORDER BY job""")  # fmt: skip
    head = ("job", "due", "done", "refused", "failed tries", "newest generation")
    lines = [head, *(tuple(map(str, row)) for row in rows)]
    widths = [max(len(line[at]) for line in lines) for at in range(len(head))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        for line in lines
    )


if __name__ == "__main__":
    sys.exit(main())
