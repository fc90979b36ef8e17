"""What a conversation starts with: slots that share one budget of tokens, each line once.

`slots` says which pieces each slot is made of, `slot_budget` who gets how much, `corrected_lines`
drops lines that the operator has corrected since.
"""
