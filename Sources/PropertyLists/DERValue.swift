/// A value in distinguished encoding (X.690 section 10), apart from how it is written.
package indirect enum DERValue: Hashable, Sendable {
    case string(String)
    case integer(Int64)
    case boolean(Bool)
    case data([UInt8])
    case array([DERValue])
    /// In the order of the bytes; no key is there twice.
    case dictionary([Entry])
    /// `[APPLICATION 16] { version INTEGER, [CONTEXT 16] { SEQUENCE { key, value }… } }`: the
    /// entries with the version of the form, as Apple writes entitlements.
    case versioned(Int64, [Entry])
    /// A tag that has no value here, or a number of more than 64 bits, with its content.
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
