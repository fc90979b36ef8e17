"""What a question asks, how well an item answers it, and which part of it is shown.

All weights stand in `ranking_weights`. Nothing here knows SQL; the index is in stores/index.
"""
