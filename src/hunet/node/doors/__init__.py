"""Doors for people and their programs: HTTP with the page, and MQTT. Loaded only where one is opened.

A door carries requests in and answers out. What is asked is done by the functions of `node/service.py`, the same that
the local door has; nothing here touches a row, a link or the store's tables but MQTT's own sessions.
"""
