import Bundles
import Cryptography
import Foundation
import Identifiers
import Phone
import PropertyLists
import Sample
import TestSupport
import Testing

/// Builds that `ota sign` signed, on their way to a phone.
@Suite(.timeLimit(.minutes(10)))
struct SignedBuildTests {
    static let forks = "com.example.forks"

    /// The bundles in Forks that have a profile of their own, and the additional entitlements of each.
    static let parts: [(suffix: String, entitlements: [String: PropertyList])] = {
        let group: [String: PropertyList] = [
            "com.apple.security.application-groups": .array([.string("group.com.example.forks")])
        ]
        let push: [String: PropertyList] = ["aps-environment": .string("production")]
        return [
            ("", group.merging(push) { $1 }), (".ForksWidget", group), (".ForksShare", group),
            (".ForksLiveActivity", group), (".watchkitapp", [:]),
            (".watchkitapp.ForksComplication", [:]),
        ]
    }()

    /// Writes the identity and a profile for each bundle, for some devices; returns the file names.
    static func write(
        profilesFor devices: [String],
        named name: String = "",
        on server: ServedStore,
    ) throws -> [String] {
        let identity = Data(server.authority.distribution.pem.utf8)
        try identity.write(to: server.folder.appending(path: "identity.pem"))
        return try parts.enumerated().map { index, part in
            let file = "\(name)\(index).mobileprovision"
            let profile = try ProfileBuilder(.adHoc, devices: devices, created: Date()).bytes(
                for: ProfileBuilder.Subject(
                    bundleIdentifier: forks + part.suffix,
                    entitlements: part.entitlements,
                ),
                by: server.authority,
            )
            try Data(profile).write(to: server.folder.appending(path: file))
            return file
        }
    }

    /// Forks as the team signed it earlier, for a phone that is not in this register.
    private static func builder() throws -> IPABuilder {
        let before = Date().addingTimeInterval(-40 * 86_400)
        let authority = try SigningAuthority(validFrom: before)
        return SampleApps.forks(by: authority, at: before)
            .editingProfile { $0.devices = ["00008110-000A00000000FFFF"] }
    }

    private static func sign(
        _ input: String,
        to output: String,
        with profiles: [String],
        on server: ServedStore,
        _ more: [String] = [],
    ) async throws -> Program.Outcome {
        try await server.program.run(
            [
                "sign", input, "--identity", "identity.pem", "--output", output, "--trusted-ca",
                "anchor.pem", "--json",
            ] + profiles.flatMap { ["--profile", $0] } + more,
            in: server.folder,
        )
    }

    /// Publishes a signed build, and returns what a phone fetches, after checking that the bytes are the
    /// same.
    private static func publishAndFetch(
        _ name: String,
        on server: ServedStore,
    ) async throws -> [UInt8] {
        let published = try await server.ota(
            "publish",
            name,
            "--trusted-ca",
            "anchor.pem",
            "--base-url",
            server.base,
        )
        try #require(published.status == 0, "\(published.errors)")
        let phone = try await server.phone { $0.udid = DeviceUDID(SampleDevices.one) }
        let page = "\(server.base)/apps/forks"
        try await eventually(within: .seconds(10), "the page offers what was published") {
            await phone.install(from: page).installs
        }
        let bytes = try await phone.bytes(from: page)
        #expect(try bytes == [UInt8](Data(contentsOf: server.folder.appending(path: name))))
        return bytes
    }

    @Test func `Forks with four extensions and a watch app is signed and lands on the phone`()
        async throws
    {
        _ = try await ServedStore.run("--trusted-ca", "anchor.pem", believing: DeviceAuthority()) {
            server in
            try await server.build("old.ipa", Self.builder())
            let profiles = try Self.write(profilesFor: [SampleDevices.one], on: server)
            let signed = try await Self.sign("old.ipa", to: "new.ipa", with: profiles, on: server)
            try #require(signed.status == 0, "\(signed.errors)")
            let bytes = try await Self.publishAndFetch("new.ipa", on: server)
            let app = try InstalledApp(bytes)
            let nested = app.bundle.everyBundle.filter(\.kind.hasOwnProfile)
            #expect(nested.count == Self.parts.count)
            let device = try #require(DeviceUDID(SampleDevices.one))
            for bundle in nested {
                let claims = try #require(bundle.profile).claims()
                #expect(claims.devices == [device])
            }
        }
    }

    @Test func `one profile too few is named, and nothing is written`() async throws {
        _ = try await ServedStore.run("--trusted-ca", "anchor.pem", believing: DeviceAuthority()) {
            server in
            try await server.build("old.ipa", Self.builder())
            let profiles = try Self.write(profilesFor: [SampleDevices.one], on: server)
            for index in profiles.indices {
                var less = profiles
                less.remove(at: index)
                let signed = try await Self.sign("old.ipa", to: "new.ipa", with: less, on: server)
                #expect(signed.status != 0)
                let said = signed.errors + signed.output
                #expect(said.contains(Self.forks + Self.parts[index].suffix), "\(said)")
                let left = try FileManager.default.contentsOfDirectory(
                    atPath: server.folder.path()
                ).filter { $0.hasPrefix("new") || $0.hasPrefix(".new") }
                #expect(left == [])
            }
        }
    }

    @Test func `all profiles that are lacking are named at once`() async throws {
        _ = try await ServedStore.run("--trusted-ca", "anchor.pem", believing: DeviceAuthority()) {
            server in
            try await server.build("old.ipa", Self.builder())
            let profiles = try Self.write(profilesFor: [SampleDevices.one], on: server)
            let one = [try #require(profiles.first)]
            let signed = try await Self.sign("old.ipa", to: "new.ipa", with: one, on: server)
            #expect(signed.status == 1)
            for part in Self.parts.dropFirst() {
                #expect(signed.errors.contains(Self.forks + part.suffix), "\(signed.errors)")
            }
            #expect(signed.errors.contains("5 bundles need profiles"), "\(signed.errors)")
        }
    }

    @Test func `an archive that nobody signed lands on the phone`() async throws {
        _ = try await ServedStore.run("--trusted-ca", "anchor.pem", believing: DeviceAuthority()) {
            server in
            try await server.build("old.ipa", Self.builder())
            let script = """
                set -e
                unzip -q old.ipa
                mkdir -p App.xcarchive/Products/Applications
                mv Payload/*.app App.xcarchive/Products/Applications/
                find App.xcarchive -name _CodeSignature -prune -exec rm -r {} +
                find App.xcarchive -name embedded.mobileprovision -delete
                cat > App.xcarchive/Info.plist <<END
                <?xml version="1.0" encoding="UTF-8"?>
                <plist version="1.0"><dict><key>ArchiveVersion</key><integer>2</integer></dict></plist>
                END
                """
            let made = try await Program(path: "/bin/sh").run(["-c", script], in: server.folder)
            try #require(made.status == 0, "\(made.errors)")
            let profiles = try Self.write(profilesFor: [SampleDevices.one], on: server)
            let signed = try await Self.sign(
                "App.xcarchive",
                to: "new.ipa",
                with: profiles,
                on: server,
            )
            try #require(signed.status == 0, "\(signed.errors)")
            _ = try await Self.publishAndFetch("new.ipa", on: server)
        }
    }
}
