import Addresses
import Foundation
import NIOSSL
import Notices
import Synchronization
import TestSupport
import Testing

/// Deliveries go only to the address that was checked and to the intended host.
@Suite(
    .enabled(if: WebhookReceiver.python != nil, "there is no Python"),
    .timeLimit(.minutes(10)),
)
struct DeliveryAddressTests {
    /// A global unicast address that is assigned to no one: 2e00::1.
    private static let nobody = InternetAddress.v6([0x2E] + [UInt8](repeating: 0, count: 14) + [1])

    @Test(arguments: [
        [InternetAddress.v4([127, 0, 0, 1])],
        [.v4([93, 184, 216, 34]), .v4([127, 0, 0, 1])],
        [.v4([169, 254, 169, 254])],
        [.v6([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 127, 0, 0, 1])],
        [],
    ])
    func `a name with an address out of bounds gets nothing`(
        _ addresses: [InternetAddress]
    ) async throws {
        try await NoticeDesk.run { desk in
            try await WebhookReceiver.run(in: desk.folder) { receiver in
                try desk.addWebhook(receiver.url("/ok", host: "lies.test")) {
                    $0.allowsPlain = true
                }
                try desk.queueSomething()
                try await desk.sendOnce(with: desk.service { _ in addresses })
                #expect(try receiver.requests.isEmpty)
                #expect(try desk.store.notices().outbox.waiting.first?.failure != nil)
            }
        }
    }

    @Test func `a name that becomes another address in between is judged anew at every attempt`()
        async throws
    {
        try await NoticeDesk.run { desk in
            try await WebhookReceiver.run(in: desk.folder) { receiver in
                try desk.addWebhook(receiver.url("/ok", host: "rebinding.test")) {
                    $0.allowsPlain = true
                }
                try desk.queueSomething()
                let asked = Mutex(0)
                // The name resolves to a public address at first, and to this machine afterwards.
                let service = desk.service { _ in
                    asked.withLock {
                        $0 += 1
                        return $0 == 1 ? [Self.nobody] : [.v4([127, 0, 0, 1])]
                    }
                }
                try await desk.sendOnce(with: service)
                #expect(asked.withLock { $0 } == 1)
                desk.advance(days: 1)
                try await desk.sendOnce(with: service)
                #expect(asked.withLock { $0 } == 2)
                #expect(try receiver.requests.isEmpty)
                let failure = try desk.store.notices().outbox.waiting.first?.failure
                #expect(failure?.contains("this machine") ?? false, "\(failure ?? "")")
            }
        }
    }

    @Test func `the connection goes to the address that was judged, whatever the system knows`()
        async throws
    {
        try await NoticeDesk.run { desk in
            try await WebhookReceiver.run(in: desk.folder) { receiver in
                try desk.addWebhook(receiver.url("/named", host: "nowhere.invalid")) {
                    $0.allowsPlain = true
                    $0.allowsPrivate = true
                }
                try desk.addWebhook(receiver.url("/system", host: "localhost")) {
                    $0.allowsPlain = true
                }
                try desk.queueSomething()
                // The system resolves localhost to this machine, and does not know the other name.
                try await desk.sendOnce(
                    with: desk.service { name in
                        name == "localhost" ? [Self.nobody] : [.v4([127, 0, 0, 1])]
                    }
                )
                #expect(try receiver.requests.map(\.path) == ["/named"])
            }
        }
    }

    @Test func `the system's resolver finds this machine, and says when there is nobody`()
        async throws
    {
        let resolver = NameResolution.system()
        let found = try await resolver("localhost")
        #expect(!found.isEmpty && found.allSatisfy { $0.scope == .near("this machine") })
        await #expect(throws: NameResolutionFailure.self) {
            try await resolver("nobody.invalid")
        }
    }

    @Test func `over TLS the name counts, not the address`() async throws {
        try await NoticeDesk.run { desk in
            let pair = try await Self.certificate(for: "hooks.test", in: desk.folder)
            let authority = try #require(NIOSSLCertificate.fromPEMFile(pair.chain).first)
            try await WebhookReceiver.run(in: desk.folder, certificate: pair) { receiver in
                for name in ["hooks.test", "other.test"] {
                    try desk.addWebhook(receiver.url("/\(name)", host: name, scheme: "https")) {
                        $0.allowsPrivate = true
                    }
                }
                try desk.queueSomething()
                let resolver: NameResolver = { _ in [.v4([127, 0, 0, 1])] }
                try await desk.sendOnce(
                    with: desk.service(authorities: [authority], resolver: resolver)
                )
                #expect(try receiver.requests.map(\.path) == ["/hooks.test"])
                let host = try receiver.requests.first?.host
                #expect(host == "hooks.test:\(receiver.port)")
                let failed = try #require(desk.store.notices().outbox.waiting.first)
                let told = failed.failure ?? ""
                #expect(told.contains("certificate is for another name"), "\(told)")
                // A server with an untrusted certificate receives nothing.
                try desk.queueSomething()
                try await desk.sendOnce(with: desk.service(resolver: resolver))
                #expect(try receiver.requests.count == 1)
            }
        }
    }

    private static func certificate(
        for name: String,
        in folder: URL,
    ) async throws -> (chain: String, key: String) {
        let chain = folder.appending(path: "chain.pem").path()
        let key = folder.appending(path: "key.pem").path()
        let outcome = try await Program(path: "/usr/bin/openssl").run(
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                "-days", "2", "-subj", "/CN=\(name)", "-addext", "subjectAltName=DNS:\(name)",
                "-keyout", key, "-out", chain,
            ],
            in: folder,
        )
        try #require(outcome.status == 0, "\(outcome.errors)")
        return (chain, key)
    }
}
