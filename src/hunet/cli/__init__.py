"""The command `hunet`: parse, call, print.

Nothing is computed here. Heavy libraries are imported inside the commands that need them, so that `hunet --help`
loads none of them.
"""
