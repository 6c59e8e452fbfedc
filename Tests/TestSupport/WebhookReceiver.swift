package import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A real receiver of webhooks in a process of its own, which verifies the signatures independently.
///
/// The first component of the path chooses the response: `/ok`, a status such as `/500`, `/hang`, `/huge`,
/// `/drip`, `/redirect`, `/flaky/2`, `/close`, `/garbage`.
package struct WebhookReceiver: Sendable {
    /// A request as the receiver saw it.
    package struct Request: Decodable, Sendable {
        package let path: String
        package let host: String?
        package let delivery: String?
        package let event: String?
        package let timestamp: String
        package let signature: String?
        /// Whether Python's HMAC is equal to the signature.
        package let verified: Bool
        package let body: String
    }

    /// The receiver could not be started.
    package struct Missing: Error {}

    /// The Python; nil disables the tests that need it.
    package static let python: Program? = ["/usr/bin/python3", "/usr/local/bin/python3"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }.map { Program(path: $0) }

    package static let secret = "0123456789abcdef0123456789abcdef"

    package let port: Int
    private let record: URL

    /// Runs a receiver on a free port while `body` runs; with a certificate, over TLS.
    package static func run<Result>(
        in folder: URL,
        certificate: (chain: String, key: String)? = nil,
        _ body: (WebhookReceiver) async throws -> Result,
    ) async throws -> Result {
        guard let python else { throw Missing() }
        let script = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "receiver.py")
        let record = folder.appending(path: "received-\(UUID().uuidString).jsonl")
        var arguments = [script.path(), record.path(), secret]
        if let certificate { arguments += [certificate.chain, certificate.key] }
        let process = try python.start(arguments, in: folder)
        defer { process.send(SIGKILL) }
        guard let port = await process.line().flatMap({ Int($0) }) else { throw Missing() }
        return try await body(WebhookReceiver(port: port, record: record))
    }

    package var requests: [Request] {
        get throws {
            guard let data = try? Data(contentsOf: record) else { return [] }
            let end = data.lastIndex(of: UInt8(ascii: "\n")) ?? data.startIndex
            return try data[..<end].split(separator: UInt8(ascii: "\n")).map {
                try JSONDecoder().decode(Request.self, from: $0)
            }
        }
    }

    package func url(
        _ path: String,
        host: String = "127.0.0.1",
        scheme: String = "http",
    ) -> String {
        "\(scheme)://\(host):\(port)\(path)"
    }
}
