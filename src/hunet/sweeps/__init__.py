"""Many runs of an experiment, on a laptop or a cluster: resumable, each published when it ends.

    runner.py       `Runner`: where runs are done; from runs to tables
    backend.py      what does runs:  on_spark.py, with spark_worker.py for what its workers do, and on_processes.py
    experiment.py   what an experiment and a run of it are
    data.py         tables that runs take in, named by their content
    identity.py     the name of a run: a hash of its inputs and of the code it uses
    sources.py      the code it uses, found by reading
    folder.py       the folder of a sweep: what is published, and how
    grouping.py     which runs go into one task
    child.py        the process in which runs happen;  supervisor.py starts it, feeds it and survives its death
    task.py         what one task is, and how it is done
    compaction.py   the tables: runs, measures, and those that experiments add
    simulation.py   the first experiment: a protocol on a trace

This room is what every study goes through; it must not know any study, nor the command line.
"""
