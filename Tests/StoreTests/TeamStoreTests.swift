import Cryptography
import Foundation
import Identifiers
import Releases
import Store
import TestSupport
import Testing

/// Teams in the store: everything that reads or copies a whole store includes them.
struct TeamStoreTests {
    private func team() throws -> Team {
        Team(
            try #require(TeamIdentifier("ABCDE12345")),
            name: "Acme",
            added: Date(timeIntervalSince1970: 1_800_000_000),
            addedBy: "Ada",
        )
    }

    @Test(arguments: StorePlace.Kind.allCases)
    func `a team is added once, changed, and removed with its earlier generation`(
        kind: StorePlace.Kind
    ) async throws {
        try await withTemporaryFolder { folder in
            let place = try await StorePlace(kind, in: folder)
            let store = try place.openOrCreate()
            let team = try team()
            #expect(try store.add(team))
            #expect(try !store.add(team))
            try store.changeTeam(team.identifier) { $0.name = "Acme Two" }
            #expect(try store.teams().map(\.name) == ["Acme Two"])
            #expect(try place.open().team(team.identifier)?.name == "Acme Two")
            #expect(try store.removeTeam(team.identifier)?.name == "Acme Two")
            #expect(try store.removeTeam(team.identifier) == nil)
            #expect(try store.teams().isEmpty)
            #expect(try place.paths().allSatisfy { !$0.contains("ABCDE12345") })
            #expect(try store.add(team))
        }
    }

    @Test
    func `a secret that was replaced just before a crash is forgotten at the next collection`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let path = folder.appending(path: "store").path()
            let date = Date(timeIntervalSince1970: 1_800_000_000)
            let store = try OTAStore.openOrCreate(at: path, now: date)
            let key = SealingKey { [UInt8](repeating: 7, count: $0) }
            let account = { (number: UInt8) in
                TeamAccount(
                    issuer: "57246542-96fe-1a63-e053-0824d011072a",
                    keyID: "2X9R4HXF34",
                    sealed: key.seal([number], as: SealingPurpose("test", of: "\(number)")),
                    added: date,
                    addedBy: "Ada",
                )
            }
            var team = try team()
            team.account = account(1)
            #expect(try store.add(team))
            let file = path + "/teams/ABCDE12345.json"
            let before = try #require(FileManager.default.contents(atPath: file))
            try store.changeTeam(team.identifier) { $0.account = account(2) }
            #expect(try store.forgetReplacedSecrets() == 0)
            // The state between the change and the deletion of what it replaced.
            let previous = URL(filePath: file + "@previous")
            try FileManager.default.removeItem(at: previous)
            try before.write(to: previous)
            #expect(try store.collect(olderThan: 0).leftovers == 0)
            #expect(try Data(contentsOf: previous) == Data(contentsOf: URL(filePath: file)))
            // A secret that the team still has is kept in the previous version.
            try store.changeTeam(team.identifier) { $0.name = "Acme Two" }
            #expect(try store.forgetReplacedSecrets() == 0)
        }
    }

    @Test(arguments: StorePlace.Kind.allCases)
    func `a damaged team is found, and nothing is collected while it is`(
        kind: StorePlace.Kind
    ) async throws {
        try await withTemporaryFolder { folder in
            let place = try await StorePlace(kind, in: folder)
            let store = try place.openOrCreate()
            #expect(try store.add(try team()))
            #expect(try store.verify().problems.isEmpty)
            try place.put(Array("{".utf8), at: "teams/ABCDE12345.json")
            let fresh = try place.open()
            let problems = try fresh.verify().problems
            #expect(problems.map(\.place) == ["teams/ABCDE12345.json"])
            #expect(try fresh.damageOfRegisters().map(\.place) == ["teams/ABCDE12345.json"])
            #expect(throws: StoreFailure.self) { try fresh.collect(olderThan: 0) }
        }
    }
}
