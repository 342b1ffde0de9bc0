"""The words every room shares: frozen records, table schemas, names, numbers, the error tree, and two
formulas that traces and protocols both need (closeness, mixing).

This room knows no algorithm, no file and no clock. It imports nothing else of hunet, and everything else may
import it.
"""
