import Access
package import Identifiers
package import Inspection
package import Releases

/// Lists one page of an app's releases, newest first.
package struct ListReleases: Action {
    package typealias Answer = ReleasePageDocument
    package static let route = ActionRoute(
        .get,
        "/apps/{app}/releases",
        .onApp(.read),
        query: [.number("limit", in: 1...200, else: 20), .text("after")],
    )

    package let app: String
    package let limit: Int
    /// The last release on the previous page; nil for the first page.
    package let after: String?

    package init(of app: String, limit: Int, after: String? = nil) {
        self.app = app
        self.limit = limit
        self.after = after
    }
}

/// Shows one release with its current state.
package struct ShowRelease: Action {
    package typealias Answer = ReleaseCardDocument
    package static let route = ActionRoute(
        .get,
        "/apps/{app}/releases/{release}",
        .onApp(.read),
        hasVersion: true,
    )

    package let app: String
    package let release: String

    package init(_ release: String, of app: String) {
        self.app = app
        self.release = release
    }
}

/// Replaces the notes of a release.
package struct ChangeNotes: Action {
    package typealias Answer = ReleaseDocument
    package static let route = ActionRoute(
        .patch,
        "/apps/{app}/releases/{release}",
        .onApp(.publish),
        bodyLimit: 512 << 10,
        hasVersion: true,
    )

    package let app: String
    package let release: String
    package let content: NotesRequest

    package init(of release: String, of app: String, to notes: String) {
        self.app = app
        self.release = release
        content = NotesRequest(notes: notes)
    }
}

/// Shows the inspection report from when a release was published; only admins see its devices.
package struct ShowReport: Action {
    package typealias Answer = InspectionDocument
    package static let route = ActionRoute(
        .get,
        "/apps/{app}/releases/{release}/report",
        .onApp(.read),
    )

    package let app: String
    package let release: String
}

/// Shows what changed in a release since an earlier one; only admins see the names of devices.
package struct CompareReleases: Action {
    package typealias Answer = ComparisonDocument
    package static let route = ActionRoute(
        .get,
        "/apps/{app}/releases/{release}/changes",
        .onApp(.read),
        query: [.text("with")],
    )

    package let app: String
    package let release: String
    /// The release to compare with; nil for the previous one on its channel.
    package let with: String?

    package init(_ release: String, of app: String, with other: String? = nil) {
        self.app = app
        self.release = release
        with = other
    }
}

/// Shows which devices can install a release, and why others cannot; only admins see their names.
package struct ShowVerdicts: Action {
    package typealias Answer = RegisterDocument
    package static let route = ActionRoute(
        .get,
        "/apps/{app}/releases/{release}/devices",
        .onApp(.read),
        query: [
            .number("after", in: 0...1 << 40, else: 0),
            .number("limit", in: 1...pageSize, else: usualPage),
        ],
    )
    /// The most devices on one page.
    package static let pageSize = 500

    package let app: String
    package let release: String
    /// The number of devices on the previous pages; 0 for the first page.
    package let after: Int
    package let limit: Int

    package init(of release: String, of app: String, after: Int = 0, limit: Int = pageSize) {
        self.app = app
        self.release = release
        self.after = after
        self.limit = limit
    }
}

/// Shows the statement about the origin of a release.
package struct ShowProvenance: Action {
    package typealias Answer = ProvenanceDocument
    package static let route = ActionRoute(
        .get,
        "/apps/{app}/releases/{release}/provenance",
        .onApp(.read),
        query: [.flag("digest")],
    )

    package let app: String
    package let release: String
    /// Whether to read the whole IPA and compute its digest.
    package let digest: Bool

    package init(of release: String, of app: String, digesting digest: Bool) {
        self.app = app
        self.release = release
        self.digest = digest
    }
}

/// Withdraws a release: it can no longer be installed, and its page shows the reason.
package struct WithdrawRelease: Action {
    package typealias Answer = ReleaseDocument
    package static let route = ActionRoute(
        .post,
        "/apps/{app}/releases/{release}/withdraw",
        .onApp(.publish),
    )

    package let app: String
    package let release: String
    package let content: WithdrawalRequest

    package init(_ release: String, of app: String, reason: String) {
        self.app = app
        self.release = release
        content = WithdrawalRequest(reason: reason)
    }
}

/// Restores a withdrawn release.
package struct RestoreRelease: Action {
    package typealias Answer = ReleaseDocument
    package static let route = ActionRoute(
        .post,
        "/apps/{app}/releases/{release}/restore",
        .onApp(.publish),
    )

    package let app: String
    package let release: String

    package init(_ release: String, of app: String) {
        self.app = app
        self.release = release
    }
}

/// Promotes an existing release to a channel.
package struct PromoteRelease: Action {
    package typealias Answer = ReleaseDocument
    package static let route = ActionRoute(
        .post,
        "/apps/{app}/releases/{release}/promote",
        .onApp(.publish),
    )

    package let app: String
    package let release: String
    package let content: PromotionRequest

    package init(
        _ release: String,
        of app: String,
        to channel: ChannelName,
        lasting life: ChannelLife? = nil,
    ) {
        self.app = app
        self.release = release
        content = PromotionRequest(channel: channel, expires: life)
    }
}

extension NotesRequest: ActionContent {
    package static var keys: Set<String> { ["notes"] }
}

extension WithdrawalRequest: ActionContent {
    package static var keys: Set<String> { ["reason"] }
}

extension PromotionRequest: ActionContent {
    package static var keys: Set<String> { ["channel", "expires"] }
}
