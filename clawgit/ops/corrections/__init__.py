"""Corrections: listed, typed in, settled, archived, and what follows a run of the validator."""
