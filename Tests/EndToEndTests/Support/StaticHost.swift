import Cryptography
import Foundation
import Phone
import Sample
import TestSupport
import Testing

/// A web server independent of `ota`, with a folder that `ota publish --export` wrote.
struct StaticHost: Sendable {
    let base: String
    let folder: URL
    /// The exported IPA.
    let bytes: [UInt8]
    /// A phone that trusts the host's authority.
    let phone: SimulatedPhone

    func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path()).sorted()
    }

    /// Python's file server over TLS, which prints its port once it listens.
    private static let script = """
        import http.server, ssl, sys
        Handler = http.server.SimpleHTTPRequestHandler
        Handler.protocol_version = 'HTTP/1.1'
        Handler.extensions_map.update({'.plist': 'text/xml', '.ipa': 'application/octet-stream'})
        Handler.log_message = lambda *a: None
        server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[1])
        server.socket = context.wrap_socket(server.socket, server_side=True)
        print(server.server_port, flush=True)
        server.serve_forever()
        """

    static func run(_ body: (StaticHost) async throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            let web = folder.appending(path: "web")
            try FileManager.default.createDirectory(at: web, withIntermediateDirectories: true)
            let host = try HostIdentity()
            let pem = folder.appending(path: "server.pem")
            try Data(host.pem.utf8).write(to: pem)
            let server = try Program(path: "/usr/bin/python3")
                .start(["-c", script, pem.path()], in: web)
            defer { server.send(SIGKILL) }
            let port = try #require(await server.line())
            let base = "https://127.0.0.1:\(port)"
            let bytes = try await export(to: web, base: base, in: folder)
            let downloads = folder.appending(path: "phone")
            try FileManager.default.createDirectory(
                at: downloads,
                withIntermediateDirectories: true,
            )
            let phone = SimulatedPhone(downloads: downloads, trusting: [host.root])
            try await body(StaticHost(base: base, folder: web, bytes: bytes, phone: phone))
        }
    }

    private static func export(to web: URL, base: String, in folder: URL) async throws -> [UInt8] {
        let authority = try SigningAuthority.cached()
        let anchor = folder.appending(path: "anchor.pem")
        try Data(authority.anchorPEM.utf8).write(to: anchor)
        let ipa = folder.appending(path: "Browsey.ipa")
        try await HeavyWork.run {
            try SampleApps.browsey(by: authority, at: Date()).build(to: ipa.path())
        }
        let outcome = try await #require(Program(built: "ota")).run(
            ["publish", ipa.path(), "--export", web.path(), "--base-url", base]
                + ["--trusted-ca", anchor.path(), "--json"],
            in: folder,
        )
        try #require(outcome.status == 0, "\(outcome.errors)")
        #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "ota-store").path()))
        return Array(try Data(contentsOf: ipa))
    }
}
