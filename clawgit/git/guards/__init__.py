"""Guards against repositories that somebody else prepared: they may hide edits, run programs, or
lead elsewhere.
"""
