import Access
package import Foundation
import Identifiers
package import Inspection
package import Releases

/// Starts a job that signs a published release again with the newest profiles.
package struct SignRelease: Action {
    package typealias Answer = SigningDocument
    package static let route = ActionRoute(
        .post,
        "/apps/{app}/releases/{release}/sign",
        .onApp(.publish),
        bodyLimit: 4 << 20,
        success: .accepted,
    )

    package let app: String
    package let release: String
    package let content: SigningWish

    package init(_ release: String, of app: String, with wish: SigningWish) {
        self.app = app
        self.release = release
        content = wish
    }

    package static func location(of answer: SigningDocument) -> String? {
        answer.job.map { "/jobs/\($0.id)" }
    }
}

/// The team and profiles for signing a release.
package struct SigningWish: Codable, Sendable, Equatable {
    /// The team whose identity signs; nil for the app's team.
    package let team: String?
    /// Provisioning profiles in base64; nil for the team's newest ones.
    package let profiles: [Data]?

    package init(team: String? = nil, profiles: [Data]? = nil) {
        self.team = team
        self.profiles = profiles
    }

    /// The most profiles in one request: enough for an app with more extensions than any has.
    package static let profileLimit = 40
}

extension SigningWish: ActionContent {
    package static var keys: Set<String> { ["team", "profiles"] }

    package var flaw: ContentFlaw? {
        guard (profiles?.count ?? 0) > Self.profileLimit else { return nil }
        return ContentFlaw(
            "profiles has more than \(Self.profileLimit) entries",
            fix: "give one profile for each bundle that needs one",
        )
    }
}

/// The effect of signing a release again, and the job that does it.
package struct SigningDocument: Codable, Sendable, Equatable {
    /// A profile that will be in the release.
    package struct Profile: Codable, Sendable, Equatable {
        package let uuid, name: String
        package let expires: Date
        @OrNull package var devices: Int?

        package init(uuid: String, name: String, expires: Date, devices: Int?) {
            self.uuid = uuid
            self.name = name
            self.expires = expires
            self.devices = devices
        }
    }

    package var schema = 1
    /// False if nothing would change, or the same job is already waiting.
    package let created: Bool
    package let app, release: String
    package let team: String
    /// The app's own profile comes first.
    package let profiles: [Profile]
    /// Devices that the new app profile lists and the current one does not.
    package let gained: Int
    /// Devices that the current app profile lists and the new one does not.
    package let lost: Int
    /// Nil if nothing would change.
    @OrNull package var job: JobEntry?

    package init(
        created: Bool,
        release: Release,
        team: String,
        profiles: [Profile],
        gained: Int,
        lost: Int,
        job: JobEntry?,
    ) {
        self.created = created
        app = release.bundleIdentifier.rawValue
        self.release = release.identifier.rawValue
        self.team = team
        self.profiles = profiles
        self.gained = gained
        self.lost = lost
        self.job = job
    }
}
