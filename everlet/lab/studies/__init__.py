"""Studies of `everlet study`, one file each."""
