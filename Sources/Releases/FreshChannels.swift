import Bytes
package import Identifiers

/// Which channels' releases are signed again by themselves: `all`, or names separated by commas, such
/// as `stable,beta`.
///
/// A channel that is not there yet counts from its first release on.
package struct FreshChannels: TextCoded, Sendable, Equatable {
    /// How many may be named.
    package static let limit = 20

    /// In order, each once; nil for all.
    package let names: [ChannelName]?

    package static let kindOfText =
        "all, or at most \(limit) channel names separated by commas, such as stable,beta"

    private static let all = "all"

    /// - Parameter names: in any order; nil for all.
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
