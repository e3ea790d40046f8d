"""Pictures of spheres and sticks, without a display: camera, loops that find what is in front, colours, PNG files."""
