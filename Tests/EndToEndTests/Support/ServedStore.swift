import Cryptography
import Foundation
import Sample
import TestSupport
import Testing

/// `ota serve` as a process on free ports, and `ota` commands on the same store.
struct ServedStore: Sendable {
    let base: String
    let plainBase: String
    let folder: URL
    /// The authority that signs the published builds.
    let authority: SigningAuthority
    let program: Program
    /// The server's process ID.
    let processIdentifier: Int32

    private static let environment = ["OTA_STORE": "./store", "OTA_ACTOR": "ada", "NO_COLOR": "1"]

    /// Serves while `body` runs; returns what the server wrote to standard error.
    ///
    /// `openFiles` limits how many files and connections the server may have open.
    static func run(
        _ options: String...,
        believing devices: DeviceAuthority,
        openFiles: Int? = nil,
        _ body: (ServedStore) async throws -> Void,
    ) async throws -> String {
        let program = try #require(Program(built: "ota"), "ota was not built beside the tests")
        let authority = try SigningAuthority.cached()
        return try await withTemporaryFolder { folder in
            let errors = folder.appending(path: "errors")
            try Data(authority.anchorPEM.utf8).write(to: folder.appending(path: "anchor.pem"))
            try Data(devices.anchor.pem.utf8).write(to: folder.appending(path: "devices.pem"))
            let limit = openFiles.map {
                ["-c", "ulimit -n \($0) && exec \"$0\" \"$@\"", program.path]
            }
            let server = try (limit == nil ? program : Program(path: "/bin/sh")).start(
                (limit ?? []) + [
                    "serve", "--port", "0", "--plain-port", "0", "--trusted-device-ca",
                    "devices.pem",
                ]
                    + options,
                environment: environment,
                in: folder,
                errors: errors,
            )
            defer { server.send(SIGKILL) }
            let line = try #require(await server.line())
            var plain: Substring?
            try await eventually(within: .seconds(10), "the server says where it is trusted") {
                let text = try String(contentsOf: errors, encoding: .utf8)
                plain = text.firstMatch(of: /(http:\/\/\S+)\/trust/)?.output.1
                return plain != nil
            }
            try await body(
                ServedStore(
                    base: line.replacing("listening on ", with: ""),
                    plainBase: String(try #require(plain)),
                    folder: folder,
                    authority: authority,
                    program: program,
                    processIdentifier: server.processIdentifier,
                )
            )
            server.send(SIGTERM)
            #expect(try await server.status() == 0)
            return try String(contentsOf: errors, encoding: .utf8)
        }
    }

    func ota(_ arguments: String...) async throws -> Program.Outcome {
        try await program.run(arguments, environment: Self.environment, in: folder)
    }

    /// Runs `ota … --json`, which must succeed.
    func json<Answer: Decodable>(
        _ arguments: String...,
        as type: Answer.Type,
    ) async throws
        -> Answer
    {
        let outcome = try await program.run(
            arguments + ["--json"],
            environment: Self.environment,
            in: folder,
        )
        try #require(outcome.status == 0, "\(outcome.errors)")
        return try JSONDecoder().decode(type, from: Data(outcome.output.utf8))
    }

    /// Runs `ota validate` on a build for one device.
    func verdict(_ build: String, for udid: String) async throws -> Program.Outcome {
        try await ota("validate", build, "--device", udid, "--trusted-ca", "anchor.pem")
    }

    /// Writes an IPA into the folder in which `ota` runs.
    func build(_ name: String, _ builder: IPABuilder) async throws {
        let path = folder.appending(path: name).path()
        try await HeavyWork.run { try builder.build(to: path) }
    }
}
