"""What is computed on the pairs table, once per trace: virtual links, and how many hops they take.

This room knows no contact and no clock: closeness has been computed before (by the pipeline, or by whoever fills a
pairs table). It starts no Spark and reads no file; tables in, tables out.
"""
