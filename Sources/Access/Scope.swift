import Bytes
import Bundles
package import Identifiers

/// One permission of a token.
///
/// Written as `publish`, `read` or `admin`, each but the last with an app behind a colon when it is
/// for that app alone: `publish:com.example.app`.
package struct Scope: Hashable, Sendable {
    package enum Action: String, Hashable, Sendable, CaseIterable {
        /// To look: apps, releases, reports.
        case read
        /// To publish builds, to take them back, and to look.
        case publish
        /// Everything.
        case admin
    }

    package let action: Action
    /// Nil for every app.
    package let app: BundleIdentifier?

    package init(_ action: Action, app: BundleIdentifier? = nil) {
        self.action = action
        self.app = app
    }

    /// - Returns: nil for other words, for an app that is no bundle identifier, and for an `admin`
    ///   of one app: devices and settings belong to no app.
    package init?(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let action = parts.first.flatMap({ Action(rawValue: String($0)) }) else { return nil }
        guard parts.count == 2 else {
            self.init(action)
            return
        }
        guard action != .admin, let app = BundleIdentifier(String(parts[1])) else { return nil }
        self.init(action, app: app)
    }

    /// Whether it allows `action`; with an app, on that app, else on all of them.
    package func allows(_ action: Action, on app: BundleIdentifier?) -> Bool {
        guard self.app == nil || self.app == app else { return false }
        return switch (self.action, action) {
        case (.admin, _), (.publish, .publish), (.publish, .read), (.read, .read): true
        default: false
        }
    }
}

extension Scope: CustomStringConvertible {
    package var description: String {
        app.map { "\(action.rawValue):\($0.rawValue)" } ?? action.rawValue
    }
}

extension Scope: TextCoded {
    package static let kindOfText = "a scope of a token"
}
