"""What the benchmarks measure and report with."""
