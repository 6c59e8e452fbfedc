/// A value in distinguished encoding (X.690 section 10), apart from how it is written.
package indirect enum DERValue: Hashable, Sendable {
    case string(String)
    case integer(Int64)
    case boolean(Bool)
    case data([UInt8])
    case array([DERValue])
    /// In the order of the bytes; no key is there twice.
    case dictionary([Entry])
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

/// The tags of the values that entitlements and profiles are written with.
package enum DERTag {
    package static let boolean: UInt8 = 0x01
    package static let integer: UInt8 = 0x02
    package static let octets: UInt8 = 0x04
    package static let text: UInt8 = 0x0c
    package static let sequence: UInt8 = 0x30
    package static let set: UInt8 = 0x31
    /// APPLICATION 16.
    package static let entitlements: UInt8 = 0x70
    /// CONTEXT 16.
    package static let dictionary: UInt8 = 0xb0
}
