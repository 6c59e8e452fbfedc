"""The signed message in slot 0x10000, checked over its bytes as they are.

`openssl cms` sorts the attributes again before it verifies, which breaks genuine signatures with two
CodeDirectories. So the parts are parsed here, and OpenSSL verifies the signature over the raw bytes.
"""

import hashlib
import plistlib

import certificates
import der
import openssl
from der import Malformed

DATA, SIGNED_DATA = "1.2.840.113549.1.7.1", "1.2.840.113549.1.7.2"
CONTENT_TYPE, DIGEST, TIME = (f"1.2.840.113549.1.9.{number}" for number in (3, 4, 5))
CDHASHES, FULL_HASHES = "1.2.840.113635.100.9.1", "1.2.840.113635.100.9.2"
DIGESTS = {"1.3.14.3.2.26": "sha1", "2.16.840.1.101.3.4.2.1": "sha256"}


class Message:
    def __init__(self, blob):
        outer = der.only(blob[8:], ber=True)
        if outer[0].identifier != SIGNED_DATA:
            raise Malformed("a message that is not signed data")
        parts = outer[1][0].children
        content = parts[2]
        if content[0].identifier != DATA or len(content.children) != 1:
            raise Malformed("a message that is not detached")
        self.certificates, signers = [], None
        for part in parts[3:]:
            if part.tag == 0xA0:
                self.certificates = [certificates.certificate(one.raw) for one in part.children]
            elif part.tag == 0x31:
                signers = part.children
        if signers is None or len(signers) != 1:
            raise Malformed("a message without exactly one signer")
        fields = signers[0].children
        issuer, serial = fields[1].children
        self.leaf = next(
            (
                one
                for one in self.certificates
                if one.issuer == issuer.raw and one.serial == serial.value
            ),
            None,
        )
        self.digest = DIGESTS.get(fields[2][0].identifier)
        if self.leaf is None or self.digest is None or fields[3].tag != 0xA0:
            raise Malformed("a signer without a certificate, a digest or signed attributes")
        self.raw_attributes = b"\x31" + fields[3].raw[1:]
        self.signature = fields[5].value
        self.has_timestamp = len(fields) > 6
        self.attributes = {}
        for attribute in fields[3].children:
            if attribute[0].identifier in self.attributes:
                raise Malformed("an attribute twice")
            self.attributes[attribute[0].identifier] = attribute[1].children

    @property
    def time(self):
        return certificates.time(self.attributes[TIME][0])

    def problems(self, directories, options):
        """Every fault of the message and its CodeDirectories, as a rule and a sentence."""
        primary = directories[0].blob
        expected = {CONTENT_TYPE, DIGEST, TIME, CDHASHES, FULL_HASHES}
        missing = expected - self.attributes.keys()
        # codesign before Xcode 7 had no attribute 9.1, and before 10 no 9.2.
        if missing - (set() if options.current else {CDHASHES, FULL_HASHES}):
            yield "attributes", f"without signed attribute {' and '.join(sorted(missing))}"
        if self.attributes.keys() - expected:
            yield "attributes", "with signed attributes that codesign does not write"
        if CONTENT_TYPE not in missing and self.attributes[CONTENT_TYPE][0].identifier != DATA:
            yield "attributes", "the content type is not data"
        digest = hashlib.new(self.digest, primary).digest()
        if DIGEST not in missing and self.attributes[DIGEST][0].value != digest:
            yield "message-digest", "the message digest is not that of the CodeDirectory"
        if CDHASHES not in missing:
            found = plistlib.loads(self.attributes[CDHASHES][0].value)
            if found != {"cdhashes": [one.cdhash for one in directories]}:
                yield "cdhashes", "attribute 9.1 names other hashes than those of the CodeDirectories"
        if FULL_HASHES not in missing:
            found = {one[0].identifier: one[1].value for one in self.attributes[FULL_HASHES]}
            if found != {one.oid: one.full for one in directories}:
                yield "cdhashes", "attribute 9.2 names other hashes than those of the CodeDirectories"
            if len(self.attributes[FULL_HASHES]) != len(directories):
                yield "cdhashes", "attribute 9.2 names a hash twice"
        if not openssl.signs(self.leaf.raw, self.digest, self.signature, self.raw_attributes):
            yield "signature", "the signature is not one over the attributes by the certificate's key"
        yield from self._chain_problems(
            options.anchors, options.at or (None if TIME in missing else self.time)
        )

    def _chain_problems(self, anchors, at):
        leaf = self.leaf
        others = [one for one in self.certificates if one is not leaf]
        issuer = next((one for one in others if one.subject == leaf.issuer), None)
        if issuer is None:
            yield "chain", "the certificate of the leaf's issuer is not in the message"
        else:
            if certificates.WWDR not in issuer.extensions:
                yield "chain", "the intermediate is not marked 1.2.840.113635.100.6.2.1"
            if not any(one.subject == issuer.issuer for one in others):
                yield "chain", "the root is not in the message"
        if len(self.certificates) != 3:
            yield "chain", f"{len(self.certificates)} certificates instead of leaf, intermediate, root"
        if not any(mark in leaf.extensions for mark in certificates.LEAVES):
            yield "chain", "the leaf has no mark of one that signs for iOS"
        if anchors:
            words = openssl.chains(leaf.raw, tuple(one.raw for one in others), tuple(anchors))
            if words:
                yield "chain", f"the leaf does not end under an anchor: {words}"
        if at is not None:
            for one in [leaf] + ([issuer] if issuer else []):
                if not one.begins <= at <= one.ends:
                    yield "dates", f"{one.names.get('CN')} is not valid at {at:%Y-%m-%d}"
