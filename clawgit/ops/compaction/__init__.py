"""`memory compact`, `memory tidy` and the nightly upkeep."""
