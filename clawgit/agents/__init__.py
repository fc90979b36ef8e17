"""The agents by name: an explicit table, loaded by who runs them."""
