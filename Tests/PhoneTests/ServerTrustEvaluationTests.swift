import Cryptography
import Foundation
import Testing

@testable import Phone

/// Apple's rules for server certificates, evaluated without a connection.
@Suite struct ServerTrustEvaluationTests {
    private let authority: TestAuthority

    init() throws {
        authority = try TestAuthority.shared.get()
    }

    private func faults(
        _ server: SigningIdentity,
        host: String = "https://localhost/",
        sent: [Certificate]? = nil,
        isPublic: Bool = false,
        at date: Date = Date(),
    ) throws -> [FaultID] {
        let root = [authority.root.certificate]
        let trust = ServerTrustEvaluation(
            address: try #require(WebAddress(host)),
            roots: TrustedRoots(installed: isPublic ? [] : root, system: isPublic ? root : []),
            now: date,
            screen: .vanishes,
        )
        let handshake = Handshake(
            certificates: sent ?? [server.certificate] + server.chain,
            version: "TLS 1.3",
            isModern: true,
            remoteAddress: nil,
        )
        return trust.judge(handshake).faults.map(\.id)
    }

    @Test func `below a public authority 398 days are the most`() throws {
        let long = try authority.server(days: -1...399)
        #expect(try faults(long) == [])
        #expect(try faults(long, isPublic: true) == [.tooLongLived])
        #expect(try faults(authority.server(days: -1...397), isPublic: true) == [])
    }

    @Test(
        arguments: [
            ("*.example.com", "a.example.com", true), ("*.example.com", "example.com", false),
            ("*.example.com", "a.b.example.com", false), ("*.com", "example.com", false),
            ("EXAMPLE.com", "example.COM", true), ("a*.example.com", "ab.example.com", false),
            ("10.0.0.1", "10.0.0.1", true), ("10.0.0.1", "10.0.0.2", false),
            ("::1", "[::1]", true), ("*", "localhost", false),
        ]
    )
    func `a name covers what RFC 6125 says`(name: String, host: String, covers: Bool) throws {
        let server = try authority.server { $0.hosts = [AlternativeName(name)] }
        #expect(try faults(server, host: "https://\(host)/") == (covers ? [] : [.wrongHost]))
    }

    @Test func `the order of what is sent does not matter, nor what does not belong`() throws {
        let server = try authority.server()
        let stranger = try TestAuthority("Stranger")
        let sent = [
            server.certificate, stranger.root.certificate, stranger.intermediate.certificate,
            authority.root.certificate, authority.intermediate.certificate, server.certificate,
        ]
        #expect(try faults(server, sent: sent) == [])
        #expect(try faults(server, sent: []) == [.refusedChain])
    }

    @Test func `an authority of the same name does not help`() throws {
        let twin = try TestAuthority("Phone Tests Root")
        #expect(try faults(twin.server()) == [.untrustedAuthority])
    }

    @Test func `dates are judged at the phone's date`() throws {
        let server = try authority.server(days: -1...30)
        let later = Date().addingTimeInterval(40 * 86_400)
        #expect(try faults(server, at: later) == [.expired])
    }

    @Test(
        arguments: [
            (KeyKind.rsa(bits: 1_024), true), (.rsa(bits: 2_048), false),
            (.ellipticCurve("P-256"), false), (.ellipticCurve("P-224"), true),
            (.other("ED25519"), true),
        ]
    )
    func `keys under RSA 2048 and P-256 are weak`(kind: KeyKind, isWeak: Bool) {
        #expect(kind.isTooWeakForServers == isWeak)
    }
}
