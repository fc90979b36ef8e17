"""The `soul` command group: reading the soul, changing it, and its named versions."""
