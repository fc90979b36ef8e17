"""What git's hooks run: one small module per hook, loaded by name, since each commit waits for
it.
"""
