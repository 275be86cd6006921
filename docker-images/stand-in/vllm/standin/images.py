"""Reads the PNG of a data: URL far enough to tell its size and colours."""
import base64
import binascii
import struct
import zlib
from dataclasses import dataclass

_NAMED = {
    "black": (0, 0, 0), "white": (255, 255, 255), "gray": (128, 128, 128), "red": (255, 0, 0), "green": (0, 255, 0),
    "blue": (0, 0, 255), "yellow": (255, 255, 0), "cyan": (0, 255, 255), "magenta": (255, 0, 255),
    "orange": (255, 165, 0), "purple": (128, 0, 128),
}
# Samples a pixel by PNG colour type: gray, RGB, palette, gray with alpha, RGB with alpha.
_SAMPLES = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}


class BadImage(Exception):
    """Text for the client."""


@dataclass(frozen=True)
class Image:
    """What an answer can tell of an image."""

    width: int
    height: int
    mean: tuple[int, int, int]

    @property
    def colour(self) -> str:
        """The named colour next to the mean."""
        return min(_NAMED, key=lambda name: sum((a - b) ** 2 for a, b in zip(_NAMED[name], self.mean)))


def read_data_url(url: str) -> Image:
    """Raises BadImage."""
    head, _, payload = url.partition(",")
    if not head.startswith("data:") or ";base64" not in head:
        raise BadImage("Failed to load image: only data: URLs with base64 can be reached here.")
    try:
        return _read_png(base64.b64decode(payload, validate=True))
    except (binascii.Error, zlib.error, struct.error, KeyError, IndexError, ValueError) as error:
        raise BadImage("Failed to load image: cannot identify image file") from error


def _read_png(data: bytes) -> Image:
    if data[:8] != b"\x89PNG\r\n\x1a\n":
        raise ValueError
    chunks = list(_chunks(data))
    width, height, depth, kind, _, _, interlace = struct.unpack(">IIBBBBB", chunks[0][1])
    if depth != 8 or interlace != 0:
        raise BadImage("Failed to load image: only PNG with 8 bits a sample and without interlacing is read here.")
    raw = zlib.decompress(b"".join(body for name, body in chunks if name == b"IDAT"))
    palette = next((body for name, body in chunks if name == b"PLTE"), b"")
    rows = _unfilter(raw, width * _SAMPLES[kind], _SAMPLES[kind], height)
    return Image(width, height, _mean(rows, kind, palette, width * height))


def _chunks(data: bytes):
    at = 8
    while at < len(data):
        (size,) = struct.unpack(">I", data[at : at + 4])
        yield data[at + 4 : at + 8], data[at + 8 : at + 8 + size]
        at += size + 12


def _unfilter(raw: bytes, stride: int, samples: int, height: int) -> list[bytearray]:
    rows: list[bytearray] = []
    above = bytearray(stride)
    for number in range(height):
        start = number * (stride + 1)
        method, row = raw[start], bytearray(raw[start + 1 : start + 1 + stride])
        if method:
            for i in range(stride):
                left = row[i - samples] if i >= samples else 0
                corner = above[i - samples] if i >= samples else 0
                row[i] = (row[i] + _predict(method, left, above[i], corner)) & 255
        rows.append(row)
        above = row
    return rows


def _predict(method: int, left: int, up: int, corner: int) -> int:
    if method < 4:
        return (0, left, up, (left + up) // 2)[method]
    estimate = left + up - corner
    return min((left, up, corner), key=lambda value: abs(estimate - value))


def _mean(rows: list[bytearray], kind: int, palette: bytes, count: int) -> tuple[int, int, int]:
    samples = _SAMPLES[kind]
    if kind == 3:
        used = [palette[index * 3 : index * 3 + 3] for row in rows for index in row]
        red, green, blue = (sum(colour[channel] for colour in used) // count for channel in range(3))
        return red, green, blue
    sums = [sum(sum(row[channel::samples]) for row in rows) // count for channel in range(samples)]
    return (sums[0], sums[0], sums[0]) if samples < 3 else (sums[0], sums[1], sums[2])
