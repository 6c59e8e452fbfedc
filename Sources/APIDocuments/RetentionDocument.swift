import Bundles
package import Foundation
package import Inspection
import Identifiers
package import Releases

/// The rules by which releases stay.
package struct RulesDocument: Codable, Equatable, Sendable {
    package var schema = 1
    /// The app's bundle identifier; null for the rules of apps that have none of their own.
    @OrNull package var app: String?
    /// How many of the newest stay of each channel; null where their number is no reason.
    @OrNull package var newest: Int?
    /// How many days a release stays at least; null where its age is no reason.
    @OrNull package var days: Int?
    /// Whether what is installed on a device stays.
    package let installed: Bool
    /// Whether the app has no rules of its own.
    package let isDefault: Bool
    /// When the server applies them next; null where no app has rules, or it has not yet seen that one has.
    @OrNull package var next: Date?

    /// - Parameters:
    ///   - rules: those that hold.
    ///   - app: whose; nil for apps that have none of their own.
    ///   - isDefault: whether the app has none of its own.
    ///   - next: when the server applies them.
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

/// What went by the rules of an app, or would, and why each other release stays.
package struct RetentionDocument: Codable, Equatable, Sendable {
    /// Why a release stays.
    package struct Reason: Codable, Equatable, Sendable {
        /// Stable: `offered`, `pinned`, `newest`, `young`, `installed`, `downloaded`, `fresh` or
        /// `everything`.
        package let id: String
        /// A clause for people.
        package let message: String

        package init(id: String, message: String) {
            self.id = id
            self.message = message
        }
    }

    /// One release that was there.
    package struct Line: Codable, Equatable, Sendable {
        package let release: String
        package let published: Date
        /// None for one that goes.
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
    /// The releases that are gone, or would be.
    package let removed: [String]
    /// Bytes of the files that nothing refers to any longer, or would.
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
