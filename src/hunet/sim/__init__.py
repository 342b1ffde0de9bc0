"""The simulator: contacts, births of messages and changes of interest in time order, and the measures.

One event loop serves every protocol; it is compiled together with the protocol's functions. This room owns all that is
not a protocol's business: who has seen what, buffers, lifetimes, capacity, deliveries. It knows no Spark and no
socket, and never imports `node`.
"""
