"""The page: what the agent remembers, why, and how it came to be, in a browser.

`asking` runs commands and gives their documented JSON, and knows what the operator decides.
`sessions` knows who looks, and what a request must be. `views` say what each page shows, pictures
too; `wording` makes sentences of it. `app` brings these together and does what the forms say,
`server` runs it.
"""
