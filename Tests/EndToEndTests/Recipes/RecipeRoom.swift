import Cryptography
import Foundation
import Phone
import Sample
import TestSupport
import Testing

/// A server as a process, a token for it, and a repository whose tags jobs of CI publish.
struct RecipeRoom: Sendable {
    /// What was pushed.
    enum Push: Sendable {
        case tag(String)
        case branch(String)

        var name: String {
            switch self {
            case .tag(let name), .branch(let name): name
            }
        }

        var reference: String {
            switch self {
            case .tag(let name): "refs/tags/" + name
            case .branch(let name): "refs/heads/" + name
            }
        }
    }

    /// A release as the store has it on disk.
    struct Stored: Decodable {
        struct Origin: Decodable {
            let repository, pipeline, builder, run: String?
        }

        let version, build, channel, notes, publisher: String
        let tag, commit: String?
        let origin: Origin?
    }

    static let recipes = URL(filePath: #filePath)
        .appending(path: "../../../../docs/ci").standardizedFileURL
    static let runners = URL(filePath: #filePath).deletingLastPathComponent()

    let folder: URL
    let base: String
    let token: String
    let repository: TestRepository
    /// Variables that every job of this place has: where ota is, and whom it trusts.
    private(set) var variables: [String: String]
    /// Whether the first clone that CI makes of itself is taken, which lacks history and tags.
    var isShallow = false
    /// The file that the job publishes.
    private(set) var build = "App.ipa"
    /// Whether a job archives the build that it publishes, on a Mac without ota.
    var archives = false
    /// Words before the command of a job, such as those of strace.
    var tracer: [String] = []

    var trustsServer: Bool {
        get { variables["OTA_CA_FILE"] != nil }
        set { variables["OTA_CA_FILE"] = newValue ? folder.appending(path: "ca.pem").path() : nil }
    }

    /// Variables of jobs on a Mac, where there is Xcode, and no ota.
    var macVariables: [String: String] {
        [
            "PATH": folder.appending(path: "xcode").path() + ":/usr/local/bin:/usr/bin:/bin",
            "HOME": folder.path(), "LANG": "C.UTF-8",
        ]
    }

    /// As a runner without ota.
    mutating func forgetsProgram() { variables["PATH"] = "/usr/local/bin:/usr/bin:/bin" }

    static func run(_ body: (RecipeRoom) async throws -> Void) async throws {
        let program = try #require(Program(built: "ota"), "ota was not built beside the tests")
        try await withTemporaryFolder { folder in
            let authority = try SigningAuthority.cached()
            try Data(authority.anchorPEM.utf8).write(to: folder.appending(path: "anchor.pem"))
            let server = try program.start(
                ["serve", "--port", "0", "--no-plain", "--anchor", "anchor.pem"],
                environment: ["OTA_STORE": "./store", "NO_COLOR": "1"],
                in: folder,
                errors: folder.appending(path: "server.errors"),
            )
            do {
                let line = try #require(await server.line())
                let room = try await RecipeRoom(
                    in: folder,
                    of: program,
                    at: String(line.trimmingPrefix("listening on ")),
                    signedBy: authority,
                )
                try await body(room)
            } catch {
                server.send(SIGKILL)
                throw error
            }
            server.send(SIGTERM)
            #expect(try await server.status() == 0)
        }
    }

    private init(
        in folder: URL,
        of program: Program,
        at base: String,
        signedBy authority: SigningAuthority,
    ) async throws {
        self.folder = folder
        self.base = base
        let bin = folder.appending(path: "bin")
        try FileManager.default.createDirectory(at: bin, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: bin.appending(path: "ota").path(),
            withDestinationPath: program.path,
        )
        let made = try await program.run(
            ["tokens", "create", "--name", "ci", "--scope", "publish:com.vforsh.browsey"],
            environment: ["OTA_STORE": "./store"],
            in: folder,
        )
        let found = try #require(
            made.output.firstMatch(of: /ota_[0-9a-f]{8}_[0-9a-f]{64}/),
            "\(made)",
        )
        token = String(found.output)
        variables = [
            "PATH": bin.path() + ":/usr/local/bin:/usr/bin:/bin", "NO_COLOR": "1",
            "HOME": folder.path(), "LANG": "C.UTF-8",
            "OTA_ANCHOR": folder.appending(path: "anchor.pem").path(),
        ]
        repository = try await Self.history(in: folder.appending(path: "upstream"))
        let keys = folder.appending(path: "authority.pem")
        try Data(authority.privatePEM.utf8).write(to: keys)
        _ = try StandInXcode(
            in: folder.appending(path: "xcode"),
            ota: program,
            authority: keys,
            schemes: ["App": "browsey"],
            signs: true,
        )
        try await Self.build("App.ipa", in: folder, by: authority)
        let own = try String(
            contentsOf: folder.appending(path: "store/keys/development-authority.pem"),
            encoding: .utf8,
        )
        let certificate = try #require(
            own.firstMatch(of: /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/)
        )
        try Data((certificate.output + "\n").utf8).write(to: folder.appending(path: "ca.pem"))
        trustsServer = true
    }

    /// More commits than the twenty that GitLab fetches by itself.
    private static func history(in folder: URL) async throws -> TestRepository {
        let repository = try await TestRepository(at: folder)
        try await repository.commit("Step 1", project())
        for number in 2...22 { try await repository.commit("Step \(number)") }
        try await repository.git("tag", "v1.3.0")
        try await repository.commit("Scan two codes at once")
        try await repository.commit("Keep the 'torch' on; $(touch \(folder.path())/canary)")
        try await repository.git("tag", "v1.4.0")
        try await repository.commit("Try another version")
        try await repository.git("tag", "v9.9.9")
        try await repository.commit("Try something")
        return repository
    }

    /// A project whose own version is not that of any tag.
    private static func project() throws -> [String: String] {
        [
            ".ota/version.sh": try recipes.text("version.sh"),
            "App.xcodeproj/project.pbxproj": """
            // !$*UTF8*$!
            {
            \t\t\t\tCURRENT_PROJECT_VERSION = 1;
            \t\t\t\tMARKETING_VERSION = 1.0;
            }

            """,
            "ExportOptions.plist": """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0"><dict><key>method</key><string>release-testing</string></dict></plist>

            """,
        ]
    }

    /// What a job on a Mac leaves is what the next one publishes.
    mutating func take(_ archived: URL) throws {
        build = "Archived.ipa"
        let file = folder.appending(path: build)
        try? FileManager.default.removeItem(at: file)
        try FileManager.default.copyItem(at: archived, to: file)
    }

    /// A phone that trusts the server.
    func phone() throws -> SimulatedPhone {
        let downloads = folder.appending(path: "phone-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: downloads, withIntermediateDirectories: true)
        let authority = try String(contentsOf: folder.appending(path: "ca.pem"), encoding: .utf8)
        return SimulatedPhone(
            downloads: downloads,
            trusting: try Certificate.chain(pem: authority),
        )
    }

    /// What the job publishes has no signature from now on.
    mutating func buildUnsigned() async throws {
        build = "Unsigned.ipa"
        guard !FileManager.default.fileExists(atPath: folder.appending(path: build).path())
        else { return }
        try await Self.build(build, in: folder, by: SigningAuthority.cached()) { $0.unsigned() }
    }

    private static func build(
        _ name: String,
        in folder: URL,
        by authority: SigningAuthority,
        _ change: @escaping @Sendable (IPABuilder) -> IPABuilder = { $0 },
    ) async throws {
        let path = folder.appending(path: name).path()
        try await HeavyWork.run {
            try change(
                SampleApps.browsey(by: authority, at: Date()).editing { $0.app.hasIcon = false }
            ).build(to: path)
        }
    }

    /// The commands that nobody wrote have not run.
    var isUntouched: Bool {
        !FileManager.default.fileExists(atPath: repository.folder.appending(path: "canary").path())
    }

    func releases() throws -> [Stored] {
        let place = folder.appending(path: "store/apps/com.vforsh.browsey/releases")
        guard FileManager.default.fileExists(atPath: place.path()) else { return [] }
        // Beside each document lies its earlier generation.
        let names = try FileManager.default.contentsOfDirectory(atPath: place.path())
            .filter { $0.hasSuffix(".json") }
        return try names.map {
            try JSONDecoder().decode(
                Stored.self,
                from: Data(contentsOf: place.appending(path: $0)),
            )
        }
    }

    /// An empty folder for a job; a job that runs again finds it as it left it.
    func workspace(_ name: String) throws -> URL {
        let place = folder.appending(path: name)
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        return place
    }

    /// A checkout as a runner makes it: `git init`, one fetch, a detached head.
    ///
    /// - Parameters:
    ///   - push: what is checked out.
    ///   - words: the options and refspecs of the fetch; `REMOTE` stands for the repository.
    ///   - place: the workspace.
    /// - Throws: what git says.
    func checkOut(_ push: Push, fetching words: [String], in place: URL) async throws {
        if !FileManager.default.fileExists(atPath: place.appending(path: ".git").path()) {
            try await TestRepository.git(["init", "--quiet"], in: place)
            try Data(".run-*\n".utf8).write(to: place.appending(path: ".git/info/exclude"))
        }
        let words = words.map { $0 == "REMOTE" ? remote : $0 }
        try await TestRepository.git(["fetch", "--quiet", "--force"] + words, in: place)
        let commit = try await commit(of: push)
        try await TestRepository.git(["checkout", "--quiet", "--force", commit], in: place)
    }

    var remote: String { "file://" + repository.path }

    func commit(of push: Push) async throws -> String {
        try await repository.git("rev-parse", push.reference + "^{commit}")
    }

    /// What an earlier job hands over.
    func handOver(_ build: String, as path: String, in place: URL) throws {
        let file = place.appending(path: path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(),
            withIntermediateDirectories: true,
        )
        try? FileManager.default.removeItem(at: file)
        try FileManager.default.copyItem(at: folder.appending(path: build), to: file)
    }

    /// Runs the command of a job with nothing of this process's environment that CI sets.
    func run(
        _ command: [String],
        _ variables: [String: String],
        in place: URL,
    ) async throws -> Program.Outcome {
        let foreign = ProcessInfo.processInfo.environment.keys.filter { variables[$0] == nil }
            .sorted().flatMap { ["-u", $0] }
        return try await Program(path: "/usr/bin/env").run(
            foreign + tracer + command,
            environment: variables,
            in: place,
        )
    }
}
