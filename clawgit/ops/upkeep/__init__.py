"""The upkeep of memory: `memory compact`, `tidy` and `promote`, the digest, the nightly upkeep."""
