import Cryptography
import Foundation
import Sample
import Synchronization
import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// `ota serve` with a team whose developer account is on the App Store Connect test server.
///
/// The server can be killed and started again on the same ports.
final class LoopRoom: Sendable {
    /// The folder of all files; the store is in `store`.
    let folder: URL
    let apple: AppleSite
    /// The authority that certifies the keys of the simulated devices.
    let devices: DeviceAuthority
    let base: String
    let plainBase: String
    private let program: Program
    private let ports: (tls: Int, plain: Int)
    private let server = Mutex<RunningProgram?>(nil)

    private static let environment = [
        "OTA_STORE": "./store", "OTA_ACTOR": "ada", "OTA_KEY_FILE": "key", "NO_COLOR": "1",
    ]

    private init(in folder: URL, at apple: AppleSite, believing devices: DeviceAuthority) throws {
        self.folder = folder
        self.apple = apple
        self.devices = devices
        program = try #require(Program(built: "ota"), "ota was not built beside the tests")
        ports = (try FreePort.any(), try FreePort.any())
        base = "https://127.0.0.1:\(ports.tls)"
        plainBase = "http://127.0.0.1:\(ports.plain)"
    }

    /// Runs the App Store Connect test server while `body` runs, without a store or server of `ota` yet.
    static func run(_ body: (LoopRoom) async throws -> Void) async throws {
        let devices = try DeviceAuthority()
        try await withTemporaryFolder { folder in
            let place = folder.appending(path: "apple", directoryHint: .isDirectory)
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            try await AppleSite.run(in: place) { apple in
                let room = try LoopRoom(in: folder, at: apple, believing: devices)
                defer { room.server.withLock { $0 }?.send(SIGKILL) }
                try Data(devices.anchor.pem.utf8)
                    .write(to: folder.appending(path: "devices.pem"))
                try await body(room)
                try await room.expectDiscretion()
            }
        }
    }

    /// The process ID of the server; nil if none runs.
    var processIdentifier: Int32? { server.withLock { $0?.processIdentifier } }

    /// Starts the server, and waits until it listens; devices that join within `gather` share profiles.
    func serve(gather: String = "1s") async throws {
        let running = try program.start(
            [
                "serve", "--port", "\(ports.tls)", "--plain-port", "\(ports.plain)",
                "--base-url", base, "--trusted-device-ca", "devices.pem",
                "--trusted-ca", apple.path("authority.pem"), "--gather", gather,
            ] + appleOptions,
            environment: Self.environment,
            in: folder,
            errors: folder.appending(path: "errors-\(UUID().uuidString)/errors", creating: true),
        )
        server.withLock { $0 = running }
        try #require(await running.line() != nil, "the server did not start")
    }

    /// Kills the server, as a power cut would.
    func kill() async throws {
        server.withLock { $0 }?.send(SIGKILL)
        try await waitForEnd()
    }

    /// Waits until the server has ended, for whatever reason.
    func waitForEnd() async throws {
        guard let running = server.withLock({ $0 }) else { return }
        #expect(try await running.status() == 128 + SIGKILL)
        server.withLock { $0 = nil }
    }

    /// Stops the server as an admin does.
    func stop() async throws {
        guard let running = server.withLock({ $0 }) else { return }
        running.send(SIGTERM)
        #expect(try await running.status() == 0)
        server.withLock { $0 = nil }
    }

    /// Saves the store, while no server runs, and Apple's account, for ``rewind()``.
    func remember() async throws {
        try FileManager.default.copyItem(
            at: folder.appending(path: "store"),
            to: folder.appending(path: "kept"),
        )
        try await apple.remember()
        try await apple.returnToRemembered()
    }

    /// Restores the store and the account.
    func rewind() async throws {
        let store = folder.appending(path: "store")
        try FileManager.default.removeItem(at: store)
        try FileManager.default.copyItem(at: folder.appending(path: "kept"), to: store)
        try await apple.returnToRemembered()
    }

    var appleOptions: [String] {
        ["--apple-url", apple.url, "--apple-ca-file", apple.path("anchor.pem")]
    }

    /// Runs `ota` on the store while the server runs.
    @discardableResult
    func ota(_ arguments: String...) async throws -> Program.Outcome {
        let outcome = try await program.run(arguments, environment: Self.environment, in: folder)
        try #require(outcome.status == 0, "\(arguments.first ?? ""): \(outcome.errors)")
        return outcome
    }

    /// Runs `ota … --json`, which must succeed.
    func json<Answer: Decodable>(
        _ arguments: String...,
        as type: Answer.Type,
    ) async throws -> Answer {
        let outcome = try await program.run(
            arguments + ["--json"],
            environment: Self.environment,
            in: folder,
        )
        try #require(outcome.status == 0, "\(arguments.first ?? ""): \(outcome.errors)")
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return try decoder.decode(type, from: Data(outcome.output.utf8))
    }

    /// Checks that neither logs nor activity contain a device identifier, a line of a private key, or a
    /// token.
    private func expectDiscretion() async throws {
        let keys = try FileManager.default.subpathsOfDirectory(atPath: apple.folder.path())
            .filter { $0.hasSuffix("AuthKey.p8") }
            .map { try String(contentsOfFile: apple.path($0), encoding: .utf8) }
        #expect(!keys.isEmpty)
        let secrets =
            keys.flatMap { $0.split(whereSeparator: \.isNewline) }.map(String.init)
            .filter { !$0.hasPrefix("-----") } + ["PRIVATE KEY-----", "eyJhbGciOiJFUzI1NiI"]
        let devices = LoopTester.devices(20)
        for text in [try log(), try await ota("activity", "--json").output] {
            #expect(!text.isEmpty)
            #expect(!secrets.contains { text.contains($0) })
            let flat = text.lowercased()
            #expect(!devices.contains { flat.contains($0.lowercased()) })
        }
    }

    /// What all servers of this room wrote to standard error.
    func log() throws -> String {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path())
            .filter { $0.hasPrefix("errors-") && $0.hasSuffix("/errors") }.sorted()
            .map { try String(contentsOf: folder.appending(path: $0), encoding: .utf8) }
            .joined()
    }
}

extension URL {
    /// A file in a folder that is created if needed.
    fileprivate func appending(path: String, creating: Bool) throws -> URL {
        let file = appending(path: path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(),
            withIntermediateDirectories: true,
        )
        return file
    }
}
