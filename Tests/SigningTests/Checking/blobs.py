"""The parts of an embedded signature (xnu `cs_blobs.h`)."""

import hashlib
import struct
from dataclasses import dataclass

from der import Malformed

CODE_DIRECTORY, REQUIREMENTS, ENTITLEMENTS, DER_ENTITLEMENTS, MESSAGE = 0, 2, 5, 7, 0x10000
ALTERNATE = 0x1000
MAGICS = {
    CODE_DIRECTORY: 0xFADE0C02,
    REQUIREMENTS: 0xFADE0C01,
    ENTITLEMENTS: 0xFADE7171,
    DER_ENTITLEMENTS: 0xFADE7172,
    ALTERNATE: 0xFADE0C02,
    MESSAGE: 0xFADE0B01,
}
#: A list of the other slots, which codesign wrote from 2015 to 2017.
SLOT_LIST = 4
MAGICS[SLOT_LIST] = 0xFADE0B01
#: By the hash type in a CodeDirectory: name, digest size in bytes, object identifier for attribute 9.2.
HASHES = {
    1: ("sha1", 20, "1.3.14.3.2.26"),
    2: ("sha256", 32, "2.16.840.1.101.3.4.2.1"),
    4: ("sha384", 48, "2.16.840.1.101.3.4.2.2"),
}


def superblob(data):
    """Each slot's whole blob in the order of the index, and the length of the superblob."""
    if len(data) < 12:
        raise Malformed("a signature of fewer than twelve bytes")
    magic, length, count = struct.unpack(">III", data[:12])
    if magic != 0xFADE0CC0:
        raise Malformed(f"a signature that begins with {magic:08x}")
    if length > len(data):
        raise Malformed("a signature that is longer than its room")
    parts, end = {}, 12 + 8 * count
    for index in range(count):
        slot, offset = struct.unpack(">II", data[12 + 8 * index : 20 + 8 * index])
        if offset != end:
            raise Malformed(f"slot {slot:#x} begins at {offset}, and what is before it ends at {end}")
        magic, size = struct.unpack(">II", data[offset : offset + 8])
        if slot not in MAGICS:
            raise Malformed(f"slot {slot:#x}, which iOS has no use for")
        if magic != MAGICS[slot]:
            raise Malformed(f"slot {slot:#x} holds {magic:08x}")
        if slot in parts:
            raise Malformed(f"slot {slot:#x} twice")
        end = offset + size
        if end > length:
            raise Malformed(f"slot {slot:#x} ends behind the signature")
        parts[slot] = data[offset:end]
    if end != length:
        raise Malformed(f"{length - end} bytes in the signature that belong to no slot")
    return parts, length


@dataclass
class CodeDirectory:
    blob: bytes
    version: int
    flags: int
    identifier: str
    team: str
    hash: str
    digest_size: int
    oid: str
    platform: int
    page_shift: int
    limit: int
    exec_base: int
    exec_limit: int
    exec_flags: int
    runtime: int
    special: dict
    pages: list

    @property
    def full(self):
        return hashlib.new(self.hash, self.blob).digest()

    @property
    def cdhash(self):
        return self.full[:20]

    def digest(self, data):
        return hashlib.new(self.hash, data).digest()


def code_directory(blob):
    (
        _, length, version, flags, hashes, ident, specials, count, limit,
        size, kind, platform, shift, _,
    ) = struct.unpack(">9I4BI", blob[:44])
    if length != len(blob):
        raise Malformed("a CodeDirectory with another length than its blob")
    if kind not in HASHES or HASHES[kind][1] != size:
        raise Malformed(f"a CodeDirectory with digest {kind} of {size} bytes")
    header, team, wide, base, reach, marks, runtime = 44, 0, 0, 0, 0, 0, 0
    if version >= 0x20100:
        header = 48
        if struct.unpack(">I", blob[44:48])[0]:
            raise Malformed("a CodeDirectory with a scatter list")
    if version >= 0x20200:
        team, header = struct.unpack(">I", blob[48:52])[0], 52
    if version >= 0x20300:
        spare, wide = struct.unpack(">IQ", blob[52:64])
        header = 64
        if spare:
            raise Malformed("a CodeDirectory whose spare field is not zero")
    if version >= 0x20400:
        base, reach, marks = struct.unpack(">QQQ", blob[64:88])
        header = 88
    if version >= 0x20500:
        runtime, early = struct.unpack(">II", blob[88:96])
        header = 96
        if early:
            raise Malformed("a CodeDirectory with hashes of encrypted pages")
    if version >= 0x20600:
        raise Malformed(f"a CodeDirectory of version {version:#x}")
    if ident != header:
        raise Malformed("an identifier that does not follow the header of its CodeDirectory")
    end = blob.index(b"\0", ident)
    identifier, end = blob[ident:end].decode("utf-8"), end + 1
    name = None
    if team:
        if team != end:
            raise Malformed("a team that does not follow the identifier")
        end = blob.index(b"\0", team)
        name, end = blob[team:end].decode("utf-8"), end + 1
    if end + specials * size != hashes:
        raise Malformed("digests that do not follow the names of their CodeDirectory")
    if hashes + count * size != length:
        raise Malformed("a CodeDirectory that does not end with its last page")
    special = {
        slot: blob[hashes - slot * size : hashes - (slot - 1) * size]
        for slot in range(1, specials + 1)
    }
    pages = [blob[hashes + size * index : hashes + size * (index + 1)] for index in range(count)]
    name_of, _, oid = HASHES[kind]
    return CodeDirectory(
        blob, version, flags, identifier, name, name_of, size, oid, platform, shift, wide or limit,
        base, reach, marks, runtime, special, pages,
    )
