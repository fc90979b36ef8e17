"""What a language model is shown and what it may answer.

Foreign text is fenced, the answer has a schema, and `held` drops what the shown text does not bear
out. `core/tokens.py` estimates the cost.
"""
