"""Who publishes what when, and who wants what: by chance from a few settings, from files, or as a paper has it.

A workload names nodes as the trace does and knows nothing of protocols, buffers or the event loop.
"""
