"""The page: what the agent remembers, why, and how it came to be, in a browser.

`asking` runs commands and gives their documented JSON. `sessions` knows who looks, and what a
request must be. `views` say what each page shows, `items` what the operator decides; `wording`,
`charts` and `growth` make sentences and pictures of it. `app` brings these together and does what
the forms say, `server` runs it.
"""
