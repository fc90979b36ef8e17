"""The `memory` command group: a module for each command."""
