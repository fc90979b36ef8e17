"""A fleet on one machine, for every test of it."""

from tests.run.fleet.lab import lab, mold, server  # noqa: F401 - fixtures
