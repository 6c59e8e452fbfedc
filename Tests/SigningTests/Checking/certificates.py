"""The fields of a certificate that matter for code signatures."""

import datetime
from dataclasses import dataclass

import der

NAMES = {"2.5.4.3": "CN", "2.5.4.11": "OU", "2.5.4.10": "O"}
WWDR = "1.2.840.113635.100.6.2.1"
#: The extensions of development, distribution and TestFlight certificates.
LEAVES = ("1.2.840.113635.100.6.1.2", "1.2.840.113635.100.6.1.4", "1.2.840.113635.100.6.1.25.1")


@dataclass
class Certificate:
    raw: bytes
    serial: bytes
    issuer: bytes
    subject: bytes
    names: dict
    begins: datetime.datetime
    ends: datetime.datetime
    extensions: dict


def certificate(raw):
    body = der.only(raw)[0].children
    at = 1 if body[0].tag == 0xA0 else 0
    serial, _, issuer, validity, subject = body[at : at + 5]
    names = {}
    for part in subject.children:
        for pair in part.children:
            names.setdefault(NAMES.get(pair[0].identifier), pair[1].text)
    extensions = {}
    for node in body[at + 5 :]:
        if node.tag == 0xA3:
            for extension in node[0].children:
                extensions[extension[0].identifier] = extension.children[-1].value
    return Certificate(
        raw, serial.value, issuer.raw, subject.raw, names, time(validity[0]), time(validity[1]),
        extensions,
    )


def time(node):
    text = node.text
    layout = "%y%m%d%H%M%SZ" if node.tag == 0x17 else "%Y%m%d%H%M%SZ"
    return datetime.datetime.strptime(text, layout).replace(tzinfo=datetime.timezone.utc)
