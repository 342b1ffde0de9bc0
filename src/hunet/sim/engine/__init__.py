"""The event loop and what it works on: one run of a protocol on arrays, and what came of it.

    run.py          `run`: from a scene to an outcome
    loop.py         the order of events;  contact.py, exchange.py, births.py  what happens at each
    host.py         everything of a run that is not the protocol's;  arrays.py  the arrays of it
    buffers.py, lifetimes.py, entries.py, links.py   who holds what, until when, with what memory, over which contacts
    audit.py, extras.py, event_log.py, hearsay.py    what is measured only when asked for

This package knows numbers, not names: what a trace or a workload file looks like is no business of its own.
"""
