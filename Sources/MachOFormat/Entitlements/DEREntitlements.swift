package import PropertyLists

/// Entitlements in the form that iOS 15 and later go by.
///
/// `[APPLICATION 16] { version INTEGER, [CONTEXT 16] { SEQUENCE { key, value }… } }`; Xcode 12
/// wrote `SET { SEQUENCE { key, value }… }` instead.
package struct DEREntitlements: Hashable, Sendable {
    package typealias Value = DERValue
    package typealias Entry = DERValue.Entry

    /// 1 in all that Apple has written; nil for Xcode 12's form, which has none.
    package let version: Int64?
    /// In the order of the bytes; no key is there twice.
    package let entries: [Entry]

    package subscript(key: String) -> Value? { entries.first { $0.key == key }?.value }

    /// Whether every dictionary has its keys in the order of their bytes, as Apple writes them.
    ///
    /// Xcode 12's form, a true SET, has entries in the order of their encoding instead.
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
