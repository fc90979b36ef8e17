"""What a question asks, how well an item answers it, and which part of it is shown.

Nothing here knows SQL; the index is in search/index, and the way that uses these rules in
`search/answering.py`.
"""
