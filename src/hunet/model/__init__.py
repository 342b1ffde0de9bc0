"""The words every room shares: frozen records, table schemas and the error tree.

This room knows no algorithm, no file and no clock. It imports nothing else of hunet, and everything else may
import it.
"""
