"""What must not come in and what must not get out.

`rules` reads the rules, which are data. `secrets` finds keys by shape
and by label; `injection` finds text that gives the agent orders; `hidden_text` and `hidden_markup`
find what a reader of the page does not see; `masks` is what stands in a secret's place.
"""
