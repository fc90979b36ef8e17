"""Reads human language: sentences, tokens, quantities, days, names. A language is a
file of data.
"""
