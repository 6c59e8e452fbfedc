import Bytes
package import Identifiers

/// The channels whose releases are signed again automatically: `all`, or names separated by commas, such as
/// `stable,beta`.
///
/// A named channel need not exist yet.
package struct FreshChannels: TextCoded, Sendable, Equatable {
    /// The most names.
    package static let limit = 20

    /// Sorted and unique; nil for all.
    package let names: [ChannelName]?

    package static let kindOfText =
        "all, or at most \(limit) channel names separated by commas, such as stable,beta"

    private static let all = "all"

    /// - Parameter names: the channels in any order; nil for all.
    package init(_ names: [ChannelName]?) {
        self.names = names.map { Set($0).sorted() }
    }

    package init?(_ text: String) {
        guard text != Self.all else {
            self.init(nil)
            return
        }
        guard text.utf8.count <= Self.limit * 64 else { return nil }
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let names = parts.compactMap { ChannelName(String($0)) }
        guard names.count == parts.count, names.count <= Self.limit else { return nil }
        self.init(names)
    }

    package var description: String {
        names.map { $0.map(\.rawValue).joined(separator: ",") } ?? Self.all
    }
}
