import Bundles
package import Foundation
package import Inspection
import Identifiers
package import Releases

/// Retention rules: which releases stay.
package struct RulesDocument: Codable, Equatable, Sendable {
    package var schema = 1
    /// The app's bundle identifier; null for the default rules.
    @OrNull package var app: String?
    /// How many of the newest releases of each channel stay; null if the number does not matter.
    @OrNull package var newest: Int?
    /// The minimum age in days before a release is removed; null if age does not matter.
    @OrNull package var days: Int?
    /// Whether releases stay that are installed on a device.
    package let installed: Bool
    /// Whether the app uses the default rules.
    package let isDefault: Bool
    /// When the server applies them next; null if no app has rules, or the server has not noticed them yet.
    @OrNull package var next: Date?

    /// - Parameters:
    ///   - rules: the rules in effect.
    ///   - app: the app; nil for the default rules.
    ///   - isDefault: whether the app uses the default rules.
    ///   - next: when the server applies them next.
    package init(_ rules: RetentionRules, of app: AppRecord?, isDefault: Bool, next: Date?) {
        installed = rules.keepsInstalled
        self.isDefault = isDefault
        self.app = app?.bundleIdentifier.rawValue
        newest = rules.newest
        days = rules.days
        self.next = next
    }

    package var rules: RetentionRules {
        RetentionRules(newest: newest, days: days, keepsInstalled: installed)
    }
}

/// The result of applying an app's rules: what was or would be removed, and why each other release stays.
package struct RetentionDocument: Codable, Equatable, Sendable {
    /// Why a release stays.
    package struct Reason: Codable, Equatable, Sendable {
        /// Stable: `offered`, `pinned`, `newest`, `young`, `installed`, `downloaded`, `fresh` or
        /// `everything`.
        package let id: String
        /// One clause for people.
        package let message: String

        package init(id: String, message: String) {
            self.id = id
            self.message = message
        }
    }

    /// One release of the app.
    package struct Line: Codable, Equatable, Sendable {
        package let release: String
        package let published: Date
        /// Empty if the release is removed.
        package let reasons: [Reason]

        package init(release: String, published: Date, reasons: [Reason]) {
            self.release = release
            self.published = published
            self.reasons = reasons
        }
    }

    package var schema = 1
    package let app: String
    package let dryRun: Bool
    /// The releases that were or would be removed.
    package let removed: [String]
    /// Bytes of the files to which nothing refers any more, or would.
    package let freed: Int
    package let releases: [Line]

    package init(app: String, dryRun: Bool, removed: [String], freed: Int, releases: [Line]) {
        self.app = app
        self.dryRun = dryRun
        self.removed = removed
        self.freed = freed
        self.releases = releases
    }
}
