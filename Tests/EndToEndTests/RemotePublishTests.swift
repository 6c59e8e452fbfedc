import Bytes
import Cryptography
import Foundation
import Phone
import Publishing
import Sample
import Synchronization
import TestSupport
import Testing

/// `ota publish --server` as CI runs it, over unreliable networks and with servers that fail.
@Suite(.timeLimit(.minutes(10)))
struct RemotePublishTests {
    private struct Answer: Decodable {
        let created: Bool
        let sha256, release, url: String
    }

    @Test func `cut connections and killed servers end with one release of the same bytes`()
        async throws
    {
        try await withRoom { room in
            let megabytes = TestDepth.samples(200, long: 800)
            let size = try await room.build("large.ipa", megabytes: megabytes)
            // One cut per ten megabytes.
            let count = megabytes / 10
            let cuts = (1...count).map { size * $0 / (count + 1) }
            let kills = (1...3).map { number in
                CuttingProxy.Event(mark: size * number / 4 + 500_000) {
                    // This runs in a task of its own, because the connection that triggers it is cut together
                    // with its task.
                    try await Task { try await room.killAndRestart() }.value
                }
            }
            try await CuttingProxy.run(to: room.port, cuts: cuts, events: kills) { port, proxy in
                let outcome = try await room.publish("large.ipa", port: port)
                #expect(outcome.status == 0, "\(outcome.errors)")
                let answer = try JSONDecoder().decode(Answer.self, from: Data(outcome.output.utf8))
                #expect(answer.created)
                #expect(answer.sha256 == "\(try room.digest(of: "large.ipa"))")
                #expect(proxy.cutsLeft == 0)
                // The limit includes the overhead of TLS and HTTP, and the bytes in transit at each cut.
                #expect(proxy.bytes < size + size / 10, "\(proxy.bytes) for \(size)")
                let again = try await room.publish("large.ipa", port: port)
                let second = try JSONDecoder().decode(Answer.self, from: Data(again.output.utf8))
                #expect(!second.created && second.sha256 == answer.sha256)
            }
            let releases = try FileManager.default.contentsOfDirectory(
                atPath: room.folder.appending(path: "store/apps/com.vforsh.browsey/releases").path()
            )
            #expect(releases.filter { $0.hasSuffix(".json") }.count == 1)
        }
    }

    @Test func `a refusal costs no upload, and says which`() async throws {
        try await withRoom { room in
            _ = try await room.build("bad.ipa", megabytes: 0, isSigned: false)
            let outcome = try await room.publish("bad.ipa", port: room.port)
            #expect(outcome.status == 1)
            #expect(outcome.errors.contains("error"))
            #expect(try room.uploads().isEmpty)
            _ = try await room.build("good.ipa", megabytes: 0)
            let wrong = try await room.publish("good.ipa", port: room.port, token: "other-token")
            #expect(wrong.status == 1 && wrong.errors.contains("token"), "\(wrong.errors)")
        }
    }

    private func withRoom(_ body: (RemoteRoom) async throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            let room = try await RemoteRoom(in: folder)
            do {
                try await body(room)
            } catch {
                room.kill()
                throw error
            }
            room.kill()
        }
    }
}

/// A server process, and a publisher that has its token and its authority.
private final class RemoteRoom: Sendable {
    let folder: URL
    let port: Int
    private let program: Program
    private let authority: SigningAuthority
    private let server: Mutex<RunningProgram>
    private static let environment = ["OTA_STORE": "./store", "NO_COLOR": "1"]

    init(in folder: URL) async throws {
        self.folder = folder
        program = try #require(Program(built: "ota"), "ota was not built beside the tests")
        authority = try SigningAuthority.cached()
        try Data(authority.anchorPEM.utf8).write(to: folder.appending(path: "anchor.pem"))
        let first = try Self.serve(program, folder, port: 0)
        let line = try #require(await first.line())
        port = try #require(line.split(separator: ":").last.flatMap { Int($0) })
        server = Mutex(first)
        let made = try await program.run(
            ["tokens", "create", "--name", "ci", "--scope", "publish"],
            environment: Self.environment,
            in: folder,
        )
        let token = try #require(made.output.firstMatch(of: /ota_[0-9a-f]{8}_[0-9a-f]{64}/))
        try Data(String(token.output).utf8).write(to: folder.appending(path: "token"))
        let other = "ota_00000000_" + String(repeating: "0", count: 64)
        try Data(other.utf8).write(to: folder.appending(path: "other-token"))
    }

    private static func serve(
        _ program: Program,
        _ folder: URL,
        port: Int,
    ) throws -> RunningProgram {
        try program.start(
            ["serve", "--port", "\(port)", "--no-plain", "--trusted-ca", "anchor.pem"],
            environment: environment,
            in: folder,
            errors: folder.appending(path: "server.errors"),
        )
    }

    func kill() { server.withLock { $0 }.send(SIGKILL) }

    func killAndRestart() async throws {
        let old = server.withLock { $0 }
        old.send(SIGKILL)
        _ = try await old.status()
        let new = try Self.serve(program, folder, port: port)
        server.withLock { $0 = new }
        let line = await new.line()
        let errors = try String(
            contentsOf: folder.appending(path: "server.errors"),
            encoding: .utf8,
        )
        _ = try #require(line, "\(errors)")
    }

    /// - Returns: the size of the file.
    func build(_ name: String, megabytes: Int, isSigned: Bool = true) async throws -> Int {
        let path = folder.appending(path: name).path()
        let authority = authority
        try await HeavyWork.run {
            var builder = SampleApps.browsey(by: authority, at: Date())
                .editing { $0.app.hasIcon = false }
            if megabytes > 0 {
                builder = builder.resource(.noise("Media.mov", count: megabytes << 20))
            }
            try (isSigned ? builder : builder.unsigned()).build(to: path)
        }
        let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
        return try #require(size)
    }

    func digest(of build: String) throws -> SHA256Digest {
        try SHA256Digest(reading: FileSource(path: folder.appending(path: build).path()))
    }

    func publish(
        _ build: String,
        port: Int,
        token: String = "token",
    ) async throws -> Program.Outcome {
        try Data(try authorityPEM().utf8).write(to: folder.appending(path: "ca.pem"))
        return try await program.run(
            ["publish", build, "--server", "https://127.0.0.1:\(port)", "--token-file", token]
                + ["--ca-file", "ca.pem", "--trusted-ca", "anchor.pem", "--json"],
            environment: ["NO_COLOR": "1"],
            in: folder,
        )
    }

    func uploads() throws -> [String] {
        let incoming = folder.appending(path: "store/incoming").path()
        return try FileManager.default.contentsOfDirectory(atPath: incoming)
            .filter { $0.hasSuffix(".upload") }
    }

    /// The certificate of the authority that the server created.
    private func authorityPEM() throws -> String {
        let keys = folder.appending(path: "store/keys")
        for name in try FileManager.default.contentsOfDirectory(atPath: keys.path()) {
            let text = try String(contentsOf: keys.appending(path: name), encoding: .isoLatin1)
            if let match = text.firstMatch(
                of: /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/
            ) {
                return String(match.output) + "\n"
            }
        }
        throw CocoaError(.fileReadNoSuchFile)
    }
}
