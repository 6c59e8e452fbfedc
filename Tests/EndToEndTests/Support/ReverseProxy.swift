import Cryptography
import Foundation
import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// nginx in front of the server, under a path, with its own host name and certificate.
struct ReverseProxy: Sendable {
    static let isHere = FileManager.default.isExecutableFile(atPath: "/usr/sbin/nginx")

    let port: Int
    private let host: HostIdentity

    /// The authority that phones have to trust.
    var root: Certificate { host.root }

    /// The base URL with which the server behind it makes links.
    var base: String { "https://127.0.0.1:\(port)/team/ota" }

    /// Chooses a free port; the proxy listens on it once it runs.
    init() throws {
        host = try HostIdentity()
        port = try FreePort.any()
    }

    /// Forwards requests to the server at `upstream` while `body` runs.
    func run(to upstream: Int, in folder: URL, _ body: () async throws -> Void) async throws {
        let pem = folder.appending(path: "proxy.pem")
        try Data(host.pem.utf8).write(to: pem)
        let settings = folder.appending(path: "nginx.conf")
        try Data(self.settings(upstream, in: folder.path()).utf8).write(to: settings)
        let nginx = try Program(path: "/usr/sbin/nginx").start(
            ["-p", folder.path(), "-c", settings.path(), "-e", "nginx-error.log"],
            in: folder,
        )
        defer { nginx.send(SIGTERM) }
        try await eventually(within: .seconds(10), "nginx listens") { FreePort.isTaken(port) }
        try await body()
    }

    private func settings(_ upstream: Int, in folder: String) -> String {
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map { "\($0)_temp_path \(folder)nginx-\($0);" }
            .joined(separator: "\n")
        return """
            daemon off;
            \(getuid() == 0 ? "user root;" : "")
            worker_processes 1;
            pid \(folder)nginx.pid;
            events { worker_connections 256; }
            http {
                access_log off;
                \(temporary)
                server {
                    listen 127.0.0.1:\(port) ssl;
                    ssl_certificate \(folder)proxy.pem;
                    ssl_certificate_key \(folder)proxy.pem;
                    location /team/ota/ {
                        proxy_pass https://127.0.0.1:\(upstream)/;
                        proxy_http_version 1.1;
                        proxy_set_header Host $http_host;
                        proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
                        proxy_buffering off;
                        proxy_request_buffering off;
                    }
                }
            }
            """
    }
}
