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
    /// One message as the server took it; of one that misbehaves, one line that it was sent.
    package struct Message: Decodable, Sendable {
        package let from: String
        package let to: [String]
        package let content: String
        package let tls: Bool
        package let authenticated: Bool?
    }

    /// Why there is no server.
    package struct Missing: Error {}

    /// Nil leaves the tests out that need it.
    package static let python: Program? = {
        let path = URL(filePath: #filePath).appending(path: "../../../.build/tools/bin/python")
            .standardizedFileURL.path()
        let package = URL(filePath: #filePath).appending(path: "../../../.build/tools/bin/aiosmtpd")
            .standardizedFileURL.path()
        return FileManager.default.isExecutableFile(atPath: package) ? Program(path: path) : nil
    }()

    package static let user = "ota"
    package static let password = "a secret wörd"
    /// An address of this machine that counts as that of another one.
    package static let host = "127.0.0.2"

    package let port: Int
    private let record: URL

    /// Listens on a free port of this machine while `body` runs.
    ///
    /// - Parameters:
    ///   - folder: where the server keeps what it took.
    ///   - mode: how it behaves.
    ///   - host: the address to listen on.
    ///   - body: what happens meanwhile.
    /// - Returns: what `body` returns.
    /// - Throws: ``Missing``, and what `body` throws.
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

    /// Makes `mail.pem`, which signs itself, for the server's address, and `mail.key`.
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
