"""A fleet on one machine, for every test of it."""

from tests.run.fleet.lab import lab, mold, own_lab, server  # noqa: F401 - fixtures
