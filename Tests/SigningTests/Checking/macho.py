"""Mach-O according to loader.h and fat.h: slices, segments, and the offsets of their signatures."""

import struct
from dataclasses import dataclass, field

from der import Malformed

MAGICS = (b"\xcf\xfa\xed\xfe", b"\xce\xfa\xed\xfe")
FAT_MAGICS = (b"\xca\xfe\xba\xbe", b"\xca\xfe\xba\xbf")
EXECUTE, DYLIB, BUNDLE = 2, 6, 8
CODE_SIGNATURE, SEGMENT, SEGMENT_64, SYMTAB, DYSYMTAB = 0x1D, 0x1, 0x19, 0x2, 0xB
#: LC_DYLD_INFO, with and without LC_REQ_DYLD: five pairs of offset and size.
DYLD_INFO = (0x22, 0x80000022)
#: Further commands with a linkedit_data_command: an offset and a size each.
LINKEDIT_DATA = (0x1E, 0x26, 0x29, 0x2B, 0x2E, 0x80000033, 0x80000034)
#: LC_VERSION_MIN_*, which identify the platform by the command itself.
LEGACY_PLATFORMS = {0x24: 1, 0x25: 2, 0x2F: 3, 0x30: 4}
CPU_NAMES = {12: "armv7", 0x0100000C: "arm64", 0x0200000C: "arm64_32", 7: "i386", 0x01000007: "x86_64"}


@dataclass
class Segment:
    name: str
    command: int
    address: int
    memory: int
    offset: int
    size: int
    sections: list


@dataclass
class Slice:
    """A program: `data` is the slice alone, and offsets count from its beginning."""

    data: bytes
    cpu: int
    subtype: int
    kind: int
    commands_end: int
    segments: list = field(default_factory=list)
    #: The offset of LC_CODE_SIGNATURE, and its two values; None without the command.
    signature: tuple = None
    #: Every (offset, size) in `__LINKEDIT` that other commands name.
    tables: list = field(default_factory=list)
    #: The platform's number in LC_BUILD_VERSION: 2 is iOS, 4 watchOS.
    platform: int = None
    #: The major version of the oldest supported system; None if no command has it.
    minimum: int = None
    #: The slice's offset in the file, from the header of a universal file.
    offset: int = 0
    align: int = None

    @property
    def name(self):
        name = CPU_NAMES.get(self.cpu, hex(self.cpu))
        return name + "e" if name == "arm64" and self.subtype & 0xFF == 2 else name

    def segment(self, name):
        return next((segment for segment in self.segments if segment.name == name), None)

    def section(self, segment, name):
        found = self.segment(segment)
        for section, offset, size in found.sections if found else []:
            if section == name:
                return self.data[offset : offset + size]
        return None

    @property
    def blob(self):
        _, offset, size = self.signature
        return self.data[offset : offset + size]


def is_program(data):
    if data[:4] in MAGICS:
        return True
    # A Java class file has the same magic number; its next field is a version, while here it is a small
    # count.
    return data[:4] in FAT_MAGICS and len(data) >= 8 and 0 < struct.unpack(">I", data[4:8])[0] < 20


def slices(data):
    """The programs in a file, and whether it is universal."""
    if data[:4] not in FAT_MAGICS:
        return [_slice(data)]
    wide = data[:4] == FAT_MAGICS[1]
    layout, step = (">IIQQII", 32) if wide else (">IIIII", 20)
    found = []
    for index in range(struct.unpack(">I", data[4:8])[0]):
        fields = struct.unpack_from(layout, data, 8 + step * index)
        _, _, offset, size, align = fields[:5]
        if offset + size > len(data):
            raise Malformed(f"slice {index} ends behind the file")
        one = _slice(data[offset : offset + size])
        one.offset, one.align = offset, align
        if (one.cpu, one.subtype) != fields[:2]:
            raise Malformed(f"slice {index} is for another processor than the file's header says")
        found.append(one)
    return found


def _slice(data):
    magic, cpu, subtype, kind, count, size = struct.unpack_from("<IIIIII", data)
    if magic not in (0xFEEDFACF, 0xFEEDFACE):
        raise Malformed(f"a slice that begins with {magic:08x}")
    wide = magic == 0xFEEDFACF
    place = start = 32 if wide else 28
    one = Slice(data, cpu, subtype, kind, start + size)
    for _ in range(count):
        command, length = struct.unpack_from("<II", data, place)
        if length < 8 or place + length > start + size:
            raise Malformed("a load command that leaves the commands")
        _read(one, command, data, place, length)
        place += length
    if place != start + size:
        raise Malformed("load commands of another size than the header says")
    return one


def _read(one, command, data, place, length):
    if command in (SEGMENT, SEGMENT_64):
        wide = command == SEGMENT_64
        layout = "<16sQQQQIIII" if wide else "<16sIIIIIIII"
        fields = struct.unpack_from(layout, data, place + 8)
        sections, at = [], place + (72 if wide else 56)
        for _ in range(fields[7]):
            name = data[at : at + 16].rstrip(b"\0").decode()
            if wide:
                size, offset = struct.unpack_from("<QI", data, at + 40)
            else:
                size, offset = struct.unpack_from("<II", data, at + 36)
            sections.append((name, offset, size))
            at += 80 if wide else 68
        name = fields[0].rstrip(b"\0").decode()
        one.segments.append(Segment(name, place, *fields[1:5], sections))
    elif command == CODE_SIGNATURE:
        if one.signature:
            raise Malformed("two commands for a signature")
        one.signature = (place, *struct.unpack_from("<II", data, place + 8))
    elif command in LINKEDIT_DATA:
        one.tables.append(struct.unpack_from("<II", data, place + 8))
    elif command == SYMTAB:
        symbols, count, strings, size = struct.unpack_from("<IIII", data, place + 8)
        one.tables += [(symbols, count * (16 if one.cpu & 0x01000000 else 12)), (strings, size)]
    elif command in DYLD_INFO:
        fields = struct.unpack_from("<10I", data, place + 8)
        one.tables += list(zip(fields[::2], fields[1::2]))
    elif command in LEGACY_PLATFORMS:
        one.platform = LEGACY_PLATFORMS[command]
        one.minimum = struct.unpack_from("<I", data, place + 8)[0] >> 16
    elif command == 0x32:
        one.platform, minimum = struct.unpack_from("<II", data, place + 8)
        one.minimum = minimum >> 16
