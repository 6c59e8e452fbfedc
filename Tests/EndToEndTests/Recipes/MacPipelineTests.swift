import Foundation
import Mirrors
import Packaging
import Sample
import TestSupport
import Testing

/// The pipelines of `docs/ci/pipelines`, with the stand-in for Xcode.
@Suite(.timeLimit(.minutes(10)))
struct MacPipelineTests {
    /// A pipeline file, and the content of its repository.
    struct Example: Sendable, CustomStringConvertible {
        let file: String
        /// The scheme; its sample app is `app`.
        let scheme: String
        let sample: String
        /// The project or workspace; `project.yml` if XcodeGen generates it.
        let project: String
        var signs = false

        var description: String { file }
        var folder: String { project.contains("/") ? String(project.prefix { $0 != "/" }) : "" }
    }

    static let examples = [
        Example(file: "xcode.yml", scheme: "App", sample: "sample", project: "App.xcodeproj"),
        Example(file: "xcodegen.yml", scheme: "App", sample: "pare", project: "project.yml"),
        Example(
            file: "workspace.yml",
            scheme: "App",
            sample: "sample",
            project: "App.xcworkspace",
        ),
        Example(
            file: "signed.yml",
            scheme: "App",
            sample: "browsey",
            project: "App.xcodeproj",
            signs: true,
        ),
        Example(
            file: "apps/browsey.yml",
            scheme: "Browsey",
            sample: "browsey",
            project: "Browsey.xcodeproj",
        ),
        Example(file: "apps/pare.yml", scheme: "Pare", sample: "pare", project: "project.yml"),
        Example(
            file: "apps/browser-selector.yml",
            scheme: "BrowserSelector",
            sample: "browser-selector",
            project: "ios/BrowserSelector.xcodeproj",
        ),
        Example(
            file: "apps/simbridge-client.yml",
            scheme: "SimBridgeClient",
            sample: "simbridge-client",
            project: "client/SimBridgeClient.xcodeproj",
        ),
        Example(
            file: "apps/simbridge-host.yml",
            scheme: "SimBridgeHost",
            sample: "simbridge-host",
            project: "host/SimBridgeHost.xcodeproj",
        ),
        Example(
            file: "apps/forks.yml",
            scheme: "Forks",
            sample: "forks",
            project: "Forks.xcworkspace",
        ),
    ]

    private static let folder = RecipeRoom.recipes.appending(path: "pipelines")

    @Test func `every file of the folder is an example`() throws {
        let found = try ["", "apps/"].flatMap { place in
            try FileManager.default
                .contentsOfDirectory(atPath: Self.folder.appending(path: place).path())
                .filter { $0.hasSuffix(".yml") }.map { place + $0 }
        }
        #expect(Set(found) == Set(Self.examples.map(\.file)))
    }

    @Test(arguments: examples)
    func `each step is a script, and what they leave has the tag's version`(
        example: Example
    ) async throws {
        let program = try #require(Program(built: "ota"), "ota was not built beside the tests")
        let pipeline = try Pipeline(yaml: Self.folder.text(example.file))
        try await withTemporaryFolder { folder in
            let checkout = folder.appending(path: "checkout")
            let environment = try Self.prepare(folder, checkout, example, with: program)
            for step in pipeline.steps {
                let script = folder.appending(path: "step.sh")
                try Data(step.run.utf8).write(to: script)
                for shell in ["/bin/sh", "/bin/bash"] {
                    let read = try await Program(path: shell).run(
                        ["-n", script.path()],
                        in: folder,
                    )
                    #expect(read.status == 0, "\(step.name): \(read.errors)")
                }
                let variables = environment.merging(pipeline.environment) { $1 }
                    .merging(step.environment) { $1 }
                let place = checkout.appending(path: step.workingDirectory ?? ".")
                let outcome = try await Self.run(script, variables, in: place)
                try #require(outcome.status == 0, "\(step.name): \(outcome.errors)")
            }
            try await Self.check(pipeline, example, in: checkout, with: program)
        }
    }

    private static func run(
        _ script: URL,
        _ variables: [String: String],
        in place: URL,
    ) async throws -> Program.Outcome {
        let own = variables.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        return try await Program(path: "/usr/bin/env").run(
            ["-i"] + own + ["bash", "-e", "-o", "pipefail", script.path()],
            in: place,
        )
    }

    /// Prepares a checkout with the project, a Mac's programs, and the environment of a step.
    private static func prepare(
        _ folder: URL,
        _ checkout: URL,
        _ example: Example,
        with program: Program,
    ) throws -> [String: String] {
        let home = folder.appending(path: "home")
        let tools = folder.appending(path: "tools")
        let project = checkout.appending(path: example.project)
        let isFile = example.project.hasSuffix(".yml")
        for place in [home, tools, isFile ? checkout : project] {
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        }
        if isFile {
            // The version on the command line overrides that of the project file.
            try Data("name: \(example.scheme)\nMARKETING_VERSION: 0.0.1\n".utf8).write(to: project)
        }
        try Data(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0"><dict><key>method</key><string>ad-hoc</string></dict></plist>

            """.utf8
        ).write(to: checkout.appending(path: "ExportOptions.plist"))
        let keys = folder.appending(path: "authority.pem")
        try Data(SigningAuthority.cached().privatePEM.utf8).write(to: keys)
        let xcode = try StandInXcode(
            in: folder.appending(path: "xcode"),
            ota: program,
            authority: keys,
            schemes: [example.scheme: example.sample],
            signs: example.signs,
        )
        // Only macOS has keychains.
        let security = tools.appending(path: "security")
        try Data("#!/bin/sh\necho \"security $1\" >> \"$HOME/security\"\n".utf8).write(to: security)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755],
            ofItemAtPath: security.path(),
        )
        return [
            "PATH": "\(xcode.bin.path()):\(tools.path()):/usr/local/bin:/usr/bin:/bin",
            "HOME": home.path(), "TMPDIR": home.path(), "CI": "true", "LANG": "C.UTF-8",
            "TAG": "v2.3.4", "VERSION": "2.3.4", "MARKETING_VERSION": "2.3.4",
            "BUILD_NUMBER": "567", "CHANNEL": "stable", "SIGNING_P12": "AAAA",
            "SIGNING_PASSWORD": "password", "SIGNING_PROFILE": "AAAA",
        ]
    }

    private static func check(
        _ pipeline: Pipeline,
        _ example: Example,
        in checkout: URL,
        with program: Program,
    ) async throws {
        let made = pipeline.artifacts.map(\.path)
        let build = try #require(made.first)
        for path in made {
            let file = checkout.appending(path: path)
            #expect(FileManager.default.fileExists(atPath: file.path()), "\(path)")
        }
        struct Inspected: Decodable {
            struct Nested: Decodable { let version, build: String? }
            let version, build: String
            let nested: [Nested]
        }
        var ipa = build
        if build.hasSuffix(".xcarchive") {
            let archive = try XcodeArchive(at: checkout.appending(path: build).path())
            #expect(archive.defect == .unsigned)
            #expect(made.contains { $0.hasSuffix(".xcresult") })
            ipa = "packed.ipa"
            let packed = try await program.run(
                ["package", build, "--output", ipa],
                in: checkout,
            )
            try #require(packed.status == 0, "\(packed.errors)")
        }
        let told = try await program.run(["inspect", ipa, "--json"], in: checkout)
        try #require(told.status == 0, "\(told.errors)")
        let app = try JSONDecoder().decode(Inspected.self, from: Data(told.output.utf8))
        #expect(app.version == "2.3.4" && app.build == "567")
        #expect(app.nested.allSatisfy { $0.version == "2.3.4" || $0.version == nil })
    }

    @Test func `the stand-in refuses what xcodebuild refuses, with its exit statuses`() async throws
    {
        let program = try #require(Program(built: "ota"), "ota was not built beside the tests")
        try await withTemporaryFolder { folder in
            let checkout = folder.appending(path: "checkout")
            let environment = try Self.prepare(folder, checkout, Self.examples[0], with: program)
            let cases: [(words: String, status: Int32, says: String)] = [
                ("archive -schema App", 64, "invalid option '-schema'"),
                ("archive -scheme", 64, "requires at least one argument"),
                ("archiv -scheme App", 65, "Unknown build action 'archiv'"),
                ("archive -scheme Ap", 65, "does not contain a scheme named \"Ap\""),
                ("archive -project No.xcodeproj -scheme App", 66, "does not exist"),
                ("archive -scheme App -destination platform=iOS", 70, "Unable to find a dest"),
                ("archive -scheme App -destination generic=iOS", 70, "Unable to find a dest"),
                ("archive -scheme App", 65, "No profiles for"),
                ("test -scheme App", 70, "concrete device"),
                ("archive -scheme App CODE_SIGNING_ALLOWED=NO MARKETING_VERSION=dev", 65, "dev"),
                (
                    "-exportArchive -archivePath no.xcarchive", 64,
                    "-exportOptionsPlist is required",
                ),
            ]
            for (words, status, says) in cases {
                let script = folder.appending(path: "step.sh")
                try Data("exec xcodebuild \(words)".utf8).write(to: script)
                let outcome = try await Self.run(script, environment, in: checkout)
                #expect(outcome.status == status, "\(words): \(outcome)")
                #expect(outcome.errors.contains(says), "\(words): \(outcome.errors)")
            }
        }
    }
}
