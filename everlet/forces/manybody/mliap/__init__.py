"""pair_style mliap: a descriptor and a model of its components, from files."""
