"""Strict parser for ASN.1 in DER: nothing is left over, and nothing is corrected.

Outside of certificates and attributes, Apple's messages are BER: if `ber` is true, indefinite lengths are
allowed.
"""

from dataclasses import dataclass


class Malformed(Exception):
    """Bytes that are malformed; the text says how."""


@dataclass(frozen=True)
class Node:
    """A tag, with the offsets in `data` where its header and its content begin and where it ends."""

    data: bytes
    tag: int
    start: int
    content: int
    end: int
    #: Where the content ends: before the end-of-contents octets in BER.
    content_end: int
    ber: bool = False

    @property
    def raw(self):
        return self.data[self.start : self.end]

    @property
    def value(self):
        return self.data[self.content : self.content_end]

    @property
    def children(self):
        return nodes(self.data, self.content, self.content_end, self.ber)

    @property
    def text(self):
        return self.value.decode("utf-8")

    @property
    def number(self):
        return int.from_bytes(self.value, "big", signed=True)

    @property
    def identifier(self):
        """The object identifier in dotted form."""
        arcs, arc = [], 0
        for byte in self.value:
            arc = arc << 7 | byte & 0x7F
            if not byte & 0x80:
                arcs.append(arc)
                arc = 0
        first = min(arcs[0] // 40, 2)
        return ".".join(str(arc) for arc in [first, arcs[0] - 40 * first] + arcs[1:])

    def __getitem__(self, index):
        return self.children[index]


def node(data, start=0, end=None, ber=False):
    end = len(data) if end is None else end
    if end - start < 2:
        raise Malformed("DER ends within a header")
    tag, length, content = data[start], data[start + 1], start + 2
    if tag & 0x1F == 0x1F:
        raise Malformed("a DER tag of several bytes")
    if length == 0x80:
        if not ber or not tag & 0x20:
            raise Malformed("a length without an end, which is BER")
        place = content
        while data[place : place + 2] != b"\0\0":
            place = node(data, place, end, ber).end
        return Node(data, tag, start, content, place + 2, place, ber)
    if length > 0x80:
        count = length & 0x7F
        digits = data[content : content + count]
        if count > 8 or len(digits) < count:
            raise Malformed("a DER length that is cut off")
        length = int.from_bytes(digits, "big")
        content += count
        if digits[0] == 0 or length < 0x80:
            raise Malformed("a DER length in more bytes than it needs")
    if content + length > end:
        raise Malformed("DER content that ends behind what holds it")
    return Node(data, tag, start, content, content + length, content + length, ber)


def nodes(data, start, end, ber=False):
    found = []
    while start < end:
        one = node(data, start, end, ber)
        found.append(one)
        start = one.end
    return found


def only(data, ber=False):
    """The single node in `data`."""
    one = node(data, ber=ber)
    if one.end != len(data):
        raise Malformed(f"{len(data) - one.end} bytes behind the DER value")
    return one
