"""What happened in a network as a page that moves: tables in, one HTML file out.

This room runs no simulation and knows no protocol: it is given a trace, and logs of what was published, forwarded,
delivered and dropped on it. The page (`assets/`, plain JavaScript and CSS) computes no result either: it replays.
"""
