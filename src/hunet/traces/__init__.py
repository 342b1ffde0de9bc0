"""Traces: from the lines of a raw file to contacts, and the place where finished traces are kept.

Here live the parsing rules (one file per format in `formats`), the rules that turn rows into contacts (`events`,
`merge`, `clean`), the trace store, its exports and figures, pairs and their closeness, the catalog of public data sets,
generators, and the one proximity kernel. All of it works on Arrow tables and numpy arrays, in pieces of bounded size
where inputs are big.

This room must not know Spark, protocols or simulations: `pipeline` wraps these rules to run them at scale, and whoever
only looks at a stored trace starts no JVM. It imports `model` and `kernels`, nothing else of hunet.
"""
