"""Where a group is and how it moves."""
