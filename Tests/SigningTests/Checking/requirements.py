"""The requirement that codesign writes for iOS, assembled by hand (Security `requirement.h`)."""

import struct


def expected(identifier, signer):
    """`identifier X and anchor apple generic and certificate leaf[subject.CN] = signer and certificate
    1[field.1.2.840.113635.100.6.2.1] exists`, as the only requirement in a set.
    """
    expression = b"".join(
        [
            struct.pack(">I", 1),
            struct.pack(">II", 6, 2) + _data(identifier),
            struct.pack(">II", 6, 15),
            struct.pack(">III", 6, 11, 0) + _data("subject.CN"),
            struct.pack(">I", 1) + _data(signer),
            struct.pack(">II", 14, 1) + _data(bytes.fromhex("2a864886f76364060201")),
            struct.pack(">I", 0),
        ]
    )
    requirement = struct.pack(">II", 0xFADE0C00, len(expression) + 8) + expression
    content = struct.pack(">III", 1, 3, 20) + requirement
    return struct.pack(">II", 0xFADE0C01, len(content) + 8) + content


def designated(blob):
    """Only the designated requirement of a set with others, which codesign wrote until 2014."""
    count = struct.unpack(">I", blob[8:12])[0]
    for index in range(count):
        kind, offset = struct.unpack(">II", blob[12 + 8 * index : 20 + 8 * index])
        if kind == 3:
            return blob[offset : offset + struct.unpack(">I", blob[offset + 4 : offset + 8])[0]]
    return None


def _data(text):
    data = text if isinstance(text, bytes) else text.encode("utf-8")
    return struct.pack(">I", len(data)) + data + b"\0" * (-len(data) % 4)
