"""The workspace whose git asks clawgit, for every test of hooks."""

from tests.hooks.hooked import hooked  # noqa: F401 - a fixture
