import Cryptography
import Foundation
import Identifiers
import Releases
import Store
import TestSupport
import Testing

/// Teams in the store: what reads and keeps all of it knows them too.
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
            let place = StorePlace(kind, in: folder)
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

    @Test(arguments: StorePlace.Kind.allCases)
    func `a damaged team is found, and nothing is collected while it is`(
        kind: StorePlace.Kind
    ) async throws {
        try await withTemporaryFolder { folder in
            let place = StorePlace(kind, in: folder)
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
