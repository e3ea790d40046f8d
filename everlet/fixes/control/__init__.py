"""Fixes that steer a run: when it ends, what it prints, which settings change."""
