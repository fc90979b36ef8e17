"""What git's hooks run: one small module per hook, loaded by name, since each commit waits for
it. `checks` has what a commit is checked for; `workspace/githooks.py` installs the scripts.
Only git calls them.
"""
