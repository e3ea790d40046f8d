"""Forces of grains that touch: laws of contacts (physics.py, hooke.py), loops over those that are near (loops.py; for cores
packed_loops.py), history that lives with each pair (contacts.py), and the scheme that does the work."""
