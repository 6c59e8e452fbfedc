package import Bytes
import PropertyLists

extension DEREntitlements {
    private static let greatestSize = 4 << 20

    /// Reads the content of the slot, without the blob's magic and length.
    ///
    /// - Throws: ``MalformedBytes`` for anything but DER: non-minimal lengths, duplicate keys or trailing
    ///   bytes.
    package init(reading content: ArraySlice<UInt8>) throws(MalformedBytes) {
        guard content.count <= Self.greatestSize else {
            throw MalformedBytes("DER entitlements", at: 0, .invalid("are too large"))
        }
        switch (content.first, try DERValue(reading: Array(content), "DER entitlements")) {
        case (0x31, .dictionary(let entries)):
            version = nil
            self.entries = entries
        case (_, .versioned(let number, let entries)):
            version = number
            self.entries = entries
        case (let tag, _):
            throw MalformedBytes(
                "DER entitlements",
                at: 0,
                .unexpected(found: "tag 0x" + String(tag ?? 0, radix: 16)),
            )
        }
    }
}
