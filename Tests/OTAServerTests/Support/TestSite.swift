import Access
import Bundles
import Cryptography
import Foundation
import HTTPServing
import Identifiers
import Inspection
import OTAServer
import Pages
import Releases
import Store
import Synchronization
import TestSupport

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A running server on free ports, with one release in its store.
struct TestSite: Sendable {
    let store: OTAStore
    let addresses: ServerAddresses
    let release: Release
    let archive: [UInt8]
    let folder: URL
    let clock: TestClock
    /// The file to which the server writes its log.
    let log: URL
    let stop: StopSignal
    let trust = SiteTrust()
    /// The server's own view of the store, which caches values for a moment.
    private let served: OTAStore
    let answers: ResponseCache

    var port: Int { addresses.port }
    var plainPort: Int { addresses.plainPort ?? 0 }

    /// Runs a server while `body` runs; `wrap` wraps the back end of its store.
    static func run(
        archiveSize: Int = 300_000,
        over wrap: (any Backend) -> any Backend = { $0 },
        configure: (inout ServerConfiguration, URL) throws -> Void = { _, _ in },
        _ body: @Sendable @escaping (TestSite) async throws -> Void,
    ) async throws {
        try await withTemporaryFolder { folder in
            let created = try OTAStore.openOrCreate(
                at: folder.appending(path: "store").path(),
                now: Date(),
            )
            // Without an interval, changes by the server are seen at once.
            let store = OTAStore(backend: created.backend, interval: .zero)
            let archive = bytes(count: archiveSize)
            let release = try publish(archive, into: store)
            let log = folder.appending(path: "log")
            let descriptor = unsafe open(log.path(), O_WRONLY | O_CREAT | O_APPEND, 0o600)
            defer { close(descriptor) }
            let clock = TestClock()
            var configuration = ServerConfiguration(assets: try Assets())
            configuration.port = 0
            configuration.plainPort = 0
            configuration.clock = { clock.now }
            configuration.log = LogSink(descriptor: descriptor)
            try configure(&configuration, folder)
            let served = OTAStore(backend: wrap(store.backend))
            let answers = configuration.answers
            let server = WebServer(configuration, store: served)
            let stop = StopSignal()
            let (ready, opened) = AsyncStream.makeStream(of: ServerAddresses.self)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    defer { opened.finish() }
                    try await server.run(until: stop) { opened.yield($0) }
                }
                var waiting = ready.makeAsyncIterator()
                if let addresses = await waiting.next() {
                    let site = TestSite(
                        store: store,
                        addresses: addresses,
                        release: release,
                        archive: archive,
                        folder: folder,
                        clock: clock,
                        log: log,
                        stop: stop,
                        served: served,
                        answers: answers,
                    )
                    do {
                        try await body(site)
                    } catch {
                        stop.stop()
                        throw error
                    }
                }
                stop.stop()
                try await group.waitForAll()
            }
        }
    }

    /// Bytes that differ from their neighbours at any relevant distance, so that a shifted range is detected:
    /// a random block of odd length, repeated.
    static func bytes(count: Int) -> [UInt8] {
        var generator = SeededGenerator(seed: 7)
        let block = (0..<65_537).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        while bytes.count < count { bytes += block.prefix(count - bytes.count) }
        return bytes
    }

    @discardableResult
    static func publish(
        _ archive: [UInt8],
        into store: OTAStore,
        of app: String = "com.example.demo",
        version: String = "1.2.0",
        build: String = "34",
        for devices: [DeviceUDID]? = nil,
        channel: ChannelName = .stable,
        until end: Date? = nil,
        replace: Bool = false,
        at date: Date = Date(),
        profileDays: Int = 100,
    ) throws -> Release {
        guard let identifier = BundleIdentifier(app) else { throw Unusable() }
        let digest = try store.put(archive)
        let icon = try store.put(Array("not really a picture".utf8))
        let report = InspectionReport(
            identity: AppIdentity(
                bundleIdentifier: identifier,
                name: "Demo & Co",
                version: version,
                build: build,
                minimumOS: "15.0",
                families: ["iphone"],
                size: archive.count,
                sha256: digest,
                path: "Payload/Demo.app",
            ),
            profile: devices.map {
                profile(of: identifier, listing: $0, until: date + Double(profileDays) * 86_400)
            },
            nested: [],
            findings: [],
            inspected: Date(),
            installsUntil: nil,
        )
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        let release = Release(
            report: report,
            identity: .init(
                bundleIdentifier: identifier,
                name: "Demo & Co",
                version: version,
                build: build,
                families: [.phone],
            ),
            artifact: .init(
                sha256: digest,
                size: archive.count,
                chunks: .init(size: archive.count, digests: [digest]),
                icons: .init(small: icon, large: icon),
                report: try store.put(Array(try encoder.encode(report))),
            ),
            publication: .init(date: date, publisher: "test", channel: channel),
        )
        return try store.publish(release, report: report, replace: replace, until: end).release
    }

    private static func profile(
        of app: BundleIdentifier,
        listing devices: [DeviceUDID],
        until end: Date,
    ) -> ProfileSummary {
        ProfileSummary(
            uuid: "11111111-2222-3333-4444-555555555555",
            name: "Demo Ad Hoc",
            type: .adHoc,
            team: "ABCDE12345",
            teamName: "Example",
            applicationIdentifier: "ABCDE12345.\(app)",
            created: Date(),
            expires: end,
            devices: devices,
            trust: .apple,
            certificates: [],
        )
    }

    struct Unusable: Error {}

    /// The metrics, as a collector with its own token gets them.
    func metrics() async throws -> String {
        let token = try AdminClient.token(in: store, [Scope(.read)])
        let fields = ["Authorization": "Bearer \(token)"]
        return try await WireClient.get(self, "/metrics", fields: fields).text
    }

    /// The value of a metric.
    func metric(_ name: String) async throws -> Int? {
        try await metrics().split(separator: "\n").first { $0.hasPrefix(name + " ") }
            .flatMap { Int($0.dropFirst(name.count + 1)) }
    }

    /// Lets the server see at once what a test has changed in the store.
    ///
    /// By itself it checks again when its cached values are old, within half a second.
    func settle() {
        served.forgetValues()
        answers.forgetKept()
    }

    /// The log, once it has been written.
    func logText() async throws -> String {
        try await Task.sleep(for: .milliseconds(500))
        return try String(contentsOf: log, encoding: .utf8)
    }
}

/// A clock that a test advances.
final class TestClock: Sendable {
    private let state = Mutex((offset: 0.0, held: Date?.none))

    var now: Date {
        state.withLock { $0.held ?? Date(timeIntervalSinceNow: $0.offset) }
    }

    func advance(by seconds: Double) {
        state.withLock { state in
            state.offset += seconds
            state.held = state.held?.addingTimeInterval(seconds)
        }
    }

    /// Stops the clock at a whole second; only a test advances it from now on.
    func hold() {
        state.withLock { state in
            let now = Date(timeIntervalSinceNow: state.offset).timeIntervalSince1970
            state.held = Date(timeIntervalSince1970: now.rounded(.down))
        }
    }
}
