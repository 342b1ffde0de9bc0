"""A study as a TOML file: what it says, what runs follow from it, and what people look at when they are done.

Every mistake in a file is found before anything runs. It knows nothing of any paper.
"""
