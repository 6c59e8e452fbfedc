package import Essentials

/// The rules for which releases of an app stay when the server removes old ones, once a day.
///
/// Each rule is a reason to stay; without a number and an age, everything stays. Releases that a channel
/// offers and pinned ones always stay.
package struct RetentionRules: Codable, Sendable, Equatable {
    /// The allowed values of ``newest``.
    package static let newestRange = 0...1000
    /// The allowed values of ``days``.
    package static let daysRange = 1...3650

    /// How many of the newest releases of each channel stay; nil if the number does not matter.
    package let newest: Int?
    /// The minimum age in days before a release is removed; nil if age does not matter.
    package let days: Int?
    /// Whether releases stay that are installed on a device.
    package let keepsInstalled: Bool

    private enum CodingKeys: String, CodingKey {
        case newest, days
        case keepsInstalled = "installed"
    }

    /// - Parameters:
    ///   - newest: how many of the newest releases of each channel stay, in ``newestRange``.
    ///   - days: the minimum age in days before a release is removed, in ``daysRange``.
    ///   - keepsInstalled: whether releases stay that are installed on a device.
    package init(newest: Int? = nil, days: Int? = nil, keepsInstalled: Bool = true) {
        self.newest = newest
        self.days = days
        self.keepsInstalled = keepsInstalled
    }

    /// Rules that remove nothing.
    package static let everything = RetentionRules()

    package var keepsEverything: Bool { newest == nil && days == nil }

    /// Whether both numbers are within their bounds.
    package var isValid: Bool {
        newest.map(Self.newestRange.contains) ?? true && days.map(Self.daysRange.contains) ?? true
    }

    /// The rules for people, as the rest of a sentence that starts with `keeps`.
    package var words: String {
        guard !keepsEverything else { return "everything" }
        let parts = [
            newest.map { $0 == 0 ? nil : "the newest \($0) of each channel" } ?? nil,
            days.map { "what is younger than \(Wording.count($0, "day"))" },
            keepsInstalled ? "what is installed on a device" : nil,
            "what a channel offers", "what is pinned",
        ].compactMap(\.self)
        return parts.count == 1
            ? parts[0]
            : parts.dropLast().joined(separator: ", ") + ", and " + parts[parts.count - 1]
    }
}

/// The pin of a release, which rules therefore do not remove.
package struct ReleasePin: Codable, Sendable, Equatable {
    package let date: Date
    package let actor: String
    /// The reason, in one line; nil if none was given.
    package let reason: String?

    package init(date: Date, actor: String, reason: String?) {
        self.date = date
        self.actor = actor
        self.reason = reason
    }
}

/// The releases that an app's rules removed, for ``Activity/Event/rulesApplied``.
package struct RemovedReleases: Codable, Sendable, Equatable {
    /// The most names in an activity.
    package static let mostNames = 100

    package let count: Int
    /// The first ``mostNames`` of them.
    package let releases: [ReleaseIdentifier]
    /// The total size in bytes of the files that nothing refers to any more.
    package let freed: Int

    /// - Parameters:
    ///   - releases: the removed releases.
    ///   - freed: the total size in bytes of the files that nothing refers to any more.
    package init(_ releases: [ReleaseIdentifier], freed: Int) {
        count = releases.count
        self.releases = Array(releases.prefix(Self.mostNames))
        self.freed = freed
    }
}
