"""Settings that suit a trace: looked for on one part of it, judged on another.

It goes through the same sweeps as every study, and knows no paper and no command line.
"""
