import Foundation
import Notices
import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A real receiver of webhooks in a process of its own.
final class Receiver: Sendable {
    /// One request as the receiver saw it.
    struct Request: Decodable, Sendable {
        let path: String
        let host: String?
        let delivery: String?
        let event: String?
        let timestamp: String
        let signature: String?
        /// Whether Python's HMAC comes to the same.
        let verified: Bool
        let body: String
    }

    /// Nil leaves the tests out that need it.
    static let python: Program? = ["/usr/bin/python3", "/usr/local/bin/python3"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }.map { Program(path: $0) }

    static let secret = "0123456789abcdef0123456789abcdef"

    let port: Int
    private let record: URL
    private let process: RunningProgram

    private init(port: Int, record: URL, process: RunningProgram) {
        self.port = port
        self.record = record
        self.process = process
    }

    /// Listens on a free port of this machine while `body` runs; over TLS with a certificate.
    static func run<Result>(
        in folder: URL,
        certificate: (chain: String, key: String)? = nil,
        _ body: (Receiver) async throws -> Result,
    ) async throws -> Result {
        let script = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "receiver.py")
        let record = folder.appending(path: "received-\(UUID().uuidString).jsonl")
        var arguments = [script.path(), record.path(), secret]
        if let certificate { arguments += [certificate.chain, certificate.key] }
        let process = try #require(python).start(arguments, in: folder)
        defer { process.send(SIGKILL) }
        let port = try #require(await process.line().flatMap { Int($0) })
        return try await body(Receiver(port: port, record: record, process: process))
    }

    var requests: [Request] {
        get throws {
            guard let data = try? Data(contentsOf: record) else { return [] }
            return try data.split(separator: UInt8(ascii: "\n")).map {
                try JSONDecoder().decode(Request.self, from: $0)
            }
        }
    }

    func url(_ path: String, host: String = "127.0.0.1", scheme: String = "http") -> String {
        "\(scheme)://\(host):\(port)\(path)"
    }
}
