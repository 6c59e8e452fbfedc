import AppleDeveloper
import Cryptography
import Foundation
import Identifiers
import Inspection
import Publishing
import Releases
import Sample
import Store
import TeamUpkeep
import TestSupport
import Testing

/// A store with a published app, the app's team, and the team's developer account, all on one clock.
final class LoopWorld: Sendable {
    static let app = "com.example.ota-sample"

    let folder: URL
    let clock: LoopClock
    let apple: AppleInProcess
    let team: TeamIdentifier
    let keyFile: SealingKeyFile

    var anchors: TrustAnchors { .apple.adding([apple.authority.root.certificate]) }

    /// Creates all of it in a folder; the team's certificate expires after the given number of days.
    init(in folder: URL, certificateDays: Double = 365, seed: UInt64 = 1) throws {
        self.folder = folder
        clock = LoopClock(seed: seed)
        apple = try AppleInProcess(clock)
        team = try #require(TeamIdentifier(apple.authority.team.identifier))
        keyFile = SealingKeyFile(path: folder.appending(path: "key").path())
        apple.order(#"{"bundleIDs": ["\#(Self.app)"]}"#)
        let store = try OTAStore.openOrCreate(at: storePath, now: clock.now)
        try publish(in: store)
        try addTeam(to: store, certificateDays)
    }

    /// Saves the store, Apple's account and the time, for ``rewind()``.
    func remember() throws {
        let kept = folder.appending(path: "kept").path()
        try? FileManager.default.removeItem(atPath: kept)
        try FileManager.default.copyItem(atPath: storePath, toPath: kept)
        apple.remember()
        apple.returnToRemembered()
        clock.remember()
    }

    /// Restores everything.
    func rewind() throws {
        try FileManager.default.removeItem(atPath: storePath)
        try FileManager.default.copyItem(
            atPath: folder.appending(path: "kept").path(),
            toPath: storePath,
        )
        apple.returnToRemembered()
        clock.rewind()
    }

    var storePath: String { folder.appending(path: "store").path() }

    /// Opens the store as another process would.
    func store() throws -> OTAStore {
        try OTAStore.open(on: DirectoryBackend(root: storePath))
    }

    private func publish(in store: OTAStore) throws {
        let file = folder.appending(path: "build.ipa").path()
        try SampleApps.sample(by: apple.authority, at: clock.now)
            .profile(
                ProfileBuilder(.adHoc, devices: [SampleDevices.unlisted], created: clock.now)
            )
            .build(to: file)
        let options = PublishOptions(publisher: "ci", date: clock.now)
        _ = try Publish(into: store, trusting: anchors, options: options).file(file)
        let app = try #require(BundleIdentifier(Self.app))
        try store.changeApp(app) { app in
            app.team = team
            app.signing = .automatic
            app.approval = .automatic
        }
    }

    private func addTeam(to store: OTAStore, _ certificateDays: Double) throws {
        let sealing = try keyFile.keyOrNew(for: store).key
        let now = clock.now
        var team = Team(team, name: "Sample", added: now, addedBy: "ada")
        team.identity = TeamIdentity(
            try apple.identity(days: certificateDays),
            of: self.team,
            sealedWith: sealing,
        )
        var account = TeamAccount(
            issuer: apple.issuer,
            keyID: apple.keyID,
            sealed: sealing.seal(
                Array(apple.key.pem.utf8),
                as: .accountKey(of: self.team),
            ),
            added: now,
            addedBy: "ada",
        )
        account.agreed = now
        account.agreedBy = "ada"
        team.account = account
        #expect(try store.add(team))
    }
}

/// What people do with devices.
extension LoopWorld {
    static func udid(_ number: Int) throws -> DeviceUDID {
        let digits = String(number, radix: 16, uppercase: true)
        return try #require(
            DeviceUDID("00008150-" + String(repeating: "0", count: 16 - digits.count) + digits)
        )
    }

    /// Adds a device and approves it.
    func join(_ number: Int, family: ProductFamily = .iphone) throws {
        let now = clock.now
        try store().changeDevices { register in
            try register.add(
                Device(
                    udid: try Self.udid(number),
                    name: "Device \(number)",
                    family: family,
                    state: .approved,
                    added: now,
                ),
                at: now,
                by: "ada",
            )
        }
    }

    /// Disables a device, as an admin does.
    func leave(_ number: Int) throws {
        let now = clock.now
        try store().changeDevices { register in
            try register.disable(try Self.udid(number), at: now, by: "ada")
        }
    }

    /// Returns the current team.
    func currentTeam() throws -> Team { try #require(try store().team(team)) }

    /// Returns the release that the app's page offers now.
    func release() throws -> Release {
        let store = try store()
        let identifier = try #require(BundleIdentifier(Self.app))
        let app = try #require(try store.app(identifier))
        let offered = try #require(app.defaultChannel.flatMap { app.channels[$0] })
        return try #require(try store.release(offered, of: app.bundleIdentifier))
    }

    /// The devices in the profile of the offered build.
    func listed() throws -> Set<DeviceUDID> {
        let report = try store().report(of: release())
        return Set(report.profile?.devices ?? [])
    }
}

extension LoopWorld {
    /// Sets how many days before the expiry profiles and the certificate are renewed.
    func renew(before days: Int) throws {
        let app = try #require(BundleIdentifier(Self.app))
        try store().changeApp(app) { $0.renewalDays = days }
    }
}
