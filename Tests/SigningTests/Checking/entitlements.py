"""Entitlements in DER, compared with the property list and with the profile that grants them."""

import plistlib

import der
from der import Malformed


def listed(blob):
    """The property list in slot 5."""
    return plistlib.loads(blob[8:])


def decoded(blob):
    """The value in slot 7, which must be in canonical encoding.

    Xcode before 13 wrote a bare SET, which iOS 15 does not read.
    """
    outer = der.only(blob[8:])
    if outer.tag == 0x31:
        return _value(outer)
    if outer.tag != 0x70 or len(outer.children) != 2 or outer[0].raw != b"\x02\x01\x01":
        raise Malformed("DER entitlements that are not version 1 and one dictionary")
    if outer[1].tag != 0xB0:
        raise Malformed("DER entitlements that hold no dictionary")
    return _value(outer[1])


def is_old(blob):
    return blob[8] == 0x31


def _value(node):
    if node.tag == 0x01:
        if node.value not in (b"\0", b"\1", b"\xff"):
            raise Malformed("a boolean that is neither 0 nor 0xff")
        return node.value != b"\0"
    if node.tag == 0x02:
        size = max(1, (node.number.bit_length() + 8) // 8)
        if len(node.value) != size:
            raise Malformed("an integer in more bytes than it needs")
        return node.number
    if node.tag == 0x04:
        return node.value
    if node.tag == 0x0C:
        return node.text
    if node.tag == 0x30:
        return [_value(child) for child in node.children]
    if node.tag in (0xB0, 0x31):
        found, last = {}, None
        for pair in node.children:
            if pair.tag != 0x30 or len(pair.children) != 2 or pair[0].tag != 0x0C:
                raise Malformed("an entry of DER entitlements that is no pair of key and value")
            key = pair[0].value
            if last is not None and key <= last and node.tag == 0xB0:
                raise Malformed(f"DER entitlements with {pair[0].text} out of the order of bytes")
            last = key
            found[pair[0].text] = _value(pair[1])
        return found
    raise Malformed(f"DER entitlements with tag {node.tag:#x}")


def same(one, other):
    """Whether two values are equal in value and type; in Python, True equals 1."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(same, one, other))
    return one == other


def grants(granted, claimed):
    """Whether a profile's value grants a value of the code (TN3125)."""
    if isinstance(granted, list):
        claims = claimed if isinstance(claimed, list) else [claimed]
        return all(any(grants(one, claim) for one in granted) for claim in claims)
    if isinstance(claimed, list):
        return all(grants(granted, claim) for claim in claimed)
    if isinstance(granted, str) and isinstance(claimed, str):
        if granted.endswith("*"):
            return claimed.startswith(granted[:-1])
        return granted == claimed
    return same(granted, claimed)
