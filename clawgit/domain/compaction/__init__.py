"""Keeping memory small without losing a line.

Notes of past days are collected in books (`chronicle`), MEMORY.md is kept within its limits
(`tidy`), and COMPACTION_LOG.md says where everything went (`log`).
"""
