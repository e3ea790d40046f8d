"""Few numbers out of many."""
