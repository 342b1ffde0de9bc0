"""The claims of the five papers, what became of each, and the page that shows them.

    claims.csv, errata.csv   what is claimed, and where a paper contradicts itself
    verdict.py               a word and the figures behind it
    ledger.py                every claim with its last verdict;  page.py  the page of the documentation

How a claim is judged stands with its paper, in `studies/papers`; nothing here computes a figure.
"""
