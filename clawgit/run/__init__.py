"""The process that runs the jobs: when each is due, starting it, and what is told of it.

`schedule` has the table of jobs, with their past and next times; `runner` starts each in a process
of its own. `heartbeat` takes what waits in the queues, `digest` tells what was done.

Only `agents`, `health`, `front` and the commands call it.
"""
