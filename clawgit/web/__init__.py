"""The page: what the agent remembers, why, and how it came to be, in a browser.

`asking` runs commands and gives their documented JSON. `sessions` knows who looks, `fence` what a
request must be. `views` say what each page shows, `waiting` what the operator decides, `deeds` what
its forms do; `wording`, `charts` and `growth` make sentences and pictures of it. `app` brings these
together, `server` runs it.
"""
