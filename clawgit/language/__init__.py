"""Reads human language: sentences, tokens, days. A language is a file of data.

`judges` are small learned models: a text → a chance. Every room may call it; it calls only `core`.
"""
