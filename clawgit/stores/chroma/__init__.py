"""Vectors in Chroma: read in this process or on a server, written by a child, verified before
use.
"""
