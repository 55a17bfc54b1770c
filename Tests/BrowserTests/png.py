"""The pixels of a screenshot, without any library."""

import struct
import zlib


class Picture:
    """An 8-bit RGB or RGBA PNG file that isn't interlaced, as browsers write them."""

    def __init__(self, data):
        self.width, self.height, depth, colour = struct.unpack(">IIBB", data[16:26])
        assert depth == 8 and colour in (2, 6), "an unusual PNG file"
        self.channels = 3 if colour == 2 else 4
        self.rows = self._unfilter(zlib.decompress(self._data(data)))

    def colour(self, x, y):
        """Red, green, blue."""
        first = x * self.channels
        return tuple(self.rows[y][first : first + 3])

    def __eq__(self, other):
        return self.rows == other.rows

    @staticmethod
    def _data(data):
        parts, offset = [], 8
        while offset < len(data):
            length, kind = struct.unpack(">I4s", data[offset : offset + 8])
            if kind == b"IDAT":
                parts.append(data[offset + 8 : offset + 8 + length])
            offset += length + 12
        return b"".join(parts)

    def _unfilter(self, data):
        stride, size = self.width * self.channels, self.channels
        above, rows = bytes(stride), []
        for first in range(0, len(data), stride + 1):
            kind, row = data[first], bytearray(data[first + 1 : first + 1 + stride])
            if kind:
                for i in range(stride):
                    left = row[i - size] if i >= size else 0
                    corner = above[i - size] if i >= size else 0
                    row[i] = (row[i] + self._predict(kind, left, above[i], corner)) & 255
            rows.append(bytes(row))
            above = row
        return rows

    @staticmethod
    def _predict(kind, left, up, corner):
        if kind == 1:
            return left
        if kind == 2:
            return up
        if kind == 3:
            return (left + up) // 2
        estimate = left + up - corner
        return min((left, up, corner), key=lambda value: abs(estimate - value))
