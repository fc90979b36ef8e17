"""The documents that clawgit was built from, row by row: each test is named by the seed's words."""
