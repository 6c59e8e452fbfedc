import Bytes
package import Identifiers

/// The groups to which something is open: names separated by commas, such as `beta,qa`.
package struct GroupNames: TextCoded, Sendable, Hashable {
    /// The most names.
    package static let limit = 20

    /// Sorted and unique; never empty.
    package let names: [GroupName]

    package static let kindOfText =
        "1 to \(limit) group names separated by commas, such as qa,beta"

    /// Nil for no names, and for more than ``limit``.
    ///
    /// - Parameter names: the groups in any order.
    package init?(_ names: some Sequence<GroupName>) {
        let names = Set(names).sorted()
        guard (1...Self.limit).contains(names.count) else { return nil }
        self.names = names
    }

    package init?(_ text: String) {
        guard text.utf8.count <= Self.limit * 41 else { return nil }
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let names = parts.compactMap { GroupName(String($0)) }
        guard names.count == parts.count else { return nil }
        self.init(names)
    }

    package var description: String { names.map(\.rawValue).joined(separator: ",") }
}
