import APIDocuments
import Administration
import Bundles
import Cryptography
import Foundation
import Identifiers
import Notices
import Problems
import Releases
import Sample
import Store
import Testing

/// Admins add, change and remove teams.
struct TeamActionTests {
    /// Opens an office whose key file is next to the store.
    private func open(
        _ body: (Office, LocalAdministration, SigningFiles) async throws -> Void
    ) async throws {
        try await Office.open { office in
            let files = try SigningFiles(at: Office.date)
            var local = LocalAdministration(office.ada, anchors: files.anchors)
            let folder = URL(filePath: office.path).deletingLastPathComponent().path()
            let name = "ota-key-\(UUID().uuidString)"
            local.keyFile = SealingKeyFile(path: folder + name)
            defer { try? FileManager.default.removeItem(atPath: folder + name) }
            try await body(office, local, files)
        }
    }

    private func new(
        _ files: SigningFiles,
        identity: [UInt8]? = nil,
        profiles: [[UInt8]]? = nil,
    ) throws -> NewTeam {
        NewTeam(
            try #require(TeamIdentifier(files.team)),
            name: "Acme",
            identity: IdentityUpload(file: identity ?? files.identity, passphrase: nil),
            profiles: try profiles ?? [files.profile()],
        )
    }

    @Test func `a team is added, shown without its key, used by an app, and removed`() async throws
    {
        try await open { office, local, files in
            let added = try local.perform(AddTeam(new(files)))
            let keyFile = try #require(local.keyFile)
            #expect(added.createdKeyFile == keyFile.path)
            let key = try keyFile.key(for: office.store)
            #expect(added.team.identity?.sealedWith == key.identifier)
            #expect(added.team.identity?.kind == .distribution)
            #expect(added.team.profiles.map(\.bundleIdentifier) == ["com.example.app"])
            #expect(added.team.profiles.map(\.devices) == [1])
            let text = try String(decoding: JSONEncoder().encode(added), as: UTF8.self)
            #expect(!text.contains("PRIVATE"))
            // Signing uses the whole chain and the file's key.
            let identifier = try #require(TeamIdentifier(files.team))
            let identity = try #require(
                try office.store.signingIdentity(of: identifier, with: key)
            )
            #expect(identity.key.der == files.authority.distribution.key.der)
            #expect(identity.chain.last == files.authority.anchor)
            let (app, _) = try office.publish()
            let slug = app.slug.rawValue
            #expect(throws: TeamRefusal.noTeamForSigning) {
                try local.perform(ChangeApp(slug, AppChange(signing: .automatic)))
            }
            #expect(throws: TeamRefusal.unknown("AAAAAAAAAA")) {
                try local.perform(ChangeApp(slug, AppChange(team: TeamChoice("AAAAAAAAAA"))))
            }
            let changed = try local.perform(
                ChangeApp(slug, AppChange(team: TeamChoice(files.team), signing: .automatic))
            )
            #expect(changed.app.team == files.team && changed.app.signing == .automatic)
            #expect(throws: TeamRefusal.inUse(identifier, by: [app.slug])) {
                try local.perform(RemoveTeam(files.team))
            }
            _ = try local.perform(ChangeApp(slug, AppChange(team: TeamChoice("none"))))
            _ = try local.perform(RemoveTeam(files.team.lowercased()))
            #expect(try local.perform(ListTeams()).teams.isEmpty)
            #expect(throws: TeamRefusal.unknown(files.team)) {
                try local.perform(ShowTeam(files.team))
            }
            let journal = try office.journal().filter { $0.hasPrefix("team") }
            #expect(journal == ["teamRemoved Acme", "teamAdded Acme"])
        }
    }

    @Test func `no copy of a private key stays behind`() async throws {
        try await open { office, local, files in
            let team = try new(files)
            _ = try local.perform(AddTeam(team))
            let first = try #require(try office.store.team(team.identifier)?.identity)
            let renewed = try files.renewed()
            let profile = try files.profile { $0.certificates = [renewed.certificate] }
            _ = try local.perform(
                ChangeTeam(
                    files.team,
                    TeamChange(
                        identity: IdentityUpload(
                            file: SigningFiles.file(renewed),
                            passphrase: nil,
                        ),
                        profiles: [profile],
                    ),
                )
            )
            let second = try #require(try office.store.team(team.identifier)?.identity)
            #expect(second.sha256 == renewed.certificate.sha256)
            #expect(try Self.files(in: office.path, having: first.sealed).isEmpty)
            #expect(try !Self.files(in: office.path, having: second.sealed).isEmpty)
            _ = try local.perform(RemoveTeam(files.team))
            #expect(try Self.files(in: office.path, having: second.sealed).isEmpty)
            let key = files.authority.distribution.key
            for (path, bytes) in try Self.contents(of: office.path) {
                #expect(bytes.firstRange(of: Data(key.der)) == nil, "\(path)")
                #expect(
                    bytes.firstRange(of: Data("PRIVATE KEY".utf8)) == nil || path.hasSuffix(".pem")
                )
            }
        }
    }

    @Test func `files that do not go together are refused, and nothing is kept`() async throws {
        try await open { office, local, files in
            let authority = files.authority
            let date = files.date
            let other = try files.renewed()
            let expired = try files.profile { $0.expires = date.addingDays(-0.5) }
            let foreign = try files.profile { $0.team = .other }
            let certificate = authority.distribution.certificate.description
            let cases: [(NewTeam, String)] = [
                (
                    try new(files, identity: SigningFiles.file(authority.expired(at: date))),
                    "identity.not-in-profile",
                ),
                (
                    try new(
                        files,
                        identity: SigningFiles.file(authority.expired(at: date)),
                        profiles: [],
                    ), "identity.expired",
                ),
                (
                    try new(
                        files,
                        identity: SigningFiles.file(authority.otherTeam(at: date)),
                        profiles: [],
                    ), "team.other-identity",
                ),
                (
                    try new(
                        files,
                        identity: SigningFiles.file(
                            authority.identity(
                                .macDistribution,
                                from: date.addingDays(-1),
                                until: date.addingYears(1),
                            )
                        ),
                        profiles: [],
                    ), "identity.wrong-kind",
                ),
                (try new(files, identity: SigningFiles.file(other)), "identity.not-in-profile"),
                (try new(files, identity: Array("nothing".utf8)), "identity.unknown-format"),
                (try new(files, profiles: [expired]), "team.expired-profile"),
                (try new(files, profiles: [foreign]), "team.other-profile"),
                (
                    try new(files, profiles: [files.profile(kind: .appStore)]),
                    "team.app-store-profile",
                ),
                (try new(files, profiles: [[1, 2, 3]]), "profile.malformed"),
            ]
            for (team, id) in cases {
                let error = #expect(throws: (any Error).self) {
                    try local.perform(AddTeam(team))
                }
                #expect(Problem(try #require(error)).id == id, "\(certificate)")
            }
            #expect(try office.store.teams().isEmpty)
            #expect(local.keyFile?.isThere == false)
            // The chain of another authority does not lead to a trusted root.
            let strict = LocalAdministration(office.ada)
            #expect(throws: IdentityRefusal.self) {
                try strict.perform(AddTeam(new(files, profiles: [])))
            }
            var keyless = local
            keyless.keyFile = nil
            #expect(throws: TeamRefusal.noKeyFile) { try keyless.perform(AddTeam(new(files))) }
            _ = try local.perform(AddTeam(new(files)))
            #expect(throws: TeamRefusal.exists(try #require(TeamIdentifier(files.team)))) {
                try local.perform(AddTeam(new(files)))
            }
        }
    }

    @Test func `a newer profile replaces the one for the same app, and one can be removed`()
        async throws
    {
        try await open { office, local, files in
            _ = try local.perform(AddTeam(new(files)))
            let newer = try files.profile { $0.devices.append("00008120-000000000000002E") }
            let profiles = [newer, try files.profile("com.example.other")]
            let changed = try local.perform(
                ChangeTeam(files.team, TeamChange(profiles: profiles))
            ).team
            #expect(Set(changed.profiles.map(\.bundleIdentifier)).count == 2)
            let app = try #require(
                changed.profiles.first { $0.bundleIdentifier == "com.example.app" }
            )
            #expect(app.devices == 2)
            #expect(changed.identity?.commonName.isEmpty == false)
            let team = try #require(try office.store.teams().first)
            for profile in team.profiles {
                #expect(profiles.contains(try office.store.bytes(of: profile)))
            }
            let left = try local.perform(
                ChangeTeam(files.team, TeamChange(removedProfiles: [app.uuid]))
            ).team
            #expect(left.profiles.map(\.bundleIdentifier) == ["com.example.other"])
            #expect(throws: TeamRefusal.unknownProfile(app.uuid, of: team.identifier)) {
                try local.perform(
                    ChangeTeam(files.team, TeamChange(removedProfiles: [app.uuid]))
                )
            }
            // A certificate that is not in the profile cannot sign with it.
            let renewed = IdentityUpload(
                file: SigningFiles.file(try files.renewed()),
                passphrase: nil,
            )
            #expect(throws: IdentityChoiceRefusal.self) {
                try local.perform(ChangeTeam(files.team, TeamChange(identity: renewed)))
            }
        }
    }

    @Test func `what a team signs with is in the timeline of expiry`() async throws {
        try await open { office, local, files in
            _ = try local.perform(AddTeam(new(files)))
            let timeline = try ExpiryTimeline(of: office.store, at: files.date)
            let kinds = timeline.items.filter(\.isInUse).map(\.kind)
            #expect(Set(kinds) == [.profile, .certificate])
            #expect(timeline.items.allSatisfy { $0.team == "Acme" })
        }
    }

    private static func contents(of folder: String) throws -> [(String, Data)] {
        try FileManager.default.subpathsOfDirectory(atPath: folder).compactMap { path in
            FileManager.default.contents(atPath: folder + "/" + path).map { (path, $0) }
        }
    }

    /// The files of the store that contain an encrypted secret.
    private static func files(in folder: String, having sealed: SealedBytes) throws -> [String] {
        let text = Data(sealed.bytes.base64EncodedString().utf8)
        return try contents(of: folder).filter { $0.1.firstRange(of: text) != nil }.map(\.0)
    }
}
