"""Reads human language: sentences, tokens, days. A language is a file of data."""
