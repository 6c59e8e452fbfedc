import Releases

/// One signing of a release, in the list of them.
struct SigningRow: Sendable {
    let when: String
    let who: String
    /// `12 devices`, or that the profile needs no list.
    let devices: String
    let profiles: String
    let digest: String
    /// Whether phones install this one.
    let isCurrent: Bool

    private init(_ signing: Release.Signing, isCurrent: Bool) {
        when = Wording.moment(signing.date)
        who = signing.by
        devices = signing.devices.map { Wording.count($0, "device") } ?? "any device"
        profiles = Wording.count(signing.profileUUIDs.count, "profile")
        digest = "\(signing.sha256)"
        self.isCurrent = isCurrent
    }

    /// The newest first.
    static func rows(of release: Release) -> [SigningRow] {
        (release.signings ?? []).reversed().map {
            SigningRow($0, isCurrent: $0 == release.lastSigning)
        }
    }
}

/// What the server is doing with a release, or could not do.
package struct ReleaseWork: Sendable {
    let tone: String
    let heading: String
    let sentence: String
    let url: String?

    /// - Parameters:
    ///   - heading: what it is, such as `Being signed again`.
    ///   - sentence: where it is, or why not, and what to do about it.
    ///   - url: of the job's page.
    ///   - isFailed: whether it will not happen by itself.
    package init(_ heading: String, _ sentence: String, url: String? = nil, isFailed: Bool) {
        tone = isFailed ? "bad" : "accent"
        self.heading = heading
        self.sentence = sentence
        self.url = url
    }
}
