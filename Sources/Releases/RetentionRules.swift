package import Essentials

/// Which releases of an app stay when the server removes old ones, once a day.
///
/// Each rule is a reason to stay; with neither a number nor an age everything stays. What a channel offers
/// and what is pinned stays under all rules.
package struct RetentionRules: Codable, Sendable, Equatable {
    /// What ``newest`` may be.
    package static let newestRange = 0...1000
    /// What ``days`` may be.
    package static let daysRange = 1...3650

    /// How many of the newest stay of each channel; nil where their number is no reason.
    package let newest: Int?
    /// How many days a release stays at least; nil where its age is no reason.
    package let days: Int?
    /// Whether what is installed on a device stays.
    package let keepsInstalled: Bool

    private enum CodingKeys: String, CodingKey {
        case newest, days
        case keepsInstalled = "installed"
    }

    /// - Parameters:
    ///   - newest: how many of the newest stay of each channel, in ``newestRange``.
    ///   - days: how long a release stays at least, in ``daysRange``.
    ///   - keepsInstalled: whether what is installed on a device stays.
    package init(newest: Int? = nil, days: Int? = nil, keepsInstalled: Bool = true) {
        self.newest = newest
        self.days = days
        self.keepsInstalled = keepsInstalled
    }

    /// Rules by which nothing goes.
    package static let everything = RetentionRules()

    package var keepsEverything: Bool { newest == nil && days == nil }

    /// Whether both numbers are within their bounds.
    package var isValid: Bool {
        newest.map(Self.newestRange.contains) ?? true && days.map(Self.daysRange.contains) ?? true
    }

    /// What stays, for people, as the rest of a sentence that begins with `keeps`.
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

/// That an admin wants a release to stay, whatever rules say.
package struct ReleasePin: Codable, Sendable, Equatable {
    package let date: Date
    package let actor: String
    /// Why, on one line; nil where nothing was said.
    package let reason: String?

    package init(date: Date, actor: String, reason: String?) {
        self.date = date
        self.actor = actor
        self.reason = reason
    }
}

/// What went by the rules of an app: of ``Activity/Event/rulesApplied``.
package struct RemovedReleases: Codable, Sendable, Equatable {
    /// How many names an entry of the activity has at most.
    package static let mostNames = 100

    package let count: Int
    /// The first of them.
    package let releases: [ReleaseIdentifier]
    /// Bytes of the files that nothing refers to any longer.
    package let freed: Int

    /// - Parameters:
    ///   - releases: what went.
    ///   - freed: bytes of the files that nothing refers to any longer.
    package init(_ releases: [ReleaseIdentifier], freed: Int) {
        count = releases.count
        self.releases = Array(releases.prefix(Self.mostNames))
        self.freed = freed
    }
}
