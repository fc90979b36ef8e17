"""The models by which clawgit searches by meaning. `ORIGIN.md` says what they were made from."""
