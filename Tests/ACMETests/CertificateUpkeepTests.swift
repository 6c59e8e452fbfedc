@testable import ACME
import Cryptography
import Essentials
import HTTPCalling
@testable import HTTPServing
import Store
import Synchronization
import TestSupport
import Testing

/// When the upkeep of a certificate does what, with a scripted authority.
struct CertificateUpkeepTests {
    private static let begin = Date(timeIntervalSince1970: 1_800_000_000)

    /// A server's upkeep, its clock and its messages.
    private final class Desk: Sendable {
        let store: OTAStore
        let time = Mutex(CertificateUpkeepTests.begin)
        let failures = Mutex<[ACMETrouble]>([])
        let stuck = Mutex<[String]>([])

        init(in folder: URL) throws {
            store = try OTAStore.openOrCreate(
                at: folder.appending(path: "store").path(),
                now: CertificateUpkeepTests.begin,
            )
        }

        func upkeep(
            _ transport: Scripted,
            under lease: @escaping @Sendable () -> (any WorkLease)? = { LastingLease() },
        ) throws -> CertificateUpkeep {
            CertificateUpkeep(
                try settings(),
                for: ["ota.example.test"],
                in: store,
                proofs: ACMEProofs(over: ChallengeCertificates(), hasPlainPort: true),
                through: transport,
                timing: CallTiming(
                    now: { self.time.withLock { $0 } },
                    sleep: { _ in },
                    random: { 0 },
                ),
                using: nil,
                under: lease,
            ) { news in
                switch news {
                case .failed(let trouble): self.failures.withLock { $0.append(trouble) }
                case .stuck(let error): self.stuck.withLock { $0.append("\(error)") }
                case .replaced: break
                }
            }
        }

        func settings() throws -> ACMESettings {
            ACMESettings(
                directory: try ACMEDirectoryAddress("https://a.example/dir"),
                email: "ops@example.com",
            )
        }

        var keeper: ACMEKeeper {
            get throws { ACMEKeeper(store, for: try settings().directory) }
        }
    }

    @Test func `an authority that asks to wait is not asked before, not even after a restart`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let desk = try Desk(in: folder)
            let busy = Scripted.authority { _ in (503, ["retry-after": "7200"], "") }
            let due = try await desk.upkeep(busy).step()
            #expect(due == Self.begin.addingTimeInterval(7200))
            let first = try #require(desk.failures.withLock { $0 }.first)
            #expect(first.failures.first?.id == "acme.unavailable")
            #expect(first.failures.first?.message.contains("503 and asks to wait until") == true)
            // A restarted server says at once why there is no certificate, and sends no requests.
            desk.time.withLock { $0 += 1000 }
            let silent = Scripted.authority { _ in (500, [:], "") }
            let again = try await desk.upkeep(silent).step()
            #expect(again == due)
            #expect(silent.asked.isEmpty)
            #expect(desk.failures.withLock { $0 } == [first, first])
            desk.time.withLock { $0 = due }
            _ = try await desk.upkeep(silent).step()
            #expect(!silent.asked.isEmpty)
        }
    }

    @Test func `a start makes a long wait shorter that nobody asked for`() async throws {
        try await withTemporaryFolder { folder in
            let desk = try Desk(in: folder)
            let broken = Scripted.authority { _ in (500, [:], "") }
            let upkeep = try desk.upkeep(broken)
            var due = await upkeep.step()
            for _ in 1...5 {
                desk.time.withLock { $0 = due }
                due = await upkeep.step()
            }
            let last = desk.time.withLock { $0 }
            // Half an hour after the second failure, and twice as long after each further one.
            #expect(due.timeIntervalSince(last) == 28_800)
            #expect(try desk.keeper.record().trouble?.attempts == 6)
            #expect(await upkeep.step() == due)
            #expect(try await desk.upkeep(broken).step() == last.addingTimeInterval(900))
        }
    }

    @Test func `a server without the lease asks no authority`() async throws {
        try await withTemporaryFolder { folder in
            let desk = try Desk(in: folder)
            let broken = Scripted.authority { _ in (500, [:], "") }
            let other = try desk.upkeep(broken) { nil }
            #expect(await other.step() == Self.begin.addingTimeInterval(10))
            #expect(broken.asked.isEmpty)
            #expect(desk.failures.withLock { $0 }.isEmpty)
            // A failure of the server with the lease is reported by the other one too, once.
            _ = try await desk.upkeep(broken).step()
            _ = await other.step()
            _ = await other.step()
            #expect(desk.failures.withLock { $0 }.count == 2)
        }
    }

    @Test func `who loses the lease during an order writes nothing any longer`() async throws {
        final class Lost: WorkLease {
            var isHeld: Bool { false }
        }
        try await withTemporaryFolder { folder in
            let desk = try Desk(in: folder)
            let authority = Scripted.authority { address in
                (201, ["location": address + "/1"], #"{"status": "valid"}"#)
            }
            let due = try await desk.upkeep(authority) { Lost() }.step()
            #expect(authority.asked.contains("https://a.example/acct"))
            #expect(due == Self.begin.addingTimeInterval(10))
            #expect(try desk.keeper.record().account == nil)
            #expect(desk.failures.withLock { $0 }.isEmpty && desk.stuck.withLock { $0 }.isEmpty)
            // The same response counts for the server that has the lease.
            _ = try await desk.upkeep(authority).step()
            #expect(try desk.keeper.record().account == "https://a.example/acct/1")
        }
    }

    @Test func `a name that was not ordered is not proven`() async throws {
        try await withTemporaryFolder { folder in
            let desk = try Desk(in: folder)
            let authority = Scripted.authority { address in
                switch address {
                case "https://a.example/acct": (201, ["location": address + "/1"], "{}")
                case "https://a.example/order":
                    (
                        201, ["location": address + "/1"],
                        #"""
                        {"status": "pending", "authorizations": ["https://a.example/authz"],
                        "finalize": "https://a.example/final"}
                        """#,
                    )
                default:
                    (
                        200, [:],
                        #"""
                        {"status": "pending", "identifier": {"type": "dns", "value": "b.example"},
                        "challenges": []}
                        """#,
                    )
                }
            }
            _ = try await desk.upkeep(authority).step()
            let failure = try #require(try desk.keeper.record().trouble?.failures.first)
            #expect(failure.id == "acme.unreadable")
            #expect(failure.message.contains("it asks for a proof of “b.example”"))
        }
    }

    @Test func `a kept certificate is used while a further name is asked for`() async throws {
        try await withTemporaryFolder { folder in
            let desk = try Desk(in: folder)
            let validity = Self.begin...Self.begin.addingTimeInterval(90 * 86_400)
            let (key, rootKey) = (try PrivateKey.generate(.p256), try PrivateKey.generate(.p256))
            let root = try CertificateTemplate.authority(
                DistinguishedName(commonName: "A root"),
                serial: CertificateTemplate.randomSerial(),
                validity: validity,
                pathLength: 0,
            ).issued(for: rootKey)
            let leaf = try CertificateTemplate.server(
                [.dns("ota.example.test")],
                serial: CertificateTemplate.randomSerial(),
                validity: validity,
            ).issued(for: key, by: SigningIdentity(certificate: root, key: rootKey))
            try desk.keeper.keep(ServerIdentity(chain: [leaf, root], key: key))
            func kept(for host: String, after days: Double) throws -> Certificate? {
                try CertificateUpkeep.keptIdentity(
                    for: host,
                    in: desk.store,
                    try desk.settings(),
                    at: Self.begin.addingTimeInterval(days * 86_400),
                )?.chain.first
            }
            #expect(try kept(for: "ota.example.test", after: 1) == leaf)
            #expect(try kept(for: "builds.example.test", after: 1) == nil)
            #expect(try kept(for: "ota.example.test", after: 91) == nil)
        }
    }
}
