import ACME
import Cryptography
import Foundation
import HTTPCalling
import HTTPServing
import NIOSSL
import OTAServer
import Releases
import Store
import TestSupport

/// A server that gets its certificate from Pebble.
struct ACMESite: Sendable {
    static let host = "ota.example.test"
    static let other = "builds.example.test"

    let site: TestSite
    let settings: ACMESettings

    /// Runs Pebble and a server.
    ///
    /// - Parameters:
    ///   - pebble: environment variables of Pebble.
    ///   - asked: the ports on which Pebble validates names; nil for the server's own.
    ///   - hasPlainPort: whether the server listens on the plain port.
    ///   - wrap: wraps the transport between the server and Pebble.
    ///   - body: is called with the running site.
    /// - Throws: the errors of `body`.
    static func run(
        pebble: [String: String] = [:],
        asked: Pebble.Ports? = nil,
        hasPlainPort: Bool = true,
        through wrap: @Sendable @escaping (any CallTransport) -> any CallTransport = { $0 },
        _ body: @Sendable @escaping (ACMESite) async throws -> Void,
    ) async throws {
        try await withTemporaryFolder { folder in
            let ports = try Pebble.Ports()
            try await Pebble.run(in: folder, proving: asked ?? ports, settings: pebble) { pebble in
                let settings = try self.settings(pebble, through: wrap)
                try await TestSite.run(configure: { configuration, _ in
                    configuration.port = ports.tls
                    configuration.plainPort = hasPlainPort ? ports.http : nil
                    configuration.baseURL = try BaseURL("https://\(host)")
                    configuration.otherHosts = [other, "127.0.0.1", "localhost"]
                    configuration.acme = settings
                }) { site in
                    try await body(ACMESite(site: site, settings: settings))
                }
            }
        }
    }

    static func settings(
        _ pebble: Pebble,
        through wrap: (any CallTransport) -> any CallTransport = { $0 },
    ) throws -> ACMESettings {
        let anchors = try Certificate.chain(pem: pebble.anchors)
        var settings = ACMESettings(
            directory: try ACMEDirectoryAddress(pebble.directory),
            email: "ops@example.com",
            anchors: anchors,
        )
        settings.look = .milliseconds(20)
        settings.transport = wrap(try CallClient(authorities: anchors))
        return settings
    }

    /// Whether a phone that trusts only Pebble's root accepts the server's certificate.
    func seen() async throws -> Bool {
        do {
            return try await request("/healthz", for: Self.host) == 200
        } catch {
            return false
        }
    }

    func request(_ path: String, for host: String) async throws -> Int {
        try await WireClient.connect(site.port, tls: try context(), name: host) { client in
            try await client.request("GET", path, ["Host": host]).status
        }
    }

    func context() throws -> NIOSSLContext {
        var client = TLSConfiguration.makeClientConfiguration()
        client.curves = [.secp256r1]
        client.trustRoots = .certificates(
            try settings.anchors.map { try NIOSSLCertificate(bytes: $0.der, format: .der) }
        )
        return try NIOSSLContext(configuration: client)
    }

    /// Waits until a condition is true.
    func waits(for condition: () async throws -> Bool) async throws -> Bool {
        for _ in 0..<2400 {
            if try await condition() { return true }
            try await Task.sleep(for: .milliseconds(50))
        }
        return false
    }

    /// The certificate in the store.
    func kept() throws -> Certificate? {
        try site.store.secret("acme-certificate.pem").flatMap {
            try Certificate.chain(pem: $0).first
        }
    }

    func record() throws -> ACMERecord {
        try ACMEKeeper(site.store, for: settings.directory).record()
    }
}
