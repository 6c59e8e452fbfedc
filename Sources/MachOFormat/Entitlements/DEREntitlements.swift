package import PropertyLists

/// Entitlements in DER, the form that iOS 15 and later use.
///
/// `[APPLICATION 16] { version INTEGER, [CONTEXT 16] { SEQUENCE { key, value }… } }`; Xcode 12 wrote `SET
/// { SEQUENCE { key, value }… }` instead.
package struct DEREntitlements: Hashable, Sendable {
    package typealias Value = DERValue
    package typealias Entry = DERValue.Entry

    /// 1 in everything that Apple has written; nil for Xcode 12's form, which has no version.
    package let version: Int64?
    /// In the order of the encoding, with unique keys.
    package let entries: [Entry]

    package subscript(key: String) -> Value? { entries.first { $0.key == key }?.value }

    /// Whether the keys of every dictionary are sorted by bytes, as Apple writes them.
    ///
    /// Xcode 12's form, a true SET, has its entries sorted by their encoding instead.
    package var isSorted: Bool { Value.dictionary(entries).isSorted }
}

extension DERValue {
    fileprivate var isSorted: Bool {
        switch self {
        case .dictionary(let entries):
            zip(entries, entries.dropFirst()).allSatisfy {
                $0.key.utf8.lexicographicallyPrecedes($1.key.utf8)
            } && entries.allSatisfy { $0.value.isSorted }
        case .array(let items): items.allSatisfy(\.isSorted)
        default: true
        }
    }
}
