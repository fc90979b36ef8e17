"""Small learned models over text, each a text → a chance; their weights are mapped files with a
checksum.
"""
