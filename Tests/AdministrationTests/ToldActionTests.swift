import APIDocuments
import Administration
import Cryptography
import Foundation
import Identifiers
import Jobs
import Releases
import Store
import StoreFixtures
import TestSupport
import Testing

/// The activity's entry is written together with the change, so that a process that ends right after the
/// change has recorded it.
struct ToldActionTests {
    /// A back end whose journals accept only lines that come with a change.
    private struct SilentBackend: ForwardingBackend {
        let inner: any Backend

        func append(
            _ line: [UInt8],
            to journal: DocumentName,
            unless recorded: [[UInt8]],
        ) throws(StoreFailure) {
            throw .conflict(journal)
        }
    }

    private static func open(
        _ body: (OTAStore, LocalAdministration) throws -> Void
    ) throws {
        let backend = SilentBackend(inner: MemoryBackend(location: "memory"))
        let store = try OTAStore.openOrCreate(on: backend, now: Office.date)
        let ada = Administrator(of: store, named: "Ada", clock: { Office.date })
        try body(store, LocalAdministration(ada))
    }

    @Test func `a team is told with its document`() throws {
        try Self.open { store, local in
            let team = "ABCDE12345"
            let identifier = try #require(TeamIdentifier(team))
            let new = NewTeam(identifier, name: "Acme", identity: nil, profiles: [])
            _ = try local.perform(AddTeam(new))
            // The second call changes nothing, and is not recorded.
            for _ in 0..<2 { _ = try local.perform(ChangeTeam(team, TeamChange(name: "Best"))) }
            _ = try local.perform(RemoveTeam(team))
            let told = try store.activity(count: 9)
            #expect(told.map(\.event) == [.teamRemoved, .teamChanged, .teamAdded])
            #expect(told.map(\.subject) == ["Best", "Best", "Acme"])
        }
    }

    @Test func `what is done with a job is told with it`() throws {
        try Self.open { store, local in
            let job = try store.add(
                Job(
                    JobIdentifier(at: Office.date, random: randomBytes),
                    toSign: ReleaseIdentifier(version: "1.0", build: "1"),
                    of: try #require(BundleIdentifier("com.example.forks")),
                    as: SigningTask(team: "ABCDE12345", reason: "requested"),
                    by: "ada",
                    at: Office.date,
                )
            ).job
            _ = try local.perform(CancelJob(job.identifier.rawValue))
            #expect(try store.activity(count: 9).map(\.event) == [.jobCancelled])
        }
    }

    @Test func `a publish is told with its channel`() throws {
        try Self.open { store, _ in
            var release = StoredRelease()
            _ = try release.publish(into: store)
            release.date += 60
            release.channel = try #require(ChannelName("beta"))
            _ = try release.publish(into: store)
            #expect(try store.activity(count: 9).map(\.detail) == ["beta", "stable"])
        }
    }
}
