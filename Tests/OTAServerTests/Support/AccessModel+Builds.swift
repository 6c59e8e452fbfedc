import Releases

extension AccessModel {
    struct Build {
        enum Withdrawal {
            case byHand
            /// It was withdrawn at the end of its channel; a promotion restores it.
            case withChannel
        }

        let published: Int
        /// Every channel on which it has ever been.
        var channels: Set<String>
        /// The devices of its profile; nil if it installs on all.
        var listed: Set<Int>?
        var isPinned = false
        var withdrawal: Withdrawal?
    }

    private static let day = 86_400
    /// The time of day (UTC) from which on rules are applied, in seconds.
    private static let night = 3 * 3600

    // MARK: Builds come

    func isThere(_ build: Int, of app: Int) -> Bool { apps[app].builds[build] != nil }

    /// Publishes a build, or promotes an existing one; `end` is the end of a temporary channel.
    mutating func offer(
        _ build: Int,
        of app: Int,
        on channel: String,
        until end: Int? = nil,
        listing devices: Set<Int>? = nil,
    ) -> Bool {
        if let there = apps[app].builds[build] {
            guard there.withdrawal != .byHand else { return false }
            apps[app].builds[build]?.withdrawal = nil
            apps[app].builds[build]?.channels.insert(channel)
        } else {
            apps[app].builds[build] = Build(
                published: now,
                channels: [channel],
                listed: devices,
            )
        }
        apps[app].offers[channel] = build
        if let end { apps[app].ends[channel] = end }
        return true
    }

    mutating func withdraw(_ build: Int, of app: Int) -> Bool {
        guard isThere(build, of: app) else { return false }
        apps[app].builds[build]?.withdrawal = .byHand
        return true
    }

    mutating func restore(_ build: Int, of app: Int) -> Bool {
        guard isThere(build, of: app) else { return false }
        apps[app].builds[build]?.withdrawal = nil
        return true
    }

    mutating func pin(_ build: Int, of app: Int, _ isPinned: Bool) -> Bool {
        guard isThere(build, of: app) else { return false }
        apps[app].builds[build]?.isPinned = isPinned
        return true
    }

    /// Records that a device has downloaded a whole build; nil for a device that the server does not know.
    mutating func install(_ build: Int, of app: Int, on device: Int?) {
        if let device {
            apps[app].installed[device] = build
        } else {
            apps[app].fetched[build] = now
        }
    }

    // MARK: Builds go

    /// Applies what has happened by itself until now.
    mutating func pass() {
        for app in apps.indices {
            for channel in apps[app].ends.keys.sorted() {
                if let end = apps[app].ends[channel], end <= now { close(channel, of: app) }
            }
        }
        applyRules()
    }

    /// Ends a channel, and withdraws its builds that no other channel offers and that were on no permanent one.
    private mutating func close(_ channel: String, of number: Int) {
        var app = apps[number]
        (app.offers[channel], app.ends[channel]) = (nil, nil)
        app.ended.insert(channel)
        for (build, kept) in app.builds
        where kept.channels.contains(channel) && kept.withdrawal == nil
            && !kept.channels.contains(where: app.lasts) && !app.offers.values.contains(build)
        { app.builds[build]?.withdrawal = .withChannel }
        apps[number] = app
    }

    /// New or changed rules are applied from the next night on.
    mutating func change(rules: RetentionRules?, of app: Int) {
        rulesApplied = rulesApplied.map { max($0, now) }
        apps[app].rules = rules
    }

    mutating func change(usualRules rules: RetentionRules) {
        rulesApplied = rulesApplied.map { max($0, now) }
        usualRules = rules
    }

    private mutating func applyRules() {
        let ruled = apps.indices.filter { !(apps[$0].rules ?? usualRules).keepsEverything }
        guard !ruled.isEmpty else { return }
        guard let last = rulesApplied else {
            rulesApplied = now
            return
        }
        let nextNight = ((last - Self.night) / Self.day + 1) * Self.day + Self.night
        guard nextNight <= now else { return }
        rulesApplied = now
        for app in ruled {
            let rules = apps[app].rules ?? usualRules
            apps[app].builds = apps[app].builds.filter { stays($0.key, in: apps[app], rules) }
        }
    }

    private func stays(_ number: Int, in app: App, _ rules: RetentionRules) -> Bool {
        guard let build = app.builds[number] else { return false }
        let age = now - build.published
        if app.offers.values.contains(number) || build.isPinned || age < Self.day { return true }
        if let days = rules.days, age < days * Self.day { return true }
        if rules.keepsInstalled {
            if app.installed.values.contains(number) { return true }
            let days = InstalledDays.unknown
            if let date = app.fetched[number], now - date < days * Self.day { return true }
        }
        guard let newest = rules.newest, build.withdrawal == nil else { return false }
        return build.channels.contains { channel in
            let newer = app.builds.values.filter {
                $0.withdrawal == nil && $0.channels.contains(channel)
                    && $0.published > build.published
            }
            return newer.count < newest
        }
    }

    private enum InstalledDays {
        /// From `docs/admins.md`.
        static let unknown = 90
    }
}

extension AccessModel.App {
    /// Whether a channel exists and never ends.
    func lasts(_ channel: String) -> Bool {
        offers[channel] != nil && ends[channel] == nil && !ended.contains(channel)
    }
}
