"""What the reproductions of both B-SUB papers share: traces, curves, drawings, samples of filters.

It knows neither paper's claims.
"""
