"""B-SUB (2010): its simulations, figures and claims.

It knows no other paper and no command line.
"""
