"""Many runs of an experiment on Spark: on a laptop or a cluster, resumable, each published when it ends.

    experiment.py   what an experiment and a run of it are
    data.py         tables that runs take in, named by their content
    identity.py     the name of a run: a hash of its inputs and of the code it uses
    folder.py       the folder of a sweep: what is published, and how
    grouping.py     which runs go into one task
    child.py        the process in which runs happen;  supervisor.py starts it, feeds it and survives its death
    task.py         what Spark's workers do
    driver.py       `sweep`: from runs to tables
    compaction.py   the tables: runs, measures, and those that experiments add
    simulation.py   the first experiment: a protocol on a trace

This room is what every study goes through; it must not know any study, nor the command line.
"""
