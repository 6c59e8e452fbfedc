import Addresses
import Bundles
import Cryptography
import Foundation
import Logging
import NIOSSL
import Notices
import Releases
import Store
import StoreFixtures
import Synchronization
import TestSupport

/// A store with a clock that tests set, and notification services on it.
final class NoticeDesk: Sendable {
    let store: OTAStore
    let folder: URL
    private let time: Mutex<Date>

    init(in folder: URL, at date: Date = StoredRelease().date) throws {
        self.folder = folder
        store = try OTAStore.openOrCreate(at: folder.appending(path: "store").path(), now: date)
        time = Mutex(date)
    }

    static func run(_ body: (NoticeDesk) async throws -> Void) async throws {
        try await withTemporaryFolder { try await body(NoticeDesk(in: $0)) }
    }

    var now: Date { time.withLock { $0 } }

    func set(_ date: Date) { time.withLock { $0 = date } }

    func advance(days: Double) { time.withLock { $0 += days * 86_400 } }

    /// A service in the state of a process that has just started.
    func service(
        settling: TimeInterval = 0,
        policy: DeliveryPolicy = .quick,
        authorities: [NIOSSLCertificate] = [],
        resolver: @escaping NameResolver = { _ in [] },
        random: @escaping @Sendable (Int) -> [UInt8] = randomBytes,
        damage: StoreDamage? = nil,
        mail: MailServer? = nil,
        on other: OTAStore? = nil,
    ) -> NoticeService {
        let store = other ?? store
        let clock: @Sendable () -> Date = { self.now }
        var dependencies = NoticeService.Dependencies(clock: clock)
        dependencies.random = random
        dependencies.damage = { damage }
        dependencies.settling = settling
        dependencies.interval = .milliseconds(10)
        dependencies.links = { (try? BaseURL("https://ota.example.com")).map { Links(base: $0) } }
        return NoticeService(
            store: store,
            follower: ActivityFollower(store: store, interval: .milliseconds(10)),
            dependencies: dependencies,
            policy: policy,
            sender: WebhookSender(
                policy: policy,
                resolver: resolver,
                authorities: authorities,
                clock: clock,
                mail: mail,
            ),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
        )
    }

    @discardableResult
    func addWebhook(
        _ url: String = "https://hooks.example.com/a",
        kind: Webhook.Kind = .json,
        _ prepare: (inout WebhookDraft) -> Void = { _ in },
    ) throws -> Webhook {
        var draft = WebhookDraft(url: url, kind: kind, by: "a test")
        if kind == .json { draft.secret = WebhookSecret(WebhookReceiver.secret) }
        prepare(&draft)
        var made: Webhook?
        try store.changeWebhooks { made = try $0.add(draft, at: now, random: randomBytes) }
        guard let made else { throw NoWebhook() }
        return made
    }

    /// Adds a webhook on this machine, without TLS.
    func addWebhook(at receiver: WebhookReceiver, _ path: String) throws -> Webhook {
        try addWebhook(receiver.url(path)) {
            $0.allowsPrivate = true
            $0.allowsPlain = true
        }
    }

    /// Enrols a device, which every webhook with default filters announces.
    func queueSomething() throws {
        if try store.notices() == NoticeLedger() { try service().announce() }
        try store.record(
            Activity(date: now, actor: "enrolment", event: .deviceEnrolled, subject: "A phone")
        )
        try service().announce()
    }

    /// The notices that a service queues that has just started.
    func announced() throws -> [Notice] {
        let before = Set(try store.notices().outbox.waiting.map(\.identifier))
        try service().announce()
        return try store.notices().outbox.waiting.filter { !before.contains($0.identifier) }
            .map(\.notice)
    }

    /// Makes every attempt that is due, one for each webhook.
    func sendOnce(
        with service: NoticeService
    ) async throws {
        for (delivery, webhook) in try service.take() {
            await service.deliver(delivery, to: webhook)
        }
    }

    struct NoWebhook: Error {}
}

extension DeliveryPolicy {
    /// A policy that gives up soon, for receivers that never respond.
    static var quick: DeliveryPolicy {
        var policy = DeliveryPolicy()
        policy.timeout = .milliseconds(1500)
        policy.connectTimeout = .milliseconds(1000)
        return policy
    }
}
