import Cryptography
import Foundation
import Phone
import Sample
import TestSupport
import Testing

/// A server process, a token for it, and a repository whose tags CI jobs publish.
struct RecipeRoom: Sendable {
    /// A push to the repository.
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

    /// A release document as the store has it on disk.
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
    /// The variables of every job: where ota is, and which authorities it trusts.
    private(set) var variables: [String: String]
    /// Whether jobs use the clone that CI makes by default, which lacks history and tags.
    var isShallow = false
    /// The file that the job publishes.
    private(set) var build = "App.ipa"
    /// Whether a job on a Mac without ota archives the build that is published.
    var archives = false
    /// Words in front of a job's command, such as those of strace.
    var tracer: [String] = []

    var trustsServer: Bool {
        get { variables["OTA_CA_FILE"] != nil }
        set { variables["OTA_CA_FILE"] = newValue ? folder.appending(path: "ca.pem").path() : nil }
    }

    /// The variables of jobs on a Mac, which has Xcode but no ota.
    var macVariables: [String: String] {
        [
            "PATH": folder.appending(path: "xcode").path() + ":/usr/local/bin:/usr/bin:/bin",
            "HOME": folder.path(), "LANG": "C.UTF-8",
        ]
    }

    /// Removes ota from the job's `PATH`.
    mutating func forgetsProgram() { variables["PATH"] = "/usr/local/bin:/usr/bin:/bin" }

    static func run(_ body: (RecipeRoom) async throws -> Void) async throws {
        let program = try #require(Program(built: "ota"), "ota was not built beside the tests")
        try await withTemporaryFolder { folder in
            let authority = try SigningAuthority.cached()
            try Data(authority.anchorPEM.utf8).write(to: folder.appending(path: "anchor.pem"))
            let server = try program.start(
                ["serve", "--port", "0", "--no-plain", "--trusted-ca", "anchor.pem"],
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

    /// Makes a repository with more than the twenty commits that GitLab fetches by default.
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

    /// The files of a project whose own version differs from that of any tag.
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

    /// Passes the archive of a job on a Mac to the job that publishes.
    mutating func take(_ archived: URL) throws {
        build = "Archived.ipa"
        let file = folder.appending(path: build)
        try? FileManager.default.removeItem(at: file)
        try FileManager.default.copyItem(at: archived, to: file)
    }

    /// Returns a phone that trusts the server.
    func phone() throws -> SimulatedPhone {
        let downloads = folder.appending(path: "phone-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: downloads, withIntermediateDirectories: true)
        let authority = try String(contentsOf: folder.appending(path: "ca.pem"), encoding: .utf8)
        return SimulatedPhone(
            downloads: downloads,
            trusting: try Certificate.chain(pem: authority),
        )
    }

    /// From now on, the job publishes an unsigned build.
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

    /// Whether no command was run that an attacker injected.
    var isUntouched: Bool {
        !FileManager.default.fileExists(atPath: repository.folder.appending(path: "canary").path())
    }

    func releases() throws -> [Stored] {
        let place = folder.appending(path: "store/apps/com.vforsh.browsey/releases")
        guard FileManager.default.fileExists(atPath: place.path()) else { return [] }
        // Next to each document is its previous version.
        let names = try FileManager.default.contentsOfDirectory(atPath: place.path())
            .filter { $0.hasSuffix(".json") }
        return try names.map {
            try JSONDecoder().decode(
                Stored.self,
                from: Data(contentsOf: place.appending(path: $0)),
            )
        }
    }

    /// Returns an empty folder for a job; a repeated job finds it as the previous run left it.
    func workspace(_ name: String) throws -> URL {
        let place = folder.appending(path: name)
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        return place
    }

    /// Checks out as a runner does: `git init`, one fetch, a detached head.
    ///
    /// - Parameters:
    ///   - push: the push to check out.
    ///   - words: options and refspecs of the fetch; `REMOTE` stands for the repository.
    ///   - place: the workspace.
    /// - Throws: git's error.
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

    /// Copies the file that an earlier job passes on.
    func handOver(_ build: String, as path: String, in place: URL) throws {
        let file = place.appending(path: path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(),
            withIntermediateDirectories: true,
        )
        try? FileManager.default.removeItem(at: file)
        try FileManager.default.copyItem(at: folder.appending(path: build), to: file)
    }

    /// Runs a job's command without the variables that CI sets in this process's environment.
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
