package import Foundation

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// tinyproxy, which leads clients to servers by `CONNECT` as a company's proxy does.
package struct ForwardProxy: Sendable {
    private static let program = "/usr/bin/tinyproxy"
    package static let isHere = FileManager.default.isExecutableFile(atPath: program)

    /// Another address than that of the servers, so that neither is taken for the other.
    private static let host = "127.0.0.2"

    /// As in `127.0.0.2:8888`.
    package let address: String
    /// As variables of the environment have it.
    package var url: String { "http://\(address)" }
    private let log: URL

    /// The servers that it was asked for, as in `127.0.0.1:8443`.
    package func requests() throws -> [String] {
        try String(contentsOf: log, encoding: .utf8)
            .matches(of: /: CONNECT (\S+) HTTP/).map { String($0.output.1) }
    }

    /// Runs it while `body` does.
    ///
    /// - Parameters:
    ///   - folder: where its files are.
    ///   - account: the name and password that it wants, if any, with a space between them.
    ///   - server: the one port that it lets clients connect to; nil for all.
    ///   - body: what is done meanwhile.
    /// - Throws: ``NoProxy`` when it does not start, and what `body` throws.
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
        // It waits for its connections when it is asked to end.
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
