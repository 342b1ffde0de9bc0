"""SpTBF and Grapevine (2012): its simulations, figures and claims.

It knows no other paper and no command line.
"""
