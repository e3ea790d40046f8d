"""Pressures in parts of the box: in bins, through planes."""
