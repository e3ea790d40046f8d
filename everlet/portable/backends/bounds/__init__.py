"""Plain Python that looks at every index: what `everlet check` runs first, so that wrong ones are named and do no harm."""
