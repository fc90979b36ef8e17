"""What must not come in and what must not get out.

`rules` reads the rules, which are data. `secrets` finds keys by shape and by label; `injection`
finds text that gives the agent orders, and `visible` what nobody sees; `masks` is what stands in a
secret's place; `finding`, one thing that is wrong, as every door tells it.
"""
