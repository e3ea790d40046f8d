"""Forces: terms.py says what they are made of; pairs, bonded, long-range, many-body, learned; descriptors for fits."""
