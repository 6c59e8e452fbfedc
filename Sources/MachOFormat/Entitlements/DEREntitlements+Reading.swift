package import Bytes

extension DEREntitlements {
    private static let greatestSize = 4 << 20

    /// Reads the content of the slot, without the blob's magic and length.
    ///
    /// - Throws: ``MalformedBytes`` for anything but one distinguished encoding: lengths that are
    ///   longer than they need be, keys that are there twice, bytes that are left over.
    package init(reading content: ArraySlice<UInt8>) throws(MalformedBytes) {
        guard content.count <= Self.greatestSize else {
            throw MalformedBytes("DER entitlements", at: 0, .invalid("are too large"))
        }
        var reader = DERReader(content)
        let whole = try reader.element("DER entitlements")
        try reader.end("DER entitlements")
        switch whole.tag {
        case DERTag.set:
            version = nil
            entries = try reader.entries(whole)
        case DERTag.entitlements:
            let read = try reader.entitlements(whole)
            version = read.version
            entries = read.entries
        default:
            throw MalformedBytes(
                "DER entitlements",
                at: whole.start,
                .unexpected(found: "tag 0x" + String(whole.tag, radix: 16)),
            )
        }
    }
}
