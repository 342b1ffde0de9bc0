"""B-SUB and B-SUB-P (2013): its simulations, figures and claims.

It knows no other paper and no command line.
"""
