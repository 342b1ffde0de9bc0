"""The five papers again: traces, simulations, figures and a judge for every claim, one package per paper.

    reproduce.py   Paper, and reproduce(): from stored traces to a folder of figures and verdicts;  papers.py  all five
    traces.py      PaperTrace: which trace it is, where it comes from, and what stands in for those that are not stored
    figures.py     Figure: id, caption, table, picture;  curves.py  means over seeds as tables and panels
    evidence.py    what claims are judged by;  measured.py  what simulations found

A package has `paper.py` (its PAPER record), runs, figures and claims; it never imports another's (both B-SUBs share
`bsub`). The record is not in `__init__`: workers that do a paper's experiments would load all its figures and judges.
"""
