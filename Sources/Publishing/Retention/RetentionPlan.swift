package import Essentials
package import Identifiers
package import Releases

/// The releases of an app that its rules remove, and why each other one stays.
package struct RetentionPlan: Sendable, Equatable {
    /// Why a release stays.
    package enum Reason: Sendable, Equatable {
        case offered(ChannelName)
        case pinned(ReleasePin)
        /// The release is one of the newest on a channel, as many as the rules keep.
        case newest(ChannelName)
        /// The release is younger than the rules require.
        case young(until: Date)
        case installed(devices: Int)
        /// An unknown device has downloaded the release.
        case downloaded(Date)
        /// Published within the last day, so that a publish may still be in progress.
        case fresh
        /// There are no rules that remove anything.
        case noRule

        /// The reason for display, as a clause.
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

        /// The reason for programs.
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
        /// Empty for a release that will be removed.
        package let reasons: [Reason]
    }

    package let app: BundleIdentifier
    package let rules: RetentionRules
    /// In the order of the given releases.
    package let lines: [Line]

    /// The releases that will be removed.
    package var going: [ReleaseIdentifier] { lines.filter(\.reasons.isEmpty).map(\.release) }

    /// Seconds for which a release stays after it was published, whatever the rules say.
    static let freshTime: TimeInterval = 86_400

    /// Decides about every release of an app.
    ///
    /// A release belongs to each channel that it was published on or promoted to. A withdrawn one, such as
    /// one whose channel has ended, does not count among the newest of any channel, because no one can
    /// install it.
    ///
    /// - Parameters:
    ///   - app: the current app.
    ///   - releases: all of its releases.
    ///   - rules: the rules to apply.
    ///   - installed: the releases that are installed on devices.
    ///   - date: the current time.
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

    /// The channels of which each release is one of the newest, by name; withdrawn releases do not count.
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
