"""What a conversation starts with: slots that share one budget of tokens, each line once.

`slots` says which pieces each slot is made of, `context` who gets how much, `passage` what a file
says and which of it the operator has corrected since.
"""
