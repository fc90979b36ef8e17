"""Where a new fact goes: which file, which heading. The layouts are rows in `core/layout.py`."""
