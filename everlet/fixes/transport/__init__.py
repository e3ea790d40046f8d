"""Fixes that drive a flow of heat or momentum."""
