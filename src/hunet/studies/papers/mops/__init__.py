"""MOPS (2009): its simulations, figures and claims.

It knows no other paper and no command line.
"""
