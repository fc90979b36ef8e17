"""`python -m clawgit`."""

from clawgit.quick.entry import main

main()
