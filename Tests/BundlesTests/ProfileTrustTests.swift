import Bundles
import Foundation
import Testing

struct ProfileTrustTests {
    @Test func `what is known of a profile's signature comes back from JSON`() throws {
        let trusts = [
            ProfileTrust.apple, .privateAuthority(name: "x"), .unverified(reason: "y"),
        ]
        let data = try JSONEncoder().encode(trusts)
        #expect(try JSONDecoder().decode([ProfileTrust].self, from: data) == trusts)
    }
}
