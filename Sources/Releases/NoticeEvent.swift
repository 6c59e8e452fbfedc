import Bytes

/// The event of a notice.
///
/// Webhooks filter by the raw values, and payloads contain them.
package enum NoticeEvent: String, WordCoded, Sendable {
    /// A profile, certificate or token expires within 30, 14, 7, 3 or 1 days.
    case expiring
    /// A profile, certificate or token has expired.
    case expired
    case releasePublished = "release.published"
    case releaseWithdrawn = "release.withdrawn"
    /// A device has proven its identity and is waiting for approval.
    case deviceEnrolled = "device.enrolled"
    /// New devices are not in the newest build of an app.
    case devicesMissing = "devices.missing"
    /// A product family has few device slots left, or none.
    case slotsLow = "slots.low"
    /// The server found that part of the store is damaged or missing.
    case storeDamaged = "store.damaged"
    /// A mirror's build failed.
    case buildFailed = "build.failed"
    /// The server cannot use a developer account until an admin has acted.
    case accountBlocked = "account.blocked"
    /// The server cannot get a certificate for its host name.
    case certificateFailed = "certificate.failed"
    /// The rules of an app removed releases.
    case releasesRemoved = "releases.removed"
    /// A tester sent feedback.
    case feedbackReceived = "feedback.received"
    /// An admin sends a test message to a webhook.
    case test

    /// The events to which a webhook can subscribe; a test message is always delivered.
    package static let subjects = allCases.filter { $0 != .test }

    /// Whether it is about apps; a webhook limited to apps gets no other events.
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

    /// Whether it is about one build, and so about channels and their groups; a webhook limited to channels
    /// or groups gets no other events.
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
