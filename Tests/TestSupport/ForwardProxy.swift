package import Foundation

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A running tinyproxy, which connects clients to servers by `CONNECT`, as a company's proxy does.
package struct ForwardProxy: Sendable {
    private static let program = "/usr/bin/tinyproxy"
    package static let isHere = FileManager.default.isExecutableFile(atPath: program)

    /// Differs from the servers' address, so that the two cannot be confused.
    private static let host = "127.0.0.2"

    /// Host and port, such as `127.0.0.2:8888`.
    package let address: String
    /// The URL, as in the environment variable `https_proxy`.
    package var url: String { "http://\(address)" }
    private let log: URL

    /// The servers to which clients requested a connection, such as `127.0.0.1:8443`.
    package func requests() throws -> [String] {
        try String(contentsOf: log, encoding: .utf8)
            .matches(of: /: CONNECT (\S+) HTTP/).map { String($0.output.1) }
    }

    /// Runs a proxy while `body` runs.
    ///
    /// - Parameters:
    ///   - folder: folder for its files.
    ///   - account: name and password that it requires, separated by a space; nil for none.
    ///   - server: the only port to which it lets clients connect; nil for all.
    ///   - body: is called with the running proxy.
    /// - Throws: ``NoProxy`` if it does not start, and the errors of `body`.
    package static func run(
        in folder: URL,
        for account: String? = nil,
        to server: Int? = nil,
        _ body: (ForwardProxy) async throws -> Void,
    ) async throws {
        let port = try FreePort.any()
        let log = folder.appending(path: "tinyproxy-\(port).log")
        let settings = folder.appending(path: "tinyproxy-\(port).conf")
        let lines = [
            "Port \(port)", "Listen \(host)", "Timeout 60", "MaxClients 50",
            "LogFile \"\(log.path())\"", "LogLevel Info",
            account.map { "BasicAuth \($0)" }, server.map { "ConnectPort \($0)" },
        ]
        let text = lines.compactMap(\.self).joined(separator: "\n") + "\n"
        try Data(text.utf8).write(to: settings)
        let errors = folder.appending(path: "tinyproxy-\(port).errors")
        let process = try Program(path: program).start(
            ["-d", "-c", settings.path()],
            in: folder,
            errors: errors,
        )
        // On SIGTERM, it would wait for its connections to end.
        defer { process.send(SIGKILL) }
        for _ in 0..<500 {
            let said = try? String(contentsOf: log, encoding: .utf8)
            if said?.contains("Accepting connections") == true {
                return try await body(ForwardProxy(address: "\(host):\(port)", log: log))
            }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw NoProxy(errors: (try? String(contentsOf: errors, encoding: .utf8)) ?? "")
    }

    package struct NoProxy: Error {
        let errors: String
    }
}
