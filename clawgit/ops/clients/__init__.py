"""`connect`: telling other programs of clawgit, and taking that out again."""
