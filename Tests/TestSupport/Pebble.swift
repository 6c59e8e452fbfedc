package import Foundation

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A running Pebble, the ACME server with which Let's Encrypt tests clients, in strict mode, and its DNS
/// server, which resolves every name to the loopback address.
package struct Pebble: Sendable {
    private static let programs = ["/usr/bin/pebble", "/usr/bin/pebble-challtestsrv"]

    /// Whether Pebble is installed; `scripts/packages test` installs it.
    package static let isHere = programs.allSatisfy(FileManager.default.isExecutableFile)

    /// The ports on which it validates names, instead of 80 and 443.
    package struct Ports: Sendable {
        package let http: Int
        package let tls: Int

        package init() throws {
            http = try FreePort.any()
            tls = try FreePort.any()
        }

        /// A closed port is one on which nothing listens.
        package init(http: Int, tls: Int) {
            self.http = http
            self.tls = tls
        }
    }

    package struct Unusable: Error {
        let said: String
    }

    /// The URL of its directory.
    package let directory: String
    /// Its own TLS certificate, and the root of the certificates that it issues, as PEM.
    package let anchors: String

    /// Runs Pebble while `body` runs.
    ///
    /// - Parameters:
    ///   - folder: folder for its files.
    ///   - ports: ports on which it expects the server whose names it validates.
    ///   - settings: environment variables, such as `PEBBLE_WFE_NONCEREJECT`.
    ///   - port: port of its directory; nil for any free one.
    ///   - body: is called with the running server.
    /// - Throws: ``Unusable`` if it does not start, and the errors of `body`.
    package static func run(
        in folder: URL,
        proving ports: Ports,
        settings: [String: String] = [:],
        port: Int? = nil,
        _ body: (Pebble) async throws -> Void,
    ) async throws {
        let place = folder.appending(path: "pebble-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        let port = try port ?? FreePort.any()
        let (management, names, control) = try (FreePort.any(), FreePort.any(), FreePort.any())
        let made = try await Program(path: "/usr/bin/openssl").run(
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                "-keyout", "key.pem", "-out", "cert.pem", "-days", "30", "-subj", "/CN=pebble",
                "-addext", "subjectAltName=IP:127.0.0.1",
            ],
            in: place,
        )
        guard made.status == 0 else { throw Unusable(said: made.errors) }
        let configuration = """
            {"pebble": {"listenAddress": "127.0.0.1:\(port)",
            "managementListenAddress": "127.0.0.1:\(management)",
            "certificate": "\(place.path())/cert.pem", "privateKey": "\(place.path())/key.pem",
            "httpPort": \(ports.http), "tlsPort": \(ports.tls), "ocspResponderURL": ""}}
            """
        let file = place.appending(path: "pebble.json")
        try Data(configuration.utf8).write(to: file)
        let dns = try Program(path: programs[1]).start(
            [
                "-dns01", "127.0.0.1:\(names)", "-http01", "", "-https01", "", "-tlsalpn01", "",
                "-management", "127.0.0.1:\(control)", "-defaultIPv4", "127.0.0.1",
                "-defaultIPv6", "",
            ],
            in: place,
            errors: place.appending(path: "dns.log"),
        )
        defer { dns.send(SIGKILL) }
        let log = place.appending(path: "pebble.log")
        let authority = try Program(path: programs[0]).start(
            ["-config", file.path(), "-strict", "-dnsserver", "127.0.0.1:\(names)"],
            environment: ["PEBBLE_VA_NOSLEEP": "1"].merging(settings) { _, new in new },
            in: place,
            errors: log,
        )
        defer { authority.send(SIGKILL) }
        let root = try await root(at: management, in: place)
        guard let root else {
            throw Unusable(said: (try? String(contentsOf: log, encoding: .utf8)) ?? "")
        }
        let own = try String(contentsOf: place.appending(path: "cert.pem"), encoding: .utf8)
        try await body(
            Pebble(directory: "https://127.0.0.1:\(port)/dir", anchors: own + root)
        )
    }

    /// Returns its root certificate as PEM; nil if it does not respond within some seconds.
    private static func root(at port: Int, in folder: URL) async throws -> String? {
        for _ in 0..<300 {
            let answer = try await Program(path: "/usr/bin/curl").run(
                ["-s", "-k", "https://127.0.0.1:\(port)/roots/0"],
                in: folder,
            )
            if answer.status == 0, answer.output.contains("BEGIN CERTIFICATE") {
                return answer.output
            }
            try await Task.sleep(for: .milliseconds(50))
        }
        return nil
    }
}
