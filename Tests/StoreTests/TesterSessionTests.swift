import Access
import Foundation
import Releases
import Store
import Testing

/// How many sessions of testers are kept.
struct TesterSessionTests {
    @Test func `the oldest session of a tester ends for one more, and no one else’s`() async throws
    {
        try await withPlace(.memory) { place in
            let store = try place.openOrCreate()
            let issuer = try #require(IssuerURL("https://id.example.com"))
            func open(_ subject: String, _ number: Int) throws -> PersonSession {
                let person = Person(issuer: issuer, subject: subject)
                let session = PersonSession(
                    identifier: PersonSession.testerIdentifier(
                        of: person,
                        random: [UInt8](repeating: UInt8(number), count: 8),
                    ),
                    for: .tester,
                    origin: .provider(person, clientID: "ota"),
                    lifetime: PersonSession.lifetime,
                    at: Date(timeIntervalSince1970: 1000 + Double(number)),
                )
                let now = Date(timeIntervalSince1970: 1000 + Double(number))
                #expect(try store.open(session, at: now) { [] })
                return session
            }
            let bea = try open("bea", 200)
            let all = try (1...25).map { try open("ana", $0) }
            let kept = Set(try store.personSessions().map(\.identifier))
            let newest = all.suffix(PersonSession.mostOfTester).map(\.identifier)
            #expect(kept == Set(newest + [bea.identifier]))
        }
    }

    @Test func `one person’s sessions fill no room for others`() async throws {
        try await withPlace(.memory) { place in
            let store = try place.openOrCreate()
            let issuer = try #require(IssuerURL("https://id.example.com"))
            func open(_ number: Int, _ origin: PersonSession.Origin) throws {
                let now = Date(timeIntervalSince1970: 1000 + Double(number))
                let digits = String(number, radix: 16)
                let session = PersonSession(
                    identifier: String(repeating: "0", count: 32 - digits.utf8.count) + digits,
                    origin: origin,
                    lifetime: PersonSession.lifetime,
                    at: now,
                )
                #expect(try store.open(session, at: now) { [] })
            }
            let viewer = Person(issuer: issuer, subject: "viewer")
            for number in 1...120 { try open(number, .provider(viewer, clientID: "ota")) }
            try open(200, .provider(Person(issuer: issuer, subject: "ana"), clientID: "ota"))
            try open(201, .link(name: "bea"))
            let left = try store.personSessions()
            #expect(left.count { $0.person?.subject == "viewer" } < 52)
            #expect(left.contains { $0.person?.subject == "ana" })
            #expect(left.contains { $0.person == nil })
            #expect(left.contains { $0.identifier.hasSuffix("78") }, "the last one of the viewer")
        }
    }
}
