import Bytes
import Cryptography
import Foundation
import PropertyLists
import Sample
import TestSupport
import Testing
import Zip

/// `ota sign`, run as the real program, from its files to a build that can be installed.
@Suite(.timeLimit(.minutes(10)))
struct SignCommandTests {
    /// Writes an identity, a profile for the app and a build of another team.
    private func prepare(
        _ place: Workplace,
        granting entitlements: [String: PropertyList] = [:],
        _ change: (inout ProfileBuilder) -> Void = { _ in },
    ) throws {
        try place.write(place.authority.privatePEM, to: "identity.pem")
        try profile("com.example.demo", to: "app.mobileprovision", in: place, entitlements, change)
        let other = try SigningAuthority(team: .other, validFrom: Date())
        try IPABuilder("Demo", identifier: "com.example.demo", by: other, at: Date())
            .editing { $0.app.hasIcon = false }
            .build(to: place.path("build.ipa"))
    }

    private func profile(
        _ identifier: String,
        to name: String,
        in place: Workplace,
        _ entitlements: [String: PropertyList] = [:],
        _ change: (inout ProfileBuilder) -> Void = { _ in },
    ) throws {
        var builder = ProfileBuilder(.adHoc, devices: [SampleDevices.one], created: Date())
        change(&builder)
        let bytes = try builder.bytes(
            for: .init(bundleIdentifier: identifier, entitlements: entitlements),
            by: place.authority,
        )
        try Data(bytes).write(to: place.folder.appending(path: name))
    }

    private static let usual = [
        "--identity", "identity.pem", "--profile", "app.mobileprovision", "--trusted-ca",
        "anchor.pem",
    ]

    @Test func `a build of another team is signed, and installs`() async throws {
        try await Workplace.run { place in
            try prepare(place)
            try place.write("mine", to: "signed.ipa.partial")
            let signed = try await place.json(
                ["sign", "build.ipa", "--output", "signed.ipa"] + Self.usual
            )
            #expect(signed["output"].string == "signed.ipa")
            #expect(signed["bundles"].items[0]["bundleIdentifier"].string == "com.example.demo")
            #expect(signed["bundles"].items[0]["profile"]["devices"].number == 1)
            #expect(
                signed["bundles"].items[0]["entitlements"]["kept"]["application-identifier"].string
                    == "OTASAMPLE1.com.example.demo"
            )
            let validated = try await place.json(
                "validate",
                "signed.ipa",
                "--trusted-ca",
                "anchor.pem",
            )
            #expect(validated["verdict"].string == "unknown")
            let files = try FileManager.default.contentsOfDirectory(atPath: place.folder.path())
            #expect(!files.contains { $0.hasPrefix(".signed.ipa") })
            let kept = place.folder.appending(path: "signed.ipa.partial")
            #expect(try Data(contentsOf: kept) == Data("mine".utf8))
        }
    }

    @Test func `a profile with 12,000 devices is used, and none of them is named`() async throws {
        try await Workplace.run { place in
            let devices = SampleDevices.list(12_000)
            try prepare(place) { $0.devices = devices }
            let outcome = try await place.ota(
                ["sign", "build.ipa", "--output", "signed.ipa", "--json"] + Self.usual
            )
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.output.contains("\"devices\" : 12000"))
            #expect(!outcome.output.contains(devices[0]))
        }
    }

    @Test func `an output that is there is replaced with --force alone, and never the input`()
        async throws
    {
        try await Workplace.run { place in
            try prepare(place)
            try place.write("mine", to: "signed.ipa")
            let outcome = try await place.ota(
                ["sign", "build.ipa", "--output", "signed.ipa"] + Self.usual
            )
            #expect(outcome.status == 1)
            #expect(outcome.errors.contains("--force"))
            let input = try await place.ota(
                ["sign", "build.ipa", "--output", "./build.ipa", "--force"] + Self.usual
            )
            #expect(input.status == 1)
            let forced = try await place.ota(
                ["sign", "build.ipa", "--output", "signed.ipa", "--force"] + Self.usual
            )
            #expect(forced.status == 0, "\(forced)")
            #expect(forced.output.contains("Signed"))
        }
    }

    @Test func `what would not install is not written`() async throws {
        try await Workplace.run { place in
            try prepare(place) { $0.devices = [] }
            let refused = try await place.json(
                ["sign", "build.ipa", "--output", "signed.ipa"] + Self.usual,
                status: 1,
            )
            #expect(refused["output"].string == nil)
            #expect(!place.isThere("signed.ipa"))
            let files = try FileManager.default.contentsOfDirectory(atPath: place.folder.path())
            #expect(!files.contains { $0.hasPrefix(".signed.ipa") })
        }
    }

    @Test func `claims come from a file, for the app or for a bundle in it`() async throws {
        try await Workplace.run { place in
            try prepare(place, granting: ["com.apple.developer.siri": .boolean(true)])
            let claims = PropertyList.dictionary(["com.apple.developer.siri": .boolean(true)])
            try Data(claims.xml()).write(to: place.folder.appending(path: "app.entitlements"))
            for argument in ["app.entitlements", "com.example.demo=app.entitlements"] {
                let signed = try await place.json(
                    [
                        "sign", "build.ipa", "--output", "signed.ipa", "--force",
                        "--entitlements", argument,
                    ] + Self.usual
                )
                let kept = signed["bundles"].items[0]["entitlements"]["kept"]
                #expect(kept["com.apple.developer.siri"].boolean == true)
            }
            let stray = try await place.ota(
                [
                    "sign", "build.ipa", "--output", "stray.ipa", "--json", "--entitlements",
                    "com.example.typo=app.entitlements",
                ] + Self.usual
            )
            let refusal = try JSON(stray.errors)["error"]
            #expect(refusal["id"].string == "entitlements.no-bundle")
            #expect(refusal["fix"].string?.contains("com.example.demo") == true)
            #expect(!place.isThere("stray.ipa"))
            let app = "com.example.demo=app.entitlements"
            let plain = "app.entitlements"
            for (first, second) in [(plain, plain), (app, app), (app, plain)] {
                let twice = try await place.ota(
                    [
                        "sign", "build.ipa", "--output", "twice.ipa", "--json",
                        "--entitlements", first, "--entitlements", second,
                    ] + Self.usual
                )
                #expect(try JSON(twice.errors)["error"]["id"].string == "entitlements.twice")
                #expect(!place.isThere("twice.ipa"))
            }
        }
    }

    @Test func `an output that cannot be written is named as it was given`() async throws {
        try await Workplace.run { place in
            try prepare(place)
            let refused = try await place.ota(
                ["sign", "build.ipa", "--output", "absent/signed.ipa", "--json"] + Self.usual
            )
            let error = try JSON(refused.errors)["error"]
            #expect(error["place"].string == "absent/signed.ipa")
        }
    }

    private static let openssl = "/usr/bin/openssl"

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: openssl)))
    func `an identity opens with the passphrase of --password-file`() async throws {
        try await Workplace.run { place in
            try prepare(place)
            let identity = place.authority.distribution
            let chain = [identity.certificate] + identity.chain
            try place.write(identity.key.pem + chain.map(\.pem).joined(), to: "one.pem")
            let exported = try await Program(path: Self.openssl).run(
                [
                    "pkcs12", "-export", "-in", "one.pem", "-out", "identity.p12", "-passout",
                    "pass:secret",
                ],
                in: place.folder,
            )
            #expect(exported.status == 0, "\(exported)")
            try place.write("secret\n", to: "passphrase")
            try place.write("other\n", to: "wrong")
            let command = [
                "sign", "build.ipa", "--output", "signed.ipa", "--identity", "identity.p12",
                "--profile", "app.mobileprovision", "--trusted-ca", "anchor.pem", "--password-file",
            ]
            let refused = try await place.ota(command + ["wrong"])
            #expect(refused.status == 1)
            #expect(refused.errors.contains("passphrase"))
            let signed = try await place.json(command + ["passphrase"])
            #expect(signed["output"].string == "signed.ipa")
        }
    }

    @Test func `an app's folder becomes a signed build`() async throws {
        try await Workplace.run { place in
            try prepare(place)
            let zip = try ZipArchive(reading: MemorySource(place.bytes("build.ipa")))
            for entry in zip.entries where entry.kind == .file {
                let name = String(entry.path.text.dropFirst("Payload/".count))
                let file = place.folder.appending(path: name)
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(),
                    withIntermediateDirectories: true,
                )
                try Data(zip.contents(of: entry, atMost: 64 << 20)).write(to: file)
                if entry.isExecutable {
                    try FileManager.default.setAttributes(
                        [.posixPermissions: 0o755],
                        ofItemAtPath: file.path(),
                    )
                }
            }
            let signed = try await place.json(
                ["sign", "Demo.app/", "--output", "signed.ipa"] + Self.usual
            )
            #expect(signed["bundles"].items[0]["path"].string == "Payload/Demo.app")
            let result = try ZipArchive(reading: MemorySource(place.bytes("signed.ipa")))
            try result.verify(threads: 1)
            #expect(result["Payload/Demo.app/Demo"]?.method == .deflated)
        }
    }

    @Test func `what is no order of the server's is answered with a problem`() async throws {
        try await Workplace.run { place in
            let outcome = try await place.ota("sign", "--request", "-", input: "no order\n")
            #expect(outcome.status == 1)
            let problem = try JSON(outcome.output)["problem"]
            #expect(problem["id"].string == "signing-order.malformed")
        }
    }

    @Test func `usage is checked before anything is read`() async throws {
        try await Workplace.run { place in
            let lines = [
                ["sign"], ["sign", "build.ipa"],
                ["sign", "build.ipa", "--identity", "a", "--profile", "b", "--output", "c.zip"],
            ]
            for arguments in lines {
                let outcome = try await place.ota(arguments)
                #expect(outcome.status == 64)
            }
        }
    }
}
