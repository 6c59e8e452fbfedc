package import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A real mail server in a process of its own, or one that misbehaves; see `mailserver.py`.
package struct MailReceiver: Sendable {
    /// A message as the server received it; from a misbehaving server, a line that it received.
    package struct Message: Decodable, Sendable {
        package let from: String
        package let to: [String]
        package let content: String
        package let tls: Bool
        package let authenticated: Bool?
    }

    /// The server could not be started.
    package struct Missing: Error {}

    /// The Python with aiosmtpd; nil disables the tests that need it.
    package static let python: Program? = {
        let path = URL(filePath: #filePath).appending(path: "../../../.build/tools/bin/python")
            .standardizedFileURL.path()
        let package = URL(filePath: #filePath).appending(path: "../../../.build/tools/bin/aiosmtpd")
            .standardizedFileURL.path()
        return FileManager.default.isExecutableFile(atPath: package) ? Program(path: path) : nil
    }()

    package static let user = "ota"
    package static let password = "a secret wörd"
    /// A loopback address that counts as another machine's.
    package static let host = "127.0.0.2"

    package let port: Int
    private let record: URL

    /// Runs a mail server on a free port while `body` runs.
    ///
    /// - Parameters:
    ///   - folder: folder for the received messages.
    ///   - mode: how the server behaves.
    ///   - host: address to listen on.
    ///   - body: is called with the running server.
    /// - Returns: what `body` returns.
    /// - Throws: ``Missing``, and the errors of `body`.
    package static func run<Result>(
        in folder: URL,
        mode: String,
        host: String = host,
        _ body: (MailReceiver) async throws -> Result,
    ) async throws -> Result {
        guard let python else { throw Missing() }
        let script = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "mailserver.py")
        let record = folder.appending(path: "mails-\(UUID().uuidString).jsonl")
        try await makeCertificate(in: folder)
        let process = try python.start(
            [
                script.path(), record.path(), mode, host,
                folder.appending(path: "mail.pem").path(),
                folder.appending(path: "mail.key").path(),
            ],
            in: folder,
        )
        defer { process.send(SIGKILL) }
        guard let port = await process.line().flatMap({ Int($0) }) else { throw Missing() }
        return try await body(MailReceiver(port: port, record: record))
    }

    /// Creates `mail.pem`, a self-signed certificate for the server's address, and `mail.key`.
    private static func makeCertificate(in folder: URL) async throws {
        let pem = folder.appending(path: "mail.pem")
        guard !FileManager.default.fileExists(atPath: pem.path()) else { return }
        let outcome = try await Program(path: "/usr/bin/openssl").run(
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
                "-nodes", "-days", "2", "-subj", "/CN=mail", "-addext",
                "subjectAltName=IP:\(host)", "-keyout", "mail.key", "-out", "mail.pem",
            ],
            in: folder,
        )
        guard outcome.status == 0 else { throw Missing() }
    }

    package var messages: [Message] {
        get throws {
            guard let data = try? Data(contentsOf: record) else { return [] }
            let end = data.lastIndex(of: UInt8(ascii: "\n")) ?? data.startIndex
            return try data[..<end].split(separator: UInt8(ascii: "\n")).map {
                try JSONDecoder().decode(Message.self, from: $0)
            }
        }
    }
}
