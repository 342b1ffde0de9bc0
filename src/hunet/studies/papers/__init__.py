"""The five papers again: traces, simulations, figures and a judge for every claim, one package per paper.

What they share stands here once; a paper's package never imports another's (both B-SUBs share `bsub`).
"""
