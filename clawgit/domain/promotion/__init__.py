"""Which lines of daily notes belong among what lasts, and the two edits that move one.

`shape` names what never leaves a note. `plan` is what `memory promote` shows before it does it.
"""
