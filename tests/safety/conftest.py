"""The workspace with a soul, for all tests here."""

from tests.soulful import soulful

__all__ = ["soulful"]
