"""Is all well: `doctor`, `status`, and what the memory's index holds.

A new check is a function `Site → findings`, and a row in `doctor.CHECKS`. `status` loads little;
`overview` has all of it.

Only `agents`, `run`, `front` and the commands call it.
"""
