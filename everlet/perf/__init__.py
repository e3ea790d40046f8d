"""Performance. What this machine can do, and benchmarks.
"""
