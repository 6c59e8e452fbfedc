import Bundles
import Cryptography
import Foundation
import Identifiers
import MirrorBuilds
import Phone
import PropertyLists
import Releases
import Sample
import Store
import TestSupport
import Testing

/// Builds that the server signs for a team, on their way to a phone.
@Suite(.timeLimit(.minutes(10)))
struct SigningServerTests {
    private static let team = DevelopmentTeam.sample.identifier
    private static let selector = "com.example.BrowserSelector"

    private static func served(
        by devices: DeviceAuthority,
        _ body: (ServedStore) async throws -> Void,
    ) async throws {
        _ = try await ServedStore.run(
            "--trusted-ca",
            "anchor.pem",
            "--key-file",
            "key",
            believing: devices,
            body,
        )
    }

    /// Writes a profile.
    private static func write(
        _ file: String,
        for identifier: String,
        granting entitlements: [String: PropertyList] = [:],
        devices: [String],
        on server: ServedStore,
    ) throws {
        let date = Date().addingTimeInterval(-60)
        let profile = try ProfileBuilder(.adHoc, devices: devices, created: date).bytes(
            for: .init(bundleIdentifier: identifier, entitlements: entitlements),
            by: server.authority,
        )
        try Data(profile).write(to: server.folder.appending(path: file))
    }

    /// Runs `ota teams add` with the signing identity; creates the key file.
    private static func addTeam(with profile: String, on server: ServedStore) async throws {
        let identity = Data(server.authority.distribution.pem.utf8)
        try identity.write(to: server.folder.appending(path: "identity.pem"))
        let added = try await server.ota(
            "teams",
            "add",
            team,
            "--identity",
            "identity.pem",
            "--profile",
            profile,
            "--key-file",
            "key",
            "--trusted-ca",
            "anchor.pem",
        )
        try #require(added.status == 0, "\(added.errors)")
    }

    // MARK: A device that joined

    private struct Invited: Decodable {
        let url: String
    }

    private struct Published: Decodable {
        let url: String
    }

    private struct Signed: Decodable {
        let gained: Int
    }

    /// Returns a phone that joined by an invitation and was approved.
    private static func enrolled(
        _ udid: String,
        _ devices: DeviceAuthority,
        on server: ServedStore,
    ) async throws -> SimulatedPhone {
        var phone = try await server.phone { $0.udid = DeviceUDID(udid) }
        let device = try SampleDevice(certifiedBy: devices, udid: udid, product: "iPhone15,2")
        let invited = try await server.json(
            "devices",
            "invite",
            "--name",
            "Ana's iPhone",
            "--base-url",
            server.base,
            as: Invited.self,
        )
        let attempt = await phone.enrol(from: invited.url, code: nil) { request in
            try device.answer(challenge: request.challenge ?? "")
        }
        try #require(attempt.arrives, "\(attempt.steps.story)")
        let approved = try await server.ota("devices", "approve", "--all")
        try #require(approved.status == 0, "\(approved.errors)")
        return phone
    }

    @Test
    func `a device that a build lacks installs it from its open page once it is signed again`()
        async throws
    {
        let devices = try DeviceAuthority()
        try await Self.served(by: devices) { server in
            let udid = try #require(SampleDevices.list(4).last)
            let phone = try await Self.enrolled(udid, devices, on: server)
            try await server.build("old.ipa", SampleApps.sample(by: server.authority, at: Date()))
            let published = try await server.json(
                "publish",
                "old.ipa",
                "--trusted-ca",
                "anchor.pem",
                as: Published.self,
            )
            let app = "com.example.ota-sample"
            try Self.write(
                "new.mobileprovision",
                for: app,
                devices: [SampleDevices.one, udid],
                on: server,
            )
            try await Self.addTeam(with: "new.mobileprovision", on: server)
            let set = try await server.ota("apps", "set", app, "--team", Self.team)
            try #require(set.status == 0, "\(set.errors)")

            let page = try OpenPage(published.url, on: phone)
            _ = try await page.text("the page says that the device is missing") {
                $0.contains("This build was made without your device.")
                    && !$0.contains("itms-services")
            }
            #expect(await !phone.install(from: published.url).installs)
            try await page.hears("the open page hears that the build was signed again") {
                let signed = try await server.json(
                    "releases",
                    "sign",
                    app,
                    "1.0",
                    "--key-file",
                    "key",
                    as: Signed.self,
                )
                #expect(signed.gained == 1)
            }
            _ = try await page.text("the page has the button") {
                $0.contains("Made for this device.") && $0.contains("itms-services")
            }
            let bytes = try await phone.bytes(from: published.url)
            let store = try OTAStore.open(at: server.folder.appending(path: "store").path())
            let record = try #require(try store.apps().first)
            let release = try #require(try store.release(on: .stable, of: record))
            #expect(SHA256Digest(of: bytes) == release.sha256)
            #expect(release.sha256 != release.original.sha256)
            #expect(try store.releaseIdentifiers(of: record.bundleIdentifier).count == 1)
            let listed = try #require(InstalledApp(bytes).bundle.profile).claims().devices
            #expect(listed?.contains(try #require(DeviceUDID(udid))) == true)
        }
    }

    // MARK: Unsigned archives

    /// A program that was never signed, as `CODE_SIGNING_ALLOWED=NO` leaves it.
    private static func unsignedProgram() throws -> Data {
        Data(
            try MachOBuilder(named: "BrowserSelector", minimumOS: "16.0")
                .slice(reservingSignature: 0).bytes
        )
    }

    private static let claims = """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0"><dict>
        <key>com.apple.developer.web-browser</key><true/>
        <key>com.apple.developer.siri</key><true/>
        </dict></plist>

        """

    /// Waits for the end of the run with this number, and returns it.
    private static func run(_ number: Int, of app: MirroredApp) async throws -> MirrorRun {
        let name = try #require(Slug("app"))
        let store = try app.store
        try await eventually(within: .seconds(90), "build \(number) is over") {
            try store.run(number, of: name)?.state.isOver == true
        }
        return try #require(try store.run(number, of: name))
    }

    private static func log(_ number: Int, on server: ServedStore) async throws -> String {
        try await server.ota("mirror", "logs", "app", "\(number)").output
    }

    @Test func `an app that is added for it gets its first build from an unsigned archive`()
        async throws
    {
        try await Self.served(by: DeviceAuthority()) { server in
            let app = try await MirroredApp("browser-selector", on: server)
            try app.work.write(Self.claims, to: "ios/BrowserSelector.entitlements")
            try Self.unsignedProgram().write(to: app.work.folder.appending(path: "ios/program"))
            let built = "build/BrowserSelector.xcarchive"
            try await app.work.commit(
                "Begin",
                [
                    ".ota/pipeline.yml": """
                    requires: ios
                    steps:
                      - name: Archive
                        run: |
                          \(app.compile("browser-selector", to: "made.ipa"))
                          sh archive.sh made.ipa \(built) unsigned
                          cp ios/program \(built)/Products/Applications/*.app/BrowserSelector
                    artifacts:
                      - path: build/*.xcarchive
                        entitlements: ios/BrowserSelector.entitlements
                    """
                ],
            )
            try await app.push("main")
            try await app.follow(as: "app", "--interval", "10s", "--branch", "none")

            // Without an app, the archive is kept, and the log says what is missing.
            try await app.push("v1.0.0")
            let kept = try await Self.run(1, of: app)
            #expect(kept.state == .succeeded, "\(kept)")
            #expect(kept.artifacts.map(\.outcome) == [.notInstallable])
            let add = "ota apps add \(Self.selector) --team TEAMID --signing automatic"
            let said = try await Self.log(1, on: server)
            #expect(said.contains(add), "\(said)")

            let browser = "com.apple.developer.web-browser"
            try Self.write(
                "app.mobileprovision",
                for: Self.selector,
                granting: [browser: .boolean(true), "com.apple.developer.siri": .boolean(true)],
                devices: [SampleDevices.one],
                on: server,
            )
            try await Self.addTeam(with: "app.mobileprovision", on: server)
            let added = try await server.ota(
                "apps",
                "add",
                Self.selector,
                "--title",
                "Selector",
                "--team",
                Self.team,
                "--signing",
                "automatic",
            )
            try #require(added.status == 0, "\(added.errors)")
            let page = "\(server.base)/apps/selector"
            let phone = try await server.phone { $0.udid = DeviceUDID(SampleDevices.one) }
            let empty = try await Browser(like: phone).get(page)
            #expect(empty.status == 200 && empty.text.contains("Nothing has been published yet."))

            try await app.work.commit("Open links faster")
            try await app.push("v1.2.0")
            let (record, release) = try await app.release("1.2.0-2", on: "stable")
            #expect(record.slug.rawValue == "selector" && record.title == "Selector")
            #expect(release.tag == "v1.2.0" && release.notes == "- Open links faster")
            let log = try await Self.log(2, on: server)
            #expect(log.contains("for team \(Self.team)"), "\(log)")
            let bytes = try await phone.bytes(from: page)
            #expect(SHA256Digest(of: bytes) == release.sha256)
            let file = server.folder.appending(path: "got.ipa")
            try Data(bytes).write(to: file)
            let told = try await server.ota(
                "inspect",
                "got.ipa",
                "--trusted-ca",
                "anchor.pem",
                "--json",
            )
            let inspected = try JSONDecoder().decode(
                Inspected.self,
                from: Data(told.output.utf8),
            )
            for key in [browser, "com.apple.developer.siri"] {
                let entry = inspected.entitlements.first { $0.key == key }
                #expect(entry?.claimed == "true" && entry?.granted == "true", "\(key)")
            }

            // With manual signing again, the next archive is kept.
            let set = try await server.ota("apps", "set", "selector", "--signing", "manual")
            try #require(set.status == 0, "\(set.errors)")
            try await app.work.commit("Go on")
            try await app.push("v1.3.0")
            let left = try await Self.run(3, of: app)
            #expect(left.artifacts.map(\.outcome) == [.notInstallable], "\(left)")
            let words = try await Self.log(3, on: server)
            let way = "ota apps set \(Self.selector) --team TEAMID --signing automatic"
            #expect(words.contains(way), "\(words)")
        }
    }

    private struct Inspected: Decodable {
        struct Entitlement: Decodable {
            let key: String
            let claimed, granted: String?
        }

        let entitlements: [Entitlement]
    }

    @Test func `Forks with its extensions and its watch app is signed by a mirror`() async throws {
        try await Self.served(by: DeviceAuthority()) { server in
            let app = try await MirroredApp("forks", on: server)
            try await app.work.commit(
                "Begin",
                [
                    ".ota/pipeline.yml": """
                    steps:
                      - name: Archive
                        run: |
                          \(app.compile("forks", to: "made.ipa"))
                          sh archive.sh made.ipa build/Forks.xcarchive unsigned
                          find build -name _CodeSignature -prune -exec rm -r {} +
                          find build -name embedded.mobileprovision -delete
                    artifacts:
                      - path: build/*.xcarchive
                    """
                ],
            )
            try await app.push("main")
            try await app.follow(as: "app", "--interval", "10s", "--branch", "none")
            let profiles = try SignedBuildTests.write(
                profilesFor: [SampleDevices.one],
                on: server,
            )
            try await Self.addTeam(with: try #require(profiles.first), on: server)
            let added = try await server.ota(
                "apps",
                "add",
                SignedBuildTests.forks,
                "--team",
                Self.team,
                "--signing",
                "automatic",
            )
            try #require(added.status == 0, "\(added.errors)")

            // With only one profile, the missing ones are named.
            try await app.push("v1.0.0")
            let refused = try await Self.run(1, of: app)
            #expect(refused.state == .failed && refused.artifacts.map(\.outcome) == [.refused])
            let said = try await Self.log(1, on: server)
            for part in SignedBuildTests.parts.dropFirst() {
                #expect(said.contains(SignedBuildTests.forks + part.suffix), "\(said)")
            }

            let rest = profiles.dropFirst().flatMap { ["--profile", $0] }
            let set = try await server.program.run(
                ["teams", "set", Self.team, "--trusted-ca", "anchor.pem", "--store", "./store"]
                    + rest,
                in: server.folder,
            )
            try #require(set.status == 0, "\(set.errors)")
            try await app.work.commit("Go on")
            try await app.push("v1.1.0")
            let (record, release) = try await app.release("1.1.0-2", on: "stable")
            let phone = try await server.phone { $0.udid = DeviceUDID(SampleDevices.one) }
            let bytes = try await phone.bytes(from: "\(server.base)/apps/\(record.slug)")
            #expect(SHA256Digest(of: bytes) == release.sha256)
            let device = try #require(DeviceUDID(SampleDevices.one))
            let nested = try InstalledApp(bytes).bundle.everyBundle.filter(\.kind.hasOwnProfile)
            #expect(nested.count == SignedBuildTests.parts.count)
            for bundle in nested {
                #expect(try #require(bundle.profile).claims().devices == [device])
            }
        }
    }
}
