import Foundation
import Identifiers
import Publishing
import Releases
import Store
import StoreFixtures
import TestSupport
import Testing

/// A random history of an app: the store's result, and that of a small model for each release.
struct RetentionHistory {
    private struct Build {
        let published: Date
        var channels: Set<String>
        var isPinned = false
        /// Whether it was withdrawn with the end of its channel.
        var isOver = false
    }

    let store: OTAStore
    let rules: RetentionRules
    private let app: BundleIdentifier
    private var now: Date
    private var random: SeededGenerator
    private var builds: [Int: Build] = [:]
    private var offers: [String: Int] = [:]
    private var devices: [Int: Int] = [:]
    private var unknown: [Int: Date] = [:]

    private static let day = 86_400.0

    init(seed: UInt64, from date: Date) throws {
        store = OTAStore(
            backend: try OTAStore.openOrCreate(on: MemoryBackend(), now: date).backend,
            interval: .zero,
        )
        app = try StoredRelease().identifier
        now = date
        random = SeededGenerator(seed: seed)
        let numbers: [Int?] = [nil, 0, 1, 2, 4]
        let number = numbers.randomElement(using: &random) ?? nil
        let ages: [Int?] = [nil, 1, 5, 20]
        let age = ages.randomElement(using: &random) ?? nil
        rules = RetentionRules(
            newest: number,
            days: age,
            keepsInstalled: Bool.random(using: &random),
        )
    }

    func releases() throws -> Set<ReleaseIdentifier> { Set(try store.releaseIdentifiers(of: app)) }

    func record() throws -> AppRecord { try #require(try store.app(app, isCurrent: true)) }

    func apply() throws -> Retention.Outcome {
        try store.changeApp(app) { $0.retention = rules }
        let outcomes = try Retention(in: store, by: "Ada", at: now).apply(to: [record()])
        return try #require(outcomes.first)
    }

    /// The releases that are kept according to the model.
    func kept() -> Set<ReleaseIdentifier> {
        Set(builds.keys.filter(stays).map(Self.name))
    }

    private func stays(_ number: Int) -> Bool {
        guard let build = builds[number], !rules.keepsEverything else { return true }
        let age = now.timeIntervalSince(build.published) / Self.day
        if offers.values.contains(number) || build.isPinned || age < 1 { return true }
        if let days = rules.days, age < Double(days) { return true }
        if rules.keepsInstalled {
            if devices.values.contains(number) { return true }
            if let date = unknown[number], now.timeIntervalSince(date) < 90 * Self.day {
                return true
            }
        }
        guard let newest = rules.newest, !build.isOver else { return false }
        return build.channels.contains { channel in
            let above = builds.values.filter {
                !$0.isOver && $0.channels.contains(channel) && $0.published > build.published
            }
            return above.count < newest
        }
    }

    // MARK: What happens

    mutating func step() throws {
        now += Double.random(in: 60...(4 * Self.day), using: &random).rounded()
        switch Int.random(in: 0..<12, using: &random) {
        case 0..<5: try publish()
        case 5, 6: try promote()
        case 7: try end()
        case 8: try pin()
        default: try install()
        }
    }

    private static func name(_ number: Int) -> ReleaseIdentifier {
        ReleaseIdentifier(version: "1.0", build: "\(number)")
    }

    private mutating func anyChannel() throws -> ChannelName {
        let text = ["stable", "stable", "beta", "pr-1", "pr-2"].randomElement(using: &random)
        return try #require(ChannelName(text ?? "stable"))
    }

    private mutating func publish() throws {
        let number = builds.count + 1
        let channel = try builds.isEmpty ? ChannelName.stable : anyChannel()
        var release = StoredRelease()
        release.build = "\(number)"
        // Some builds have the same bytes.
        release.contents = "IPA \(Int.random(in: 0..<8, using: &random))"
        release.size = 1_000 + 100 * release.contents.utf8.reduce(0) { $0 + Int($1) % 7 }
        release.date = now
        release.channel = channel
        let isEnding = channel.rawValue.hasPrefix("pr-")
        _ = try release.publish(into: store, until: isEnding ? now + 1_000 * Self.day : nil)
        builds[number] = Build(published: now, channels: [channel.rawValue])
        offers[channel.rawValue] = number
    }

    private mutating func promote() throws {
        guard let number = builds.keys.sorted().randomElement(using: &random) else { return }
        let channel = try Bool.random(using: &random) ? ChannelName.stable : anyChannel()
        let isEnding = channel.rawValue.hasPrefix("pr-")
        try store.promote(
            Self.name(number),
            of: app,
            to: channel,
            lasting: isEnding ? ChannelLife("365d") : nil,
            by: "Ada",
            at: now,
        )
        builds[number]?.channels.insert(channel.rawValue)
        builds[number]?.isOver = false
        offers[channel.rawValue] = number
    }

    private mutating func end() throws {
        let text = Bool.random(using: &random) ? "pr-1" : "pr-2"
        guard offers[text] != nil else { return }
        _ = try ChannelCloser(of: app, in: store, by: "Ada", at: now)
            .end(#require(ChannelName(text)))
        offers[text] = nil
        for (number, build) in builds where build.channels.contains(text) {
            let lasts = !build.channels.isDisjoint(with: ["stable", "beta"])
            if !lasts, !offers.values.contains(number) { builds[number]?.isOver = true }
        }
    }

    private mutating func pin() throws {
        guard let number = builds.keys.sorted().randomElement(using: &random) else { return }
        let pin = ReleasePin(date: now, actor: "Ada", reason: nil)
        let isPinned = builds[number]?.isPinned == true
        _ = try store.changeRelease(Self.name(number), of: app) {
            $0.pin = isPinned ? nil : pin
        }
        builds[number]?.isPinned = !isPinned
    }

    private mutating func install() throws {
        guard let number = builds.keys.sorted().randomElement(using: &random) else { return }
        let device = Int.random(in: 0..<4, using: &random)
        let isWhole = Int.random(in: 0..<4, using: &random) > 0
        try store.record(
            InstallAttempt(
                app: app,
                release: Self.name(number),
                device: device == 0 ? nil : "\(device)" + String(repeating: "c", count: 23),
                began: now,
                ended: now,
                outcome: isWhole ? .downloaded : .cutShort,
                sent: 1,
            )
        )
        guard isWhole else { return }
        if device == 0 { unknown[number] = now } else { devices[device] = number }
    }
}
