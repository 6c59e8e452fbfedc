import Cryptography
import Foundation
import HTTPServing
import NIOSSL
import OTAServer
import Releases
import Store
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct CertificateTests {
    @Test func `the development authority is made once and kept for the owner`() async throws {
        try await TestSite.run { site in
            let path = site.folder.appending(path: "store/keys/development-authority.pem").path()
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            #expect(try await WireClient.get(site, "/healthz").status == 200)
        }
    }

    @Test func `each fault of an own certificate is named at the start`() async throws {
        let authority = try OwnAuthority()
        let good = try authority.identity()
        let other = try PrivateKey.generate(.p256)
        let expired = try authority.identity(days: -30...(-1))
        let early = try authority.identity(days: 1...30)
        let elsewhere = try authority.identity(for: ["example.org", "*.example.com"])
        let cases: [([Certificate], PrivateKey, String)] = [
            (authority.chain(good), other, "certificate.key-mismatch"),
            ([good.certificate], good.key, "certificate.incomplete-chain"),
            ([good.certificate, authority.root.certificate], good.key, "certificate.wrong-order"),
            (authority.chain(good).reversed(), authority.root.key, "certificate.wrong-order"),
            (authority.chain(expired), expired.key, "certificate.expired"),
            (authority.chain(early), early.key, "certificate.not-yet-valid"),
            (authority.chain(elsewhere), elsewhere.key, "certificate.wrong-host"),
            ([], good.key, "certificate.none"),
        ]
        for (chain, key, id) in cases {
            let found = try await problem { try $0.write(chain, key) }
            #expect(found == id)
        }
        #expect(try await problem { _ in } == "certificate.unreadable")
        let half = String(authority.chain(good).pem.dropLast(400))
        let malformed = try await problem { files in
            try files.write([], good.key)
            try files.replace("chain.pem", half)
        }
        #expect(malformed == "certificate.malformed")
    }

    private func problem(_ write: @Sendable (OwnFiles) throws -> Void) async throws -> String? {
        do {
            try await TestSite.run(configure: { configuration, folder in
                let files = OwnFiles(folder: folder)
                try write(files)
                configuration.certificate = files.files
                configuration.baseURL = try BaseURL("https://localhost:8443")
            }) { _ in }
            return nil
        } catch let problem as CertificateProblem {
            return problem.id
        }
    }

    @Test func `certificates are exchanged under load without a failed request`() async throws {
        let authority = try OwnAuthority()
        let first = try authority.identity()
        try await TestSite.run(configure: { configuration, folder in
            let files = OwnFiles(folder: folder)
            try files.write(authority.chain(first), first.key)
            configuration.certificate = files.files
            configuration.baseURL = try BaseURL("https://localhost:8443")
        }) { site in
            let files = OwnFiles(folder: site.folder)
            var client = TLSConfiguration.makeClientConfiguration()
            client.trustRoots = .certificates([
                try NIOSSLCertificate(bytes: authority.root.certificate.der, format: .der)
            ])
            let tls = try NIOSSLContext(configuration: client)
            let load = Load()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 { group.addTask { try await load.run(on: site, tls) } }
                for _ in 0..<3 {
                    let next = try authority.identity()
                    try files.replace("chain.pem", authority.chain(next).pem)
                    // For a while the key does not match the certificate, and for another the key is
                    // truncated.
                    try await Task.sleep(for: .milliseconds(1200))
                    try files.replace("key.pem", String(next.key.pem.prefix(60)))
                    try await Task.sleep(for: .milliseconds(1200))
                    try files.replace("key.pem", next.key.pem)
                    try await Task.sleep(for: .milliseconds(1200))
                }
                load.end()
                try await group.waitForAll()
            }
            #expect(load.count > 50)
            let log = try await site.logText()
            #expect(log.components(separatedBy: "event=\"certificate replaced\"").count == 4)
            #expect(log.contains("the old one stays in use"))
        }
    }
}

/// Clients that keep opening new connections.
private final class Load: Sendable {
    private let state = Mutex((isOver: false, count: 0))

    var count: Int { state.withLock(\.count) }

    func end() {
        state.withLock { $0.isOver = true }
    }

    func run(on site: TestSite, _ tls: NIOSSLContext) async throws {
        while !state.withLock(\.isOver) {
            try await WireClient.connect(site.port, tls: tls) { client in
                for _ in 0..<3 {
                    let response = try await client.request("GET", "/apps/demo-co")
                    #expect(response.status == 200)
                    #expect(response.fields["strict-transport-security"] != nil)
                    state.withLock { $0.count += 1 }
                }
            }
        }
    }
}
