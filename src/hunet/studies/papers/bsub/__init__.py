"""What the reproductions of both B-SUB papers share: traces, evidence by seed, figures, samples of filters.

It knows neither paper's claims.
"""
