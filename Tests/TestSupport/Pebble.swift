package import Foundation

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Pebble, the ACME server that Let's Encrypt tests clients with, in its strict mode, beside its DNS server,
/// which gives every name the loopback address.
package struct Pebble: Sendable {
    private static let programs = ["/usr/bin/pebble", "/usr/bin/pebble-challtestsrv"]

    /// Whether the tests that need it can run; `scripts/packages test` installs it.
    package static let isHere = programs.allSatisfy(FileManager.default.isExecutableFile)

    /// The ports that it proves names on, in place of 80 and 443.
    package struct Ports: Sendable {
        package let http: Int
        package let tls: Int

        package init() throws {
            http = try FreePort.any()
            tls = try FreePort.any()
        }

        /// Ports that nobody listens on are closed doors.
        package init(http: Int, tls: Int) {
            self.http = http
            self.tls = tls
        }
    }

    package struct Unusable: Error {
        let said: String
    }

    /// The address of its directory.
    package let directory: String
    /// Its own certificate, and the root of what it issues, as PEM.
    package let anchors: String

    /// Runs it while `body` does.
    ///
    /// - Parameters:
    ///   - folder: where its files are.
    ///   - ports: where it looks for the server whose names are proven.
    ///   - settings: variables of its environment, such as `PEBBLE_WFE_NONCEREJECT`.
    ///   - port: of its directory; nil for any free one.
    ///   - body: what is done meanwhile.
    /// - Throws: ``Unusable`` when it does not start, and what `body` throws.
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

    /// What it issues below; nil when it does not answer within some seconds.
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
