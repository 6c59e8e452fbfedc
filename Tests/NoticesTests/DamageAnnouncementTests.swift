import Cryptography
import Foundation
import Identifiers
import Notices
import Releases
import Store
import TestSupport
import Testing

/// Damage to the store is announced once, even if other parts of the store cannot be read.
struct DamageAnnouncementTests {
    private static let lost = StoreProblem(
        .unreadable(path: "apps/com.example.forks/app.json", offset: 7, reason: "it is no JSON")
    )
    private static let rotten = StoreProblem(
        .damagedBlob(SHA256Digest(of: [1]), path: "blobs/sha256/aa")
    )

    /// The notices that a service queues that has just started.
    private static func told(
        _ desk: NoticeDesk,
        _ problems: [StoreProblem],
        isComplete: Bool = true,
    ) throws -> [Notice] {
        let before = Set(try desk.store.notices().outbox.waiting.map(\.identifier))
        let damage = StoreDamage(problems, isComplete: isComplete)
        try desk.service(damage: damage).announce()
        return try desk.store.notices().outbox.waiting
            .filter { !before.contains($0.identifier) }.map(\.notice)
    }

    @Test func `damage is told once, and again after it was fixed`() async throws {
        try await NoticeDesk.run { desk in
            try desk.addWebhook()
            #expect(try Self.told(desk, []).isEmpty)
            let first = try Self.told(desk, [Self.lost])
            #expect(first.map(\.event) == [.storeDamaged])
            let notice = try #require(first.first)
            #expect(notice.title.contains("app.json") && notice.message.contains("at byte 7"))
            #expect(notice.message.contains("store restore --document"))
            #expect(notice.damage?.map(\.id) == ["store.unreadable"])
            #expect(notice.link == "https://ota.example.com/admin")
            #expect(try Self.told(desk, [Self.lost]).isEmpty)
            // A server that has just started has not read everything yet.
            #expect(try Self.told(desk, [], isComplete: false).isEmpty)
            #expect(try Self.told(desk, [Self.lost], isComplete: false).isEmpty)
            let second = try Self.told(desk, [Self.lost, Self.rotten])
            #expect(second.map { $0.damage?.map(\.place) } == [["blobs/sha256/aa"]])
            #expect(try Self.told(desk, [Self.lost]).isEmpty)
            #expect(try Self.told(desk, [Self.rotten, Self.lost]).count == 1, "it broke again")
            #expect(try Self.told(desk, []).isEmpty)
        }
    }

    @Test func `a webhook that did not ask is not told, and a later one is`() async throws {
        try await NoticeDesk.run { desk in
            try desk.addWebhook { $0.events = [.slotsLow] }
            let forks = try #require(BundleIdentifier("com.example.forks"))
            try desk.addWebhook("https://b.example.com/") { $0.apps = [forks] }
            #expect(try Self.told(desk, [Self.lost]).isEmpty)
            try desk.addWebhook("https://c.example.com/") { $0.events = [.storeDamaged] }
            #expect(try Self.told(desk, [Self.lost]).count == 1)
        }
    }

    @Test func `what other notices need may be what is damaged`() async throws {
        try await NoticeDesk.run { desk in
            try desk.addWebhook()
            let path = desk.folder.appending(path: "store/devices.json")
            try Data("{".utf8).write(to: path)
            let problem = StoreProblem(
                .unreadable(path: "devices.json", offset: 0, reason: "it is no JSON")
            )
            let service = desk.service(damage: StoreDamage([problem], isComplete: true))
            #expect(throws: StoreFailure.self) { try service.announce() }
            #expect(try desk.store.notices().outbox.waiting.map(\.notice.event) == [.storeDamaged])
        }
    }

    @Test func `many places are counted, and the first are described`() async throws {
        try await NoticeDesk.run { desk in
            try desk.addWebhook()
            let many = (0..<3000).map { number in
                StoreProblem(.damagedBlob(SHA256Digest(of: [1]), path: "blobs/\(number)"))
            }
            let notice = try #require(try Self.told(desk, many).first)
            #expect(notice.title == "The store is damaged in 1000 places")
            #expect(notice.message.utf8.count < 4000 && notice.damage?.count == 50)
            #expect(try Self.told(desk, many).isEmpty)
        }
    }
}
