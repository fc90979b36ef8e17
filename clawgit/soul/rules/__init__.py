"""The soul: its principles, how far they have moved, and who may change them.

`guard` is the one judgement over an edit of SOUL.md or IDENTITY.md. `growth` is what evidence says
about the soul, and when it is enough for a principle.
"""
