"""The folder as a whole: which kinds there are, which paths are clawgit's, where a new fact goes.

`layout` lists the kinds; a new kind of workspace is one row there. `scope` says which paths may be
touched at all.
"""
