"""What must not come in and what must not get out.

`injection` finds text that gives the agent orders, with its patterns as data; `hidden_text` finds
invisible characters; `secrets*` finds keys by shape and by label; `masks` is what stands in a
secret's place.
"""
