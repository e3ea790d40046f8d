"""Pictures as files: PNG and PPM."""

from __future__ import annotations

import struct
import zlib

import numpy as np


def encoded(picture: np.ndarray, kind: str) -> bytes:
    """Bytes of a file of this kind (png or ppm) for colours of 0 to 1, (height, width, 3)."""
    pixels = (255.0 * np.clip(picture, 0.0, 1.0) + 0.5).astype(np.uint8)
    height, width, _ = pixels.shape
    if kind == "ppm":
        return f"P6\n{width} {height}\n255\n".encode() + pixels.tobytes()
    rows = np.zeros((height, 1 + 3 * width), np.uint8)  # each row begins with the number of its filter: none
    rows[:, 1:] = pixels.reshape(height, -1)
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", head), (b"IDAT", zlib.compress(rows.tobytes())), (b"IEND", b""))
    packed = (struct.pack(">I", len(text)) + name + text + struct.pack(">I", zlib.crc32(name + text)) for name, text in chunks)
    return b"\x89PNG\r\n\x1a\n" + b"".join(packed)
