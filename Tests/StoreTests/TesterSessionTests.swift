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
}
