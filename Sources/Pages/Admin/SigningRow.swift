import Cryptography
package import Foundation
import Identifiers
import Releases

/// The devices that one IPA of a release reaches, and its profile.
package struct SigningReach: Sendable {
    /// The profile of the app itself; nil if it has none.
    package let profile: String?
    package let expires: Date?
    /// How many devices it lists; nil if it does not list devices.
    package let count: Int?
    /// The names of the listed devices that are in use here; nil for users who may not see names, and if
    /// there is no list.
    package let names: [String]?
    /// How many devices it lists that the previous IPA did not, and the reverse; nil for the first.
    package let change: (gained: Int, lost: Int)?

    package init(
        profile: String?,
        expires: Date?,
        count: Int?,
        names: [String]?,
        change: (gained: Int, lost: Int)?,
    ) {
        self.profile = profile
        self.expires = expires
        self.count = count
        self.names = names
        self.change = change
    }
}

/// One IPA of a release in the list of IPAs: as published, or as re-signed.
struct SigningRow: Sendable {
    let when: String
    let who: String
    let why: String
    /// `12 devices, 2 more than before`, or that the profile does not list devices.
    let devices: String
    /// `Browsey Ad Hoc and 1 more, until 3 March 2027`.
    let profile: String
    let names: [String]
    let hasNames: Bool
    let others: String?
    let digest: String
    /// Whether phones install this IPA.
    let isCurrent: Bool

    private init(_ signing: Release.Signing, _ reach: SigningReach?, isCurrent: Bool) {
        self.init(
            at: signing.date,
            who: "Signed by \(signing.by)",
            why: Wording.sentence(signing.reason),
            count: signing.devices,
            profiles: signing.profileUUIDs.count,
            digest: signing.sha256,
            reach,
            isCurrent: isCurrent,
        )
    }

    private init(
        at date: Date,
        who: String,
        why: String,
        count: Int?,
        profiles: Int?,
        digest: SHA256Digest,
        _ reach: SigningReach?,
        isCurrent: Bool,
    ) {
        when = Wording.moment(date)
        self.who = who
        self.why = why
        devices = Self.devices(count, reach)
        profile = Self.profile(profiles, reach)
        names = reach?.names ?? []
        hasNames = !names.isEmpty
        let others = reach?.names == nil ? 0 : (count ?? 0) - names.count
        self.others =
            others > 0
            ? Wording.count(others, "device") + " that are not active in this register" : nil
        self.digest = "\(digest)"
        self.isCurrent = isCurrent
    }

    private static func devices(_ count: Int?, _ reach: SigningReach?) -> String {
        guard let count else { return "any device" }
        let changes = [
            reach?.change.flatMap { $0.gained > 0 ? "\($0.gained) added" : nil },
            reach?.change.flatMap { $0.lost > 0 ? "\($0.lost) removed" : nil },
        ]
        .compactMap(\.self)
        return Wording.count(count, "device")
            + (changes.isEmpty ? "" : " (\(changes.joined(separator: ", ")))")
    }

    private static func profile(_ count: Int?, _ reach: SigningReach?) -> String {
        guard let name = reach?.profile else {
            return count.map { Wording.count($0, "profile") } ?? "no profile"
        }
        let more = (count ?? 1) - 1
        return name + (more > 0 ? " and \(more) more" : "")
            + (reach?.expires.map { ", until \(Wording.day($0))" } ?? "")
    }

    /// Returns the rows, newest first and the published IPA last; none for a release that was never
    /// re-signed.
    static func rows(
        of release: Release,
        reaching reach: [SHA256Digest: SigningReach],
    ) -> [SigningRow] {
        guard let signings = release.signings, !signings.isEmpty else { return [] }
        let rows = signings.reversed().map {
            SigningRow($0, reach[$0.sha256], isCurrent: $0 == release.lastSigning)
        }
        let first = reach[release.original.sha256]
        let published = SigningRow(
            at: release.published,
            who: "Published by \(release.publisher)",
            why: "The published file.",
            count: first?.count,
            profiles: nil,
            digest: release.original.sha256,
            first,
            isCurrent: false,
        )
        return rows + [published]
    }
}

/// A running or failed signing of a release.
package struct ReleaseWork: Sendable {
    let tone: String
    let heading: String
    let sentence: String
    let url: String?

    /// - Parameters:
    ///   - heading: a title such as `Being signed again`.
    ///   - sentence: its state, or the failure and what to do about it.
    ///   - url: the path of the job's page.
    ///   - isFailed: whether it has failed, and needs an admin.
    package init(_ heading: String, _ sentence: String, url: String? = nil, isFailed: Bool) {
        tone = isFailed ? "bad" : "accent"
        self.heading = heading
        self.sentence = sentence
        self.url = url
    }
}
