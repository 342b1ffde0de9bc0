"""A trace lived through by real nodes: processes, sockets, sealed links, stores on disk; compared with a simulation.

`replay.py` is what to call, `driver.py` says who meets whom when, `worker.py` is a process with some of the nodes.
This room knows both the simulator and the node, which do not know each other.
"""
