import Bytes

/// What a notice is about; the raw values are what webhooks filter by and payloads carry.
package enum NoticeEvent: String, WordCoded, Sendable {
    /// A profile, certificate or token ends within 30, 14, 7, 3 or 1 days.
    case expiring
    /// It has ended.
    case expired
    case releasePublished = "release.published"
    case releaseWithdrawn = "release.withdrawn"
    /// A device proved itself, and waits to be approved.
    case deviceEnrolled = "device.enrolled"
    /// Devices joined that the newest build of an app lacks.
    case devicesMissing = "devices.missing"
    /// A product family has few device slots left, or none.
    case slotsLow = "slots.low"
    /// The server found that part of the store is damaged or missing.
    case storeDamaged = "store.damaged"
    /// A mirror's build failed.
    case buildFailed = "build.failed"
    /// Nothing continues in a developer account before an admin has done something.
    case accountBlocked = "account.blocked"
    /// The server cannot get a certificate for its host name.
    case certificateFailed = "certificate.failed"
    /// Releases went by the rules of their app.
    case releasesRemoved = "releases.removed"
    /// A tester said what went wrong.
    case feedbackReceived = "feedback.received"
    /// An admin sends a test to a webhook.
    case test

    /// What can be asked for; a test comes whatever a webhook asks for.
    package static let subjects = allCases.filter { $0 != .test }

    /// Whether it is about apps; a webhook of single apps gets no other events.
    package var isAboutApps: Bool {
        switch self {
        case .expiring, .expired, .releasePublished, .releaseWithdrawn, .devicesMissing,
            .releasesRemoved, .feedbackReceived, .test:
            true
        case .deviceEnrolled, .slotsLow, .storeDamaged, .buildFailed, .accountBlocked,
            .certificateFailed:
            false
        }
    }

    /// Whether it is about one build, and so about channels and the groups that see them; a webhook of single
    /// channels or groups gets no other events.
    package var isAboutBuilds: Bool {
        switch self {
        case .releasePublished, .releaseWithdrawn, .feedbackReceived, .test: true
        default: false
        }
    }

    package static let kindOfText =
        "one of " + subjects.map(\.rawValue).joined(separator: ", ")

    package var title: String {
        switch self {
        case .expiring: "something expires soon"
        case .expired: "something has expired"
        case .releasePublished: "a release was published"
        case .releaseWithdrawn: "a release was withdrawn"
        case .deviceEnrolled: "a device is waiting for approval"
        case .devicesMissing: "devices are missing from the newest build"
        case .slotsLow: "device slots are running out"
        case .storeDamaged: "part of the store is damaged"
        case .buildFailed: "a build failed"
        case .accountBlocked: "a developer account needs an admin"
        case .certificateFailed: "the server cannot get a certificate"
        case .releasesRemoved: "releases were removed by rules"
        case .feedbackReceived: "a tester sent feedback"
        case .test: "a test"
        }
    }
}
