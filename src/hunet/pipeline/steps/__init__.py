"""Steps: pure functions from DataFrames to DataFrames, one file per subject.

A step opens no session, runs no action, caches nothing and reads or writes no file; its inputs are its arguments.
Built-in expressions come first. Where a step runs Python code (to walk sorted rows with a kernel) it does so through
Arrow, batch by batch or part by part, so that its memory does not depend on how much data there is; many rows travel in
packs (`pipeline.packs`).
"""
