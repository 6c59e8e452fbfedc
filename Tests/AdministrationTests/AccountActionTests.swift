import APIDocuments
import Administration
import AppleDeveloper
import Cryptography
import Foundation
import HTTPCalling
import Identifiers
import Jobs
import Problems
import Releases
import Store
import Synchronization
import TeamUpkeep
import Testing

/// What admins do with a team's developer account.
struct AccountActionTests {
    private static let team = "ABCDE12345"
    private static let issuer = "57246542-96fe-1a63-e053-0824d011072a"

    /// Returns a team with an API key, and an account that responds by `answers`, by path.
    private func open(
        answering answers: [String: String] = [:],
        _ body: (Office, LocalAdministration, CannedApple) async throws -> Void,
    ) async throws {
        try await Office.open { office in
            let folder = URL(filePath: office.path).deletingLastPathComponent().path()
            let file = SealingKeyFile(path: folder + "ota-key-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(atPath: file.path) }
            let apple = CannedApple(answers)
            var local = LocalAdministration(office.ada)
            local.keyFile = file
            local.accounts = AccountOpener(
                office.store,
                openingWith: file,
                through: apple,
                timing: CallTiming(now: { Office.date }, sleep: { _ in }, random: { 0.5 }),
            )
            let new = NewTeam(
                try #require(TeamIdentifier(Self.team)),
                name: "Acme",
                identity: nil,
                profiles: [],
                apiKey: try upload(),
            )
            _ = try local.perform(AddTeam(new))
            try await body(office, local, apple)
        }
    }

    private func upload(keyID: String = "2X9R4HXF34") throws -> APIKeyUpload {
        APIKeyUpload(
            issuer: Self.issuer.uppercased(),
            keyID: keyID,
            key: try PrivateKey.generate(.p256).pem,
        )
    }

    private func devices(_ entries: [(name: String, number: Int, status: String)]) throws -> String
    {
        let resources = try entries.map { entry in
            let udid = try Office.udid(entry.number)
            return #"{"type": "devices", "id": "D\#(entry.number)", "attributes": {"#
                + #""name": "\#(entry.name)", "udid": "\#(udid.rawValue)", "#
                + #""deviceClass": "IPHONE", "status": "\#(entry.status)"}}"#
        }
        return #"{"data": [\#(resources.joined(separator: ","))], "links": {"self": "/"}}"#
    }

    @Test func `a key is kept sealed, shown without itself, and opens the account`() async throws {
        try await open { office, local, _ in
            let shown = try local.perform(ShowTeam(Self.team))
            #expect(shown.team.account?.keyID == "2X9R4HXF34")
            #expect(shown.team.account?.issuer == Self.issuer)
            #expect(shown.team.account?.agreed == nil)
            let text = try String(decoding: JSONEncoder().encode(shown), as: UTF8.self)
            #expect(!text.contains("PRIVATE") && !text.contains("sealed\""))
            let team = try #require(try office.store.teams().first)
            _ = try #require(local.accounts).open(team)
        }
    }

    @Test func `a replaced key of the same organization keeps the agreement, and no copy stays`()
        async throws
    {
        try await open { office, local, _ in
            let identifier = try #require(TeamIdentifier(Self.team))
            try office.store.changeTeam(identifier) { $0.account?.agreed = Office.date }
            let first = try #require(try office.store.team(identifier)?.account)
            let change = TeamChange(apiKey: try upload(keyID: "ABCDE12345"))
            let changed = try local.perform(ChangeTeam(Self.team, change)).team
            #expect(changed.account?.keyID == "ABCDE12345")
            #expect(changed.account?.agreed == Office.date)
            #expect(try Self.files(in: office.path, having: first.sealed).isEmpty)
            let second = try #require(try office.store.team(identifier)?.account)
            _ = try local.perform(ChangeTeam(Self.team, TeamChange(removeAPIKey: true)))
            #expect(try Self.files(in: office.path, having: second.sealed).isEmpty)
            #expect(throws: AccountRefusal.none(identifier)) {
                try local.perform(ChangeTeam(Self.team, TeamChange(removeAPIKey: true)))
            }
            await #expect(throws: AccountRefusal.none(identifier)) {
                try await local.perform(CheckTeam(Self.team))
            }
        }
    }

    @Test func `what is no key is refused before anything is kept`() async throws {
        try await open { office, local, _ in
            let good = try upload()
            let bad: [(APIKeyUpload, String)] = [
                (
                    APIKeyUpload(issuer: "me", keyID: good.keyID, key: good.key),
                    "apple-key.issuer",
                ),
                (
                    APIKeyUpload(issuer: Self.issuer, keyID: "key", key: good.key),
                    "apple-key.identifier",
                ),
                (
                    APIKeyUpload(issuer: Self.issuer, keyID: good.keyID, key: "no"),
                    "apple-key.malformed",
                ),
            ]
            let before = try office.store.teams()
            for (upload, id) in bad {
                let error = #expect(throws: (any Error).self) {
                    try local.perform(ChangeTeam(Self.team, TeamChange(apiKey: upload)))
                }
                #expect(Problem(try #require(error)).id == id)
            }
            var keyless = local
            keyless.keyFile = nil
            #expect(throws: TeamRefusal.noKeyFile) {
                try keyless.perform(ChangeTeam(Self.team, TeamChange(apiKey: good)))
            }
            #expect(try office.store.teams() == before)
            #expect(TeamChange(apiKey: good, removeAPIKey: true).flaw != nil)
        }
    }

    @Test func `a comparison changes nothing before it is agreed to, and then queues one job`()
        async throws
    {
        let known = try devices([("Bo", 2, "ENABLED"), ("Eve", 3, "DISABLED")])
        try await open(answering: ["/v1/devices": known]) { office, local, apple in
            for (number, name) in [(1, "Ana"), (2, "Bo")] {
                try office.store.changeDevices { register in
                    try register.add(
                        Device(
                            udid: try Office.udid(number),
                            name: name,
                            family: .iphone,
                            added: Office.date,
                        ),
                        at: Office.date,
                    )
                }
            }
            let plan = try await local.perform(SyncTeam(Self.team, isDryRun: true))
            #expect(
                plan.steps == [
                    "mark “Bo” as registered: the developer account already has it",
                    "register “Ana” with Apple, which uses one iPhone slot",
                ]
            )
            #expect(plan.differences.map(\.text).count { $0.contains("“Eve”") } == 1)
            #expect(plan.slots.map(\.used) == [2])
            #expect(plan.agreed == nil && plan.job == nil)
            #expect(try office.store.jobIdentifiers().isEmpty)
            let begun = try await local.perform(SyncTeam(Self.team))
            #expect(begun.agreed == Office.date && begun.job?.kind == .registerDevice)
            let again = try await local.perform(SyncTeam(Self.team))
            #expect(again.job?.id == begun.job?.id)
            let account = try #require(try local.perform(ShowTeam(Self.team)).team.account)
            #expect(account.agreedBy == "Ada" && account.snapshot?.known == 1)
            #expect(account.snapshot?.unknown == 1)
            let journal = try office.journal().filter { $0.hasPrefix("account") }
            // The second comparison, at the same time, changes nothing.
            #expect(journal == ["accountAgreed Acme", "accountCompared Acme"])
            #expect(try office.store.activity(count: 9).allSatisfy { $0.actor == "Ada" })
            #expect(apple.methods == ["GET"])
        }
    }

    @Test func `a comparison tells once which devices are gone at Apple`() async throws {
        let known = try devices([("Bo", 2, "ENABLED")])
        try await open(answering: ["/v1/devices": known]) { office, local, _ in
            let (gone, now) = (try Office.udid(1), Office.date)
            try office.store.changeDevices { register in
                try register.add(
                    Device(udid: gone, name: "Ana", family: .iphone, added: now),
                    at: now,
                )
                try register.markRegistered(gone, at: now, by: "Ada")
            }
            for _ in 0..<2 { _ = try await local.perform(SyncTeam(Self.team)) }
            let told = try office.journal().filter { $0.hasPrefix("accountDiffers") }
            #expect(told == ["accountDiffers Acme"])
        }
    }

    @Test func `a check goes on where the key may read a part alone`() async throws {
        let empty = #"{"data": [], "links": {"self": "/"}}"#
        let answers = ["/v1/devices": empty, "/v1/certificates": empty]
        try await open(answering: answers) { _, local, _ in
            let checked = try await local.perform(CheckTeam(Self.team))
            #expect(!checked.good)
            #expect(
                checked.lines.first?.text == "the key 2X9R4HXF34 may read devices, certificates"
            )
            #expect(checked.lines.dropFirst().first?.text.contains("may not read App IDs") == true)
            #expect(checked.lines.contains { $0.text.contains("100 iPhone slots left") })
        }
    }

    @Test func `a key of another team is not agreed to, and no certificate is asked for`()
        async throws
    {
        let appIDs =
            #"{"data": [{"type": "bundleIds", "id": "B1", "attributes": {"name": "a", "#
            + #""identifier": "com.example.a", "seedId": "ABCDE67890"}}], "links": {"self": "/"}}"#
        let empty = #"{"data": [], "links": {"self": "/"}}"#
        let answers = [
            "/v1/devices": empty, "/v1/certificates": empty, "/v1/bundleIds": appIDs,
        ]
        try await open(answering: answers) { office, local, apple in
            let identifier = try #require(TeamIdentifier(Self.team))
            let refusal = AccountRefusal.otherTeam(identifier, "its App IDs are of “ABCDE67890”")
            await #expect(throws: refusal) { try await local.perform(SyncTeam(Self.team)) }
            await #expect(throws: refusal) {
                try await local.perform(CreateCertificate(Self.team))
            }
            let account = try #require(try office.store.team(identifier)?.account)
            #expect(account.agreed == nil && account.snapshot == nil)
            #expect(try office.store.jobIdentifiers().isEmpty)
            #expect(apple.methods == ["GET"])
        }
    }

    @Test func `a certificate that is asked for is one job`() async throws {
        let empty = #"{"data": [], "links": {"self": "/"}}"#
        try await open(answering: ["/v1/certificates": empty]) { office, local, _ in
            let plan = try await local.perform(CreateCertificate(Self.team, isDryRun: true))
            #expect(plan.plan == .create && plan.job == nil && plan.expires == nil)
            let asked = try await local.perform(CreateCertificate(Self.team))
            #expect(asked.job?.kind == .renewCertificate)
            _ = try await local.perform(CreateCertificate(Self.team))
            #expect(try office.store.jobIdentifiers().count == 1)
            let told = try office.store.activity(count: 9).filter { $0.event == .certificateAsked }
            #expect(told.map(\.actor) == ["Ada", "Ada"])
        }
    }

    /// The files of the store that contain an encrypted secret.
    private static func files(in folder: String, having sealed: SealedBytes) throws -> [String] {
        let text = Data(sealed.bytes.base64EncodedString().utf8)
        return try FileManager.default.subpathsOfDirectory(atPath: folder).filter { path in
            FileManager.default.contents(atPath: folder + "/" + path)?.firstRange(of: text) != nil
        }
    }
}

/// Responds by path; without a response for it, the key has no permission.
private final class CannedApple: CallTransport {
    private let answers: [String: String]
    private let asked = Mutex<Set<String>>([])

    init(_ answers: [String: String]) {
        self.answers = answers
    }

    /// The methods of the requests.
    var methods: Set<String> { asked.withLock { $0 } }

    func answer(to request: CallRequest) async throws(CallTrouble) -> CallAnswer {
        asked.withLock { _ = $0.insert(request.method) }
        let path = URL(string: request.address)?.path() ?? ""
        let refusal =
            #"{"errors": [{"status": "403", "code": "FORBIDDEN_ERROR", "title": "t", "detail": ""}]}"#
        return CallAnswer(
            status: answers[path] == nil ? 403 : 200,
            headers: [:],
            body: Array((answers[path] ?? refusal).utf8),
        )
    }
}
