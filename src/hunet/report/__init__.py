"""Tables in, pictures out: figures and, later, the HTML report.

This room computes no result and knows neither filters nor protocols; it imports `model` only. Drawing never opens a
window and never changes matplotlib's global settings.
"""
