"""Changing the workspace and looking back: snapshot, undo, restore, log, why, proposals, backup."""
