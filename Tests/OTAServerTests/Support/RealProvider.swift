import Cryptography
import Foundation
import OTAServer
import OpenID
import TestSupport

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A real OpenID provider, Canaille, in a process of its own; see `provider.py`.
struct RealProvider: Sendable {
    /// The provider could not be started.
    struct Missing: Error {}

    /// The Python with Canaille; nil disables the tests that need it.
    static let python: Program? = {
        let folder = URL(filePath: ObjectEngine.tools).appending(path: "bin")
        let isThere = FileManager.default.isExecutableFile(
            atPath: folder.appending(path: "canaille").path()
        )
        return isThere ? Program(path: folder.appending(path: "python").path()) : nil
    }()

    let issuer: String
    let authority: Certificate

    /// Runs a provider for a server at `base`, while `body` runs.
    static func run<Result>(
        in folder: URL,
        for base: String,
        _ body: (RealProvider) async throws -> Result,
    ) async throws -> Result {
        guard let python else { throw Missing() }
        let made = try await Program(path: "/usr/bin/openssl").run(
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
                "-nodes", "-days", "2", "-subj", "/CN=provider", "-addext",
                "subjectAltName=IP:127.0.0.1", "-keyout", "provider.key", "-out", "provider.pem",
            ],
            in: folder,
        )
        guard made.status == 0 else { throw Missing() }
        let pem = folder.appending(path: "provider.pem")
        let script = URL(filePath: #filePath)
            .appending(path: "../../../TestSupport/provider.py").standardizedFileURL
        let process = try python.start(
            [
                script.path(), pem.path(), folder.appending(path: "provider.key").path(),
                base + "/sign-in/callback", base + "/admin/sign-in",
            ],
            in: folder,
            input: Pipe(),
        )
        defer { process.send(SIGKILL) }
        guard let issuer = await process.line(),
            let authority = try Certificate.chain(pem: String(contentsOf: pem, encoding: .utf8))
                .first
        else { throw Missing() }
        return try await body(RealProvider(issuer: issuer, authority: authority))
    }
}
