"""The claims of the five papers, what became of each, and the page that shows them.

    claims.csv, claim.py     what is claimed: the wording of a claim stands here and nowhere else
    verdict.py               a word and the figures behind it;  judging.py  how a word comes about
    ledger.py                every claim with its last verdict (verdicts.json);  page.py  the page of the documentation
    errata.csv, errata.py    where a paper contradicts itself

The judge of a claim, and with it what is asked for, stands with its paper, in `studies/papers`; nothing here computes a
figure.
"""
