"""Fixes of batches: what each of many systems has of its own stands in tables, with a row for each."""
