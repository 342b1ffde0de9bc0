"""What is computed on the pairs table, once per trace: virtual links, communities, gateways, brokers, weights.

This room knows no contact and no clock: closeness has been computed before (by `traces.pairs`, or by whoever fills
a pairs table). It starts no Spark and reads no file; tables in, tables out.
"""
