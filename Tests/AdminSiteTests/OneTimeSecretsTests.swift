import Access
import Foundation
import Testing

@testable import AdminSite

/// Secrets on their way to the page that shows them once.
struct OneTimeSecretsTests {
    @Test func `few secrets wait at once, and the oldest goes first`() throws {
        let secrets = OneTimeSecrets()
        let now = Date()
        let session = try #require(
            Session(kind: .admin, subject: "a", expires: now.addingTimeInterval(60))
        )
        for number in 0..<(OneTimeSecrets.mostWaiting + 2) {
            secrets.keep(.token("\(number)"), as: "\(number)", for: session, at: now)
        }
        #expect(secrets.take("0", for: session, at: now) == nil)
        #expect(secrets.take("1", for: session, at: now) == nil)
        #expect(secrets.take("2", for: session, at: now) == .token("2"))
        #expect(secrets.take("2", for: session, at: now) == nil)
        #expect(secrets.take("3", for: session, at: now - 3600) == nil, "a clock set back")
    }
}
