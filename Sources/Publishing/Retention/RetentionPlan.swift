package import Essentials
package import Identifiers
package import Releases

/// Which releases of an app go by its rules, and why each other one stays.
package struct RetentionPlan: Sendable, Equatable {
    /// Why a release stays.
    package enum Reason: Sendable, Equatable {
        case offered(ChannelName)
        case pinned(ReleasePin)
        /// One of the newest of a channel, as many as the rules keep.
        case newest(ChannelName)
        /// Younger than the rules ask for.
        case young(until: Date)
        case installed(devices: Int)
        /// A device that the server does not know downloaded it.
        case downloaded(Date)
        /// Published within the last day, so that a publish may still be under way.
        case fresh
        /// No rule says that anything goes.
        case noRule

        /// For people, as a clause.
        package var words: String {
            switch self {
            case .offered(let channel): "\(channel) offers it"
            case .pinned(let pin):
                "\(pin.actor) pinned it" + (pin.reason.map { ": \($0)" } ?? "")
            case .newest(let channel): "one of the newest on \(channel)"
            case .young(let end): "stays until \(Wording.day(end))"
            case .installed(let devices): "installed on \(Wording.count(devices, "device"))"
            case .downloaded(let date):
                "downloaded by an unknown device on \(Wording.day(date))"
            case .fresh: "published within the last day"
            case .noRule: "everything is kept"
            }
        }

        /// For programs.
        package var name: String {
            switch self {
            case .offered: "offered"
            case .pinned: "pinned"
            case .newest: "newest"
            case .young: "young"
            case .installed: "installed"
            case .downloaded: "downloaded"
            case .fresh: "fresh"
            case .noRule: "everything"
            }
        }
    }

    /// One release and why it stays.
    package struct Line: Sendable, Equatable {
        package let release: ReleaseIdentifier
        package let published: Date
        /// None for one that goes.
        package let reasons: [Reason]
    }

    package let app: BundleIdentifier
    package let rules: RetentionRules
    /// In the order of the releases that were given.
    package let lines: [Line]

    /// What goes.
    package var going: [ReleaseIdentifier] { lines.filter(\.reasons.isEmpty).map(\.release) }

    /// Seconds that a release stays after its publish whatever the rules say.
    static let freshTime: TimeInterval = 86_400

    /// Decides about every release of an app.
    ///
    /// A release belongs to each channel that it was published on or promoted to. One that went with the
    /// end of its channel is none of the newest of any channel, because no one can install it.
    ///
    /// - Parameters:
    ///   - app: as it is now.
    ///   - releases: all of its releases.
    ///   - rules: which of them stay.
    ///   - installed: what is installed somewhere.
    ///   - date: now.
    package init(
        of app: AppRecord,
        _ releases: [Release],
        under rules: RetentionRules,
        installed: InstalledReleases,
        at date: Date,
    ) {
        self.app = app.bundleIdentifier
        self.rules = rules
        let newest = Self.newest(of: releases, count: rules.newest ?? 0)
        let devices = rules.keepsInstalled ? installed.devices(of: app.bundleIdentifier) : [:]
        lines = releases.map { release in
            let identifier = release.identifier
            var reasons: [Reason] = app.channels.filter { $0.value == identifier }.keys.sorted()
                .map { .offered($0) }
            if let pin = release.pin { reasons.append(.pinned(pin)) }
            if rules.keepsEverything { reasons.append(.noRule) }
            reasons += (newest[identifier] ?? []).map { .newest($0) }
            if let days = rules.days {
                let end = release.published.addingTimeInterval(Double(days) * 86_400)
                if end > date { reasons.append(.young(until: end)) }
            }
            if let count = devices[identifier] { reasons.append(.installed(devices: count)) }
            if rules.keepsInstalled,
                let last = installed.lastDownload(
                    of: identifier,
                    of: app.bundleIdentifier,
                    at: date,
                )
            {
                reasons.append(.downloaded(last))
            }
            if date.timeIntervalSince(release.published) < Self.freshTime { reasons.append(.fresh) }
            return Line(release: identifier, published: release.published, reasons: reasons)
        }
    }

    /// The channels of which each release is one of the newest, by name; one that was withdrawn takes
    /// no place.
    private static func newest(
        of releases: [Release],
        count: Int,
    ) -> [ReleaseIdentifier: [ChannelName]] {
        var channels: [ChannelName: [Release]] = [:]
        for release in releases where release.withdrawal == nil {
            for channel in Set([release.channel] + (release.otherChannels ?? [])) {
                channels[channel, default: []].append(release)
            }
        }
        var found: [ReleaseIdentifier: [ChannelName]] = [:]
        for channel in channels.keys.sorted() {
            let ordered = (channels[channel] ?? []).sorted {
                ($1.published, $1.identifier.rawValue) < ($0.published, $0.identifier.rawValue)
            }
            for release in ordered.prefix(count) {
                found[release.identifier, default: []].append(channel)
            }
        }
        return found
    }
}
