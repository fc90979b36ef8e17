"""The quick start, for a plain search and what a running service can do: it reads the command line
without click.

Every command begins in `entry`, which passes all but the simplest ones to `clawgit.cli`.
"""
