import Bytes
import Bundles
package import Identifiers

/// One permission of a token.
///
/// Written as `publish`, `read` or `admin`; the first two may be limited to an app:
/// `publish:com.example.app`.
package struct Scope: Hashable, Sendable {
    package enum Action: String, Hashable, Sendable, CaseIterable {
        /// To view: apps, releases, reports.
        case read
        /// To publish and withdraw builds, and to view.
        case publish
        /// Everything.
        case admin
    }

    package let action: Action
    /// Nil for all apps.
    package let app: BundleIdentifier?

    package init(_ action: Action, app: BundleIdentifier? = nil) {
        self.action = action
        self.app = app
    }

    /// - Returns: nil for other words, for an invalid bundle identifier, and for `admin` with an app,
    ///   because devices and settings belong to no app.
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

    /// Whether the scope allows `action` on `app`; if that is nil, on all apps.
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
