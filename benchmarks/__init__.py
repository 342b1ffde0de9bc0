"""What must stay fast, small and safe, measured; each file runs as `python -m benchmarks.<name>`."""
