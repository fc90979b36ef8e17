"""`python -m clawgit`."""

from clawgit.cli import main

main()
