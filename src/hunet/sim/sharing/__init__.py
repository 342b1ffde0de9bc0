"""Context sharing in beacons: nodes tell all that are near what they know, and pass on what others want.

It has an event loop of its own, over beacons instead of contacts, and knows nothing of messages and buffers.
"""
