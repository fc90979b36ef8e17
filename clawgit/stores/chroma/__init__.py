"""Vectors in Chroma: read in this process or on a server, written by a process of their own, proved
before use.
"""
