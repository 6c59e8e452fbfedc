import Access
import Releases

/// Lists one page of the apps that the token can read, by title: those in use, or the archived ones.
package struct ListApps: Action {
    package typealias Answer = AppsDocument
    /// The most apps on one page.
    package static let pageSize = 500
    package static let route = ActionRoute(
        .get,
        "/apps",
        .anyToken,
        query: [
            .number("limit", in: 1...pageSize, else: usualPage), .text("after"), .flag("archived"),
        ],
    )

    package let limit: Int
    /// The bundle identifier of the last app on the previous page; nil for the first page.
    package let after: String?
    package let archived: Bool

    package init(limit: Int = pageSize, after: String? = nil, archived: Bool = false) {
        self.limit = limit
        self.after = after
        self.archived = archived
    }
}

/// Adds an app without builds, so that it can be configured before its first build is published.
package struct AddApp: Action {
    package typealias Answer = AppDocument
    package static let route = ActionRoute(
        .post,
        "/apps",
        .everywhere(.admin),
        success: .created,
    )

    package let content: NewApp

    package init(_ app: NewApp) {
        content = app
    }

    package static func location(of answer: AppDocument) -> String? { "/apps/" + answer.app.app }
}

/// Shows one app, given by its bundle identifier or slug.
package struct ShowApp: Action {
    package typealias Answer = AppDocument
    package static let route = ActionRoute(.get, "/apps/{app}", .onApp(.read), hasVersion: true)

    package let app: String

    package init(_ app: String) {
        self.app = app
    }
}

/// Changes an app's name, who may see it, and what the server does automatically for it.
package struct ChangeApp: Action {
    package typealias Answer = AppDocument
    package static let route = ActionRoute(
        .patch,
        "/apps/{app}",
        .onApp(.admin),
        hasVersion: true,
    )

    package let app: String
    package let content: AppChange

    package init(_ app: String, _ change: AppChange) {
        self.app = app
        content = change
    }
}

/// Removes old releases of an app.
package struct PruneReleases: Action {
    package typealias Answer = PruneDocument
    package static let route = ActionRoute(.post, "/apps/{app}/prune", .onApp(.admin))

    package let app: String
    package let content: PruneRequest

    package init(of app: String, _ request: PruneRequest) {
        self.app = app
        content = request
    }
}

/// Lists the attempts to install an app in the last days, latest first.
package struct ListInstalls: Action {
    package typealias Answer = InstallsDocument
    package static let route = ActionRoute(
        .get,
        "/apps/{app}/installs",
        .onApp(.admin),
        query: [
            .number("limit", in: 1...1000, else: 100), .number("days", in: 1...366, else: 30),
        ],
    )

    package let app: String
    package let limit: Int
    package let days: Int

    /// - Parameters:
    ///   - app: a bundle identifier or slug.
    ///   - limit: the most entries, from 1 to 1000.
    ///   - days: the number of days to include, from 1 to 366.
    package init(of app: String, limit: Int, days: Int) {
        self.app = app
        self.limit = limit
        self.days = days
    }
}

/// Lists the attempts to install any app in the last days, latest first.
package struct ListAllInstalls: Action {
    package typealias Answer = InstallsDocument
    package static let route = ActionRoute(
        .get,
        "/installs",
        .everywhere(.admin),
        query: ListInstalls.route.query,
    )

    package let limit: Int
    package let days: Int

    /// - Parameters:
    ///   - limit: the most entries, from 1 to 1000.
    ///   - days: the number of days to include, from 1 to 366.
    package init(limit: Int, days: Int) {
        self.limit = limit
        self.days = days
    }
}

extension NewApp: ActionContent {
    package static var keys: Set<String> { AppChange.keys.union(["app"]) }
}

extension AppChange: ActionContent {
    package static var keys: Set<String> {
        [
            "title", "access", "slug", "passphrase", "listed", "archived", "team", "signing",
            "approval", "freshChannels", "renewalDays", "minimumVersion", "feedback",
        ]
    }
}

extension PruneRequest: ActionContent {
    package static var keys: Set<String> { ["keep", "dryRun", "originals"] }

    package var flaw: ContentFlaw? {
        guard !(0...Self.most).contains(keep) else { return nil }
        return ContentFlaw("keep is out of range", fix: "give a number from 0 to \(Self.most)")
    }
}
