"""`connect`: entering clawgit in the config of other programs, and removing it again."""
