import Foundation
import Sample
import TestSupport
import Testing

/// A folder in which a test runs `ota`, the real program.
struct Workplace: Sendable {
    let folder: URL
    let authority: SigningAuthority
    private let program: Program

    static func run(_ body: (Workplace) async throws -> Void) async throws {
        let program = try #require(Program(built: "ota"), "ota was not built beside the tests")
        let authority = try SigningAuthority.cached()
        try await withTemporaryFolder { folder in
            try Data(authority.anchorPEM.utf8).write(to: folder.appending(path: "anchor.pem"))
            try await body(Workplace(folder: folder, authority: authority, program: program))
        }
    }

    /// Runs `ota` with these arguments.
    func ota(_ arguments: String..., input: String? = nil) async throws -> Program.Outcome {
        try await ota(arguments, input: input)
    }

    func ota(
        _ arguments: [String],
        input: String? = nil,
        environment: [String: String] = [:],
    ) async throws -> Program.Outcome {
        try await program.run(
            arguments,
            input: input,
            environment: Self.environment.merging(environment) { _, new in new },
            in: folder,
        )
    }

    func start(_ arguments: String...) throws -> RunningProgram { try start(arguments) }

    /// Starts `ota`, with its errors in a file in the folder.
    func start(
        _ arguments: [String],
        environment: [String: String] = [:],
        errors: String = "errors",
    ) throws -> RunningProgram {
        try program.start(
            arguments,
            environment: Self.environment.merging(environment) { _, new in new },
            in: folder,
            errors: folder.appending(path: errors),
        )
    }

    /// Runs `ota … --json`, which must exit with `status` and write nothing to standard error.
    func json(
        _ arguments: String...,
        status: Int32 = 0,
        input: String? = nil,
        sourceLocation: SourceLocation = #_sourceLocation,
    ) async throws -> JSON {
        try await json(arguments, status: status, input: input, sourceLocation: sourceLocation)
    }

    func json(
        _ arguments: [String],
        status: Int32 = 0,
        input: String? = nil,
        sourceLocation: SourceLocation = #_sourceLocation,
    ) async throws -> JSON {
        let outcome = try await ota(arguments + ["--json"], input: input)
        #expect(outcome.status == status, "\(outcome)", sourceLocation: sourceLocation)
        #expect(outcome.errors.isEmpty, "\(outcome.errors)", sourceLocation: sourceLocation)
        let document = try JSON(outcome.output)
        #expect(document["schema"].number == 1, sourceLocation: sourceLocation)
        return document
    }

    /// Runs `ota … --json`, which must be refused, and returns the error.
    func refusal(
        _ arguments: String...,
        sourceLocation: SourceLocation = #_sourceLocation,
    ) async throws -> JSON {
        try await refusal(arguments, sourceLocation: sourceLocation)
    }

    func refusal(
        _ arguments: [String],
        sourceLocation: SourceLocation = #_sourceLocation,
    ) async throws -> JSON {
        let outcome = try await ota(arguments + ["--json"])
        #expect(outcome.status == 1, "\(outcome)", sourceLocation: sourceLocation)
        #expect(outcome.output.isEmpty, "\(outcome.output)", sourceLocation: sourceLocation)
        let error = try JSON(outcome.errors)["error"]
        #expect(error.keys == ["id", "message", "place", "fix"], sourceLocation: sourceLocation)
        return error
    }

    /// Writes a signed build into the folder, without icons, since drawing them takes longest.
    @discardableResult
    func build(
        _ name: String = "build.ipa",
        at date: Date = Date(),
        _ change: (IPABuilder) -> IPABuilder = { $0 },
    ) throws -> URL {
        let file = folder.appending(path: name)
        let builder = SampleApps.browsey(by: authority, at: date).editing { $0.app.hasIcon = false }
        try change(builder).build(to: file.path())
        return file
    }

    var programPath: String { program.path }

    func path(_ name: String) -> String {
        folder.appending(path: name).path()
    }

    func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: folder.appending(path: name)))
    }

    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: folder.appending(path: name))
    }

    func isThere(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: path(name))
    }

    private static let environment = [
        "OTA_STORE": "./ota-store", "OTA_ACTOR": "tests", "NO_COLOR": "1",
    ]
}
