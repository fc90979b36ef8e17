"""Edits of other programs' files that leave everything else as it was and can be taken back."""
