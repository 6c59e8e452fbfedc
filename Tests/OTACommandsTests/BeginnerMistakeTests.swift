import Foundation
import TestSupport
import Testing

/// Typical mistakes of beginners: each gets a message that says what to do.
@Suite(.timeLimit(.minutes(10)))
struct BeginnerMistakeTests {
    @Test(arguments: [
        ("App.xcarchive", "is an Xcode archive, not an IPA", "ota package App.xcarchive"),
        ("App.app", "is an app bundle, not an IPA", "ota sign App.app"),
        ("Folder", "is a folder, not an IPA", "give the .ipa in it"),
    ])
    func `a folder in place of a build is named with the command that makes an IPA of it`(
        name: String,
        message: String,
        fix: String,
    ) async throws {
        try await Workplace.run { place in
            try FileManager.default.createDirectory(
                at: place.folder.appending(path: name),
                withIntermediateDirectories: true,
            )
            for command in ["publish", "validate", "inspect"] {
                let refused = try await place.refusal(command, name)
                #expect(refused["id"].string == "input.folder")
                #expect(refused["message"].string == "\(name) \(message)")
                #expect(refused["fix"].string?.contains(fix) == true)
            }
            #expect(!place.isThere("ota-store"))
        }
    }

    @Test func `a Git LFS pointer is told from a damaged file`() async throws {
        try await Workplace.run { place in
            try place.write("version https://git-lfs.github.com/spec/v1\nsize 7\n", to: "a.ipa")
            let refused = try await place.ota("publish", "a.ipa")
            #expect(refused.status == 1)
            #expect(refused.errors.contains("Git LFS pointer"))
            #expect(refused.errors.contains("git lfs pull"))
        }
    }

    @Test func `an authority that is no PEM file is named, and one in DER form converted`()
        async throws
    {
        try await Workplace.run { place in
            try await place.makeSample()
            let openssl = try await Program(path: "/usr/bin/openssl").run(
                ["x509", "-in", "sample-authority.pem", "-outform", "der", "-out", "a.der"],
                in: place.folder,
            )
            #expect(openssl.status == 0)
            let der = try await place.refusal("publish", "sample.ipa", "--trusted-ca", "a.der")
            #expect(der["message"].string == "a.der is not a certificate in PEM form")
            #expect(der["fix"].string?.contains("openssl x509 -inform der -in a.der") == true)
            let build = try await place.refusal(
                "publish",
                "sample.ipa",
                "--trusted-ca",
                "sample.ipa",
            )
            #expect(build["id"].string == "anchor.not-pem")
            #expect(build["fix"].string?.contains("BEGIN CERTIFICATE") == true)
        }
    }

    @Test func `the last line of a refusal names the first finding that blocks`() async throws {
        try await Workplace.run { place in
            try await place.makeSample()
            let refused = try await place.ota("publish", "sample.ipa")
            #expect(refused.status == 1)
            let last = refused.errors.split(separator: "\n").last ?? ""
            #expect(last.contains("profile.unverified"), "\(last)")
        }
    }

    @Test func `inspect says that an untrusted signature is intact`() async throws {
        try await Workplace.run { place in
            try await place.makeSample()
            let inspected = try await place.ota("inspect", "sample.ipa")
            #expect(inspected.output.contains("signature   intact, and not from Apple"))
        }
    }

    @Test(arguments: [
        (["publsh", "x"], "ota publsh", "`ota publish`"),
        (["device", "list"], "ota device", "`ota devices`"),
        (["devices", "lst"], "ota devices lst", "`ota devices list`"),
        (["Publish", "x"], "ota Publish", "`ota publish`"),
        (["miror", "list"], "ota miror", "`ota mirror`"),
    ])
    func `a mistyped command is answered with the one that is meant`(
        arguments: [String],
        typed: String,
        meant: String,
    ) async throws {
        try await Workplace.run { place in
            let refused = try await place.ota(arguments)
            #expect(refused.status == 64)
            #expect(refused.errors.hasPrefix("error: there is no command `\(typed)`"))
            #expect(refused.errors.contains("did you mean \(meant)"), "\(refused.errors)")
        }
    }

    @Test func `a command that resembles none gets no guess`() async throws {
        try await Workplace.run { place in
            let refused = try await place.ota("frobnicate")
            #expect(refused.status == 64)
            #expect(!refused.errors.contains("did you mean"))
            #expect(refused.errors.contains("see `ota --help`"))
        }
    }

    @Test(arguments: [
        ["publish"], ["serve", "--port", "abc"], ["devices", "add", "short"],
        ["publish", "a.ipa", "--expires", "2d"], ["groups", "add", "qa"], ["apps", "set", "x"],
        ["webhooks", "add", "https://a.example", "--kind", "fax"], ["completions", "tcsh"],
    ])
    func `the parser's refusals have the form of all others`(arguments: [String]) async throws {
        try await Workplace.run { place in
            let refused = try await place.ota(arguments)
            #expect(refused.status == 64)
            #expect(refused.errors.hasPrefix("error: "), "\(refused.errors)")
            #expect(refused.errors.contains("\n  fix    see `ota \(arguments[0])"))
            let message = refused.errors.dropFirst("error: ".count).prefix { !$0.isNewline }
            #expect(message.first?.isUppercase == false && !message.hasSuffix("."), "\(message)")
            #expect(!message.contains("Please"), "\(message)")
            #expect(!refused.errors.contains("Usage:"))
        }
    }

    @Test func `a UDID is accepted without its hyphen`() async throws {
        try await Workplace.run { place in
            let added = try await place.json(
                "devices",
                "add",
                "00008120000a1b2c3d4e5f67",
                "--name",
                "A",
            )
            #expect(added["device"]["udid"].string == "00008120-000A1B2C3D4E5F67")
        }
    }

    @Test(.enabled(if: geteuid() == 0))
    func `root is kept from leaving files in the store of another user's server`() async throws {
        try await Workplace.run { place in
            _ = try await place.json("devices", "add", Workplace.ana, "--name", "Ana")
            let given = try await Program(path: "/bin/chown").run(
                ["-R", "nobody", "ota-store"],
                in: place.folder,
            )
            #expect(given.status == 0)
            let refused = try await place.refusal(
                "tokens",
                "create",
                "--name",
                "a",
                "--scope",
                "admin",
            )
            #expect(refused["id"].string == "store.other-owner")
            #expect(refused["fix"].string?.contains("sudo -u nobody ota") == true)
            let found = try await Program(path: "/usr/bin/find").run(
                ["ota-store", "-user", "root"],
                in: place.folder,
            )
            #expect(found.output.isEmpty, "\(found.output)")
        }
    }

    @Test func `a port that is taken is one refusal without other lines`() async throws {
        try await Workplace.run { place in
            let first = try place.start(
                "serve",
                "--store",
                "first",
                "--port",
                "0",
                "--plain-port",
                "0",
            )
            defer { first.send(SIGKILL) }
            let line = try #require(await first.line())
            let taken = try #require(line.split(separator: ":").last)
            for ports in [
                ["--port", "\(taken)", "--plain-port", "0"],
                ["--port", "0", "--plain-port", "\(taken)"],
            ] {
                let refused = try await place.ota(["serve", "--store", "second"] + ports)
                #expect(refused.status == 1)
                #expect(refused.errors.hasPrefix("error: cannot listen on"), "\(refused.errors)")
            }
        }
    }
}

extension Workplace {
    /// Creates the files of `ota sample`: a build that no device trusts, and its authority.
    fileprivate func makeSample() async throws {
        let made = try await ota("sample", "--output", "sample.ipa")
        try #require(made.status == 0, "\(made.errors)")
    }
}
