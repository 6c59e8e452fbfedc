"""The entries of a ZIP archive, with all fields of its directory and local headers."""

import struct
import zlib
from dataclasses import dataclass
from functools import cached_property


class Unreadable(Exception):
    """The file is not a valid archive."""


@dataclass
class ZipEntry:
    """An entry: both headers as they are, and the compressed bytes."""

    archive: bytes
    made_by: int
    flags: int
    method: int
    date: int
    checksum: int
    packed: int
    size: int
    attributes: int
    offset: int
    raw_name: bytes
    extra: bytes
    comment: bytes

    @property
    def name(self):
        return self.raw_name.decode("utf-8", "surrogateescape")

    @property
    def mode(self):
        return self.attributes >> 16

    @cached_property
    def local(self):
        """Flags, method, date, name and extra field of the local header, and the offset of the data."""
        header = self.archive[self.offset : self.offset + 30]
        signature, _, flags, method, date, _, _, _, names, extras = struct.unpack("<IHHHIIIIHH", header)
        if signature != 0x04034B50:
            raise Unreadable(f"{self.name} has no local header")
        start = self.offset + 30
        name = self.archive[start : start + names]
        extra = self.archive[start + names : start + names + extras]
        return flags, method, date, name, extra, start + names + extras

    @property
    def compressed(self):
        start = self.local[5]
        return self.archive[start : start + self.packed]

    @property
    def lasting_extra(self):
        """The extra fields except ZIP64, which depends on the entry's position."""
        kept, rest = b"", self.extra
        while len(rest) >= 4:
            kind, size = struct.unpack("<HH", rest[:4])
            kept += b"" if kind == 1 else rest[: 4 + size]
            rest = rest[4 + size :]
        return kept + rest

    def contents(self):
        if self.method == 0:
            data = self.compressed
        elif self.method == 8:
            data = zlib.decompress(self.compressed, -15)
        else:
            raise Unreadable(f"{self.name} has compression method {self.method}")
        if len(data) != self.size or zlib.crc32(data) != self.checksum:
            raise Unreadable(f"{self.name} has another size or checksum than its entry says")
        return data


def entries(archive):
    end = archive.rfind(b"PK\x05\x06")
    if end < 0:
        raise Unreadable("there is no end of a central directory")
    _, _, _, count, size, start, _ = struct.unpack("<HHHHIIH", archive[end + 4 : end + 22])
    if 0xFFFF in (count,) or 0xFFFFFFFF in (size, start):
        locator = archive.rfind(b"PK\x06\x07", 0, end)
        big = struct.unpack("<Q", archive[locator + 8 : locator + 16])[0]
        count, size, start = struct.unpack("<QQQ", archive[big + 32 : big + 56])
    found, place = [], start
    for _ in range(count):
        fields = struct.unpack("<IHHHHIIIIHHHHHII", archive[place : place + 46])
        signature, made_by, _, flags, method, date, checksum, packed, whole = fields[:9]
        names, extras, comments, _, _, attributes, offset = fields[9:]
        if signature != 0x02014B50:
            raise Unreadable("the central directory has fewer entries than it says")
        place += 46
        name = archive[place : place + names]
        extra = archive[place + names : place + names + extras]
        comment = archive[place + names + extras : place + names + extras + comments]
        place += names + extras + comments
        whole, packed, offset = _widened(extra, whole, packed, offset)
        found.append(
            ZipEntry(
                archive, made_by, flags, method, date, checksum, packed, whole, attributes, offset,
                name, extra, comment,
            )
        )
    if place != start + size:
        raise Unreadable("the central directory has another size than its end says")
    return found


def _widened(extra, *values):
    """Sizes and offset, with the values from the ZIP64 field for those that do not fit."""
    wide = iter(())
    while len(extra) >= 4:
        kind, size = struct.unpack("<HH", extra[:4])
        if kind == 1:
            wide = iter(struct.unpack(f"<{size // 8}Q", extra[4 : 4 + size // 8 * 8]))
        extra = extra[4 + size :]
    return [next(wide, value) if value == 0xFFFFFFFF else value for value in values]
