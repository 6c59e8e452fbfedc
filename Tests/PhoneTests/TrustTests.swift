import Cryptography
import Foundation
import NIOSSL
import Phone
import PropertyLists
import Testing

@Suite(.serialized) struct TrustTests {
    private static func trust(
        _ security: ScriptedServer.Security,
        host: String = "localhost",
        _ change: (inout SimulatedPhone) -> Void = { _ in },
    ) async throws -> Step {
        let site = try TestSite()
        let outcome = try await install(from: site, behind: security, host: host, change)
        #expect(!outcome.attempt.installs)
        #expect(outcome.requests.isEmpty)
        return try #require(outcome.attempt.step(.trust))
    }

    private static func trust(
        _ identity: SigningIdentity,
        sends: [Certificate]? = nil,
        newest: TLSVersion? = nil,
        host: String = "localhost",
        _ change: (inout SimulatedPhone) -> Void = { _ in },
    ) async throws -> Step {
        try await trust(
            .init(identity: identity, sends: sends, newest: newest),
            host: host,
            change,
        )
    }

    private let authority: TestAuthority

    init() throws {
        authority = try TestAuthority.shared.get()
    }

    @Test func `an authority that is not installed is named`() async throws {
        let root = authority.root.certificate
        let server = try authority.server()
        let chain = [server.certificate, authority.intermediate.certificate, root]
        let step = try await Self.trust(server, sends: chain) { $0.authorities = [] }
        #expect(step.faults.map(\.id) == [.untrustedAuthority])
        #expect(step.detail.contains("does not trust the private authority “Phone Tests Root”"))
        #expect(step.shown?.contains("Not Private") == true)
    }

    @Test func `a certificate that signed itself is said to be self-made`() async throws {
        let key = try PrivateKey.generate(.p256)
        let now = Date()
        let template = CertificateTemplate.server(
            [.dns("localhost")],
            serial: [9],
            validity: now.addingTimeInterval(-60)...now.addingTimeInterval(86_400),
        )
        let own = SigningIdentity(certificate: try template.issued(for: key), key: key)
        let step = try await Self.trust(own)
        #expect(step.faults.map(\.id) == [.untrustedAuthority])
        #expect(step.detail.contains("is self-signed"))
    }

    @Test func `a missing intermediate is an incomplete chain`() async throws {
        let server = try authority.server()
        let step = try await Self.trust(server, sends: [server.certificate])
        #expect(step.faults.map(\.id) == [.incompleteChain])
        #expect(step.detail.contains("“Phone Tests Root Intermediate”"))
        #expect(step.fix?.contains("fullchain.pem") == true)
    }

    @Test func `a public certificate without its intermediate is an incomplete chain`() async throws
    {
        let server = try authority.server {
            $0.customExtensions.append(.init("1.3.6.1.5.5.7.1.1", value: [0x30, 0]))
        }
        let step = try await Self.trust(server, sends: [server.certificate]) { $0.authorities = [] }
        #expect(step.faults.map(\.id) == [.incompleteChain])
    }

    @Test func `a private certificate alone is from an authority that is not trusted`() async throws
    {
        let server = try authority.server()
        let step = try await Self.trust(server, sends: [server.certificate]) { $0.authorities = [] }
        #expect(step.faults.map(\.id) == [.untrustedAuthority])
        #expect(step.fix?.contains("incomplete") == true)
    }

    @Test func `an expired certificate is expired`() async throws {
        let step = try await Self.trust(authority.server(days: -30...(-2)))
        #expect(step.faults.map(\.id) == [.expired])
    }

    @Test func `a certificate of tomorrow is not yet valid`() async throws {
        let step = try await Self.trust(authority.server(days: 1...30))
        #expect(step.faults.map(\.id) == [.notYetValid])
    }

    @Test func `another host's certificate names both hosts`() async throws {
        let server = try authority.server { $0.hosts = [.dns("ota.example.com")] }
        let step = try await Self.trust(server)
        #expect(step.faults.map(\.id) == [.wrongHost])
        #expect(step.detail.contains("is for ota.example.com, not for localhost"))
    }

    @Test func `an address among the names does not cover a host name`() async throws {
        let server = try authority.server { $0.hosts = [.address([127, 0, 0, 1])] }
        let step = try await Self.trust(server)
        #expect(step.faults.map(\.id) == [.wrongHost])
    }

    @Test func `a common name alone is no host name`() async throws {
        let server = try authority.server {
            $0.subject = DistinguishedName(commonName: "localhost")
            $0.hosts = []
        }
        let step = try await Self.trust(server)
        #expect(step.faults.map(\.id) == [.noHostNames])
    }

    @Test func `more than 825 days are too many`() async throws {
        let now = Date()
        let server = try authority.server {
            $0.notBefore = now.addingTimeInterval(-60)
            $0.notAfter = now.addingTimeInterval(900 * 86_400)
        }
        let step = try await Self.trust(server)
        #expect(step.faults.map(\.id) == [.tooLongLived])
        #expect(step.detail.contains("900 days"))
    }

    @Test func `825 days are not too many`() async throws {
        let server = try authority.server(days: -1...2_000)
        let outcome = try await install(from: TestSite(), behind: .init(identity: server))
        #expect(outcome.attempt.installs)
    }

    @Test func `a certificate for clients is not for servers`() async throws {
        let server = try authority.server { $0.extendedKeyUsages = ["1.3.6.1.5.5.7.3.2"] }
        let step = try await Self.trust(server)
        #expect(step.faults.map(\.id) == [.notForServers])
    }

    @Test func `a signature with SHA-1 is weak`() async throws {
        let server = try authority.server { $0.digest = .sha1 }
        let step = try await Self.trust(server)
        #expect(step.faults.map(\.id) == [.weakSignature])
    }

    @Test func `TLS 1_1 is old`() async throws {
        let step = try await Self.trust(authority.server(key: .rsa2048), newest: .tlsv11)
        #expect(step.faults.map(\.id) == [.oldTLS])
        #expect(step.detail.contains("TLS 1.1"))
    }

    @Test func `several faults of one certificate are told together`() async throws {
        let server = try authority.server(days: -30...(-2)) { $0.hosts = [.dns("other.example")] }
        let step = try await Self.trust(server, sends: [server.certificate])
        #expect(Set(step.faults.map(\.id)) == [.incompleteChain, .wrongHost, .expired])
    }

    @Test func `in doctor's mode the rest is told too`() async throws {
        var site = try TestSite()
        site.metadata["title"] = .string(" ")
        let identity = try authority.server(days: -30...(-2))
        let outcome = try await install(from: site, behind: .init(identity: identity)) {
            $0.persistence = .reportsEverything
        }
        #expect(outcome.fatal == [.expired, .manifestTitle])
        #expect(!outcome.attempt.installs)
        #expect(outcome.attempt.step(.identity)?.outcome == .passed)
    }

    @Test func `a port where nobody listens is refused`() async throws {
        let phone = SimulatedPhone(downloads: FileManager.default.temporaryDirectory)
        let attempt = await phone.install(from: "https://127.0.0.1:1/")
        #expect(attempt.faults.map(\.id) == [.connectionRefused])
        #expect(attempt.failure?.name == .connection)
        #expect(attempt.failure?.detail.hasSuffix(": connection refused") == true)
    }

    @Test func `a name without an address is unknown`() async throws {
        let phone = SimulatedPhone(downloads: FileManager.default.temporaryDirectory)
        let attempt = await phone.install(from: "https://nowhere.invalid/")
        #expect(attempt.faults.map(\.id) == [.hostUnknown])
    }

    @Test func `a plain server on an https address does not speak TLS`() async throws {
        let site = try TestSite()
        let phone = SimulatedPhone(downloads: FileManager.default.temporaryDirectory)
        let attempt = try await ScriptedServer.running(nil, script: site.script) { _, port in
            await phone.install(from: "https://localhost:\(port)/")
        }
        #expect(attempt.faults.map(\.id) == [.notTLS])
        #expect(attempt.failure?.detail.hasSuffix("TLS connection: wrong version number") == true)
        #expect(attempt.failure?.name == .trust)
    }

    @Test func `every server on the way is judged for itself`() async throws {
        var site = try TestSite()
        site.packageURL = { $0.replacing("localhost", with: "127.0.0.1") + "/app.ipa" }
        let server = try authority.server { $0.hosts = [.dns("localhost")] }
        let outcome = try await install(from: site, behind: .init(identity: server))
        #expect(outcome.fatal == [.wrongHost])
        #expect(outcome.attempt.failure?.shown == "“Cannot connect to 127.0.0.1”")
        #expect(outcome.attempt.step(.trust)?.subject.hasPrefix("127.0.0.1:") == true)
    }
}
