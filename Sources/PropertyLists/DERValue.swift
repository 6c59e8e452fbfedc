/// A value of a DER encoding (X.690 section 10).
package indirect enum DERValue: Hashable, Sendable {
    case string(String)
    case integer(Int64)
    case boolean(Bool)
    case data([UInt8])
    case array([DERValue])
    /// In the order of the encoding, with unique keys.
    case dictionary([Entry])
    /// `[APPLICATION 16] { version INTEGER, [CONTEXT 16] { SEQUENCE { key, value }… } }`: the entries
    /// with the format version, as Apple encodes entitlements.
    case versioned(Int64, [Entry])
    /// The content of a value with an unsupported tag, or of a number with more than 64 bits.
    case unknown(tag: UInt8, [UInt8])

    package struct Entry: Hashable, Sendable {
        package let key: String
        package let value: DERValue

        package init(key: String, value: DERValue) {
            self.key = key
            self.value = value
        }
    }
}
