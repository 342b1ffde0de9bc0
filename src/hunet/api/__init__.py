"""The public face: what `import hunet as hn` offers, one function or type at a time, each over what the rooms have.

    trace.py       Trace: who met whom, and what can be done with that     reading.py     read: raw files, in memory
    storing.py     load, stored: the trace store                           generating.py  generate
    simulating.py  simulate                                                comparing.py   compare
    sweeping.py    sweep                                                   social.py      communities
    ledger.py      claims                                                  names.py       names

`hunet/__init__.py` lists the names and loads what is asked for; `docs/notebook.md` describes them. This room computes
nothing of its own and must not know the command line, which calls it; what it offers is stable (`docs/versions.md`).
"""
