"""The commands for changes: make, list, compare, explain and undo them."""
