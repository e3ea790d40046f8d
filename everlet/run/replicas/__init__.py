"""Several systems that know of each other: replica exchange and elastic bands."""
