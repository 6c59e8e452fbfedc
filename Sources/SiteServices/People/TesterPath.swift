import Foundation
import Identifiers
import Releases

/// A page to which testers return after signing in.
///
/// It is rebuilt from its parsed parts, so it is never a URL of another site.
package struct TesterPath: Equatable, Sendable {
    /// The most bytes of a path.
    private static let limit = 400

    /// The path below the base URL, such as `/apps/browsey?channel=beta`.
    package let text: String

    /// The list of apps.
    package static let start = TesterPath(checked: "/")

    private init(checked text: String) { self.text = text }

    /// Parses a path below the base URL.
    ///
    /// - Returns: nil for anything but the list of apps and the pages of one app.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.limit else { return nil }
        let halves = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let parts = halves[0].split(separator: "/", omittingEmptySubsequences: false)
        let query = halves.count == 2 ? String(halves[1]) : nil
        if parts.count == 2, parts[0].isEmpty, parts[1].isEmpty {
            self = .start
            return
        }
        guard (3...5).contains(parts.count), parts[0].isEmpty, parts[1] == "apps",
            let slug = Slug(String(parts[2]))
        else { return nil }
        let app = "/apps/\(slug)"
        switch (parts.count, query) {
        case (3, nil): self.init(checked: app)
        case (3, let query?):
            guard query.hasPrefix("channel="),
                let name = query.dropFirst("channel=".count).removingPercentEncoding,
                let channel = ChannelName(name)
            else { return nil }
            let encoded = InstallLink.percentEncoded(channel.rawValue)
            self.init(checked: app + "?channel=" + encoded)
        case (4, nil) where parts[3] == "history": self.init(checked: app + "/history")
        case (4, nil), (5, nil):
            guard let release = ReleaseIdentifier(String(parts[3])),
                parts.count == 4 || parts[4] == "feedback"
            else { return nil }
            self.init(checked: app + "/\(release)" + (parts.count == 5 ? "/feedback" : ""))
        default: return nil
        }
    }
}
