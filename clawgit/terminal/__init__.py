"""What a command is made of, and how its answer is printed: for the `commands.py` of every room.

`command_table` names each command, `command` imports it when it is called, opens the workspace and
prints what it returns, as text or as JSON. `output` is the only place that prints: there
everything is masked.

Only commands and front ends call it.
"""
