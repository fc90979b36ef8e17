"""What everybody uses: errors, limits, settings, Markdown with its entries, files on the disk.

`errors.ClawgitError` is what a user can cause, with a next step. `markdown` reads a file into
entries and edits their bytes. `config` has each setting in one table. `disk` writes what lies
outside of the repository. A library that takes long to load has a door in `doors`.
`NamedTuple` is what every frozen value is made of.
Every room may call it.
"""

from clawgit.core.values import NamedTuple as NamedTuple
