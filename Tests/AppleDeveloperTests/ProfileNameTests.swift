@testable import AppleDeveloper
import Foundation
import Identifiers
import Testing

/// Names by which an installation recognises its profiles.
struct ProfileNameTests {
    @Test func `a name has mark, day, number and what fits of the identifier`() throws {
        let long = "com.example." + String(repeating: "a", count: 100)
        let name = ProfileName(
            for: try #require(BundleIdentifier(long)),
            by: try #require(TestAccount.mark),
            at: Date(timeIntervalSince1970: 1_800_000_000),
            number: 0xffff_ffff,
        )
        #expect(name.text.hasPrefix("ota 3f2a91c4d0e7 20270115 ffffff com.example.aaa"))
        #expect(name.text.count == ProfileName.limit)
    }

    @Test func `only names with the own mark are ours`() throws {
        let mark = try #require(TestAccount.mark)
        #expect(ProfileName.isName(try TestAccount.profileName().text, by: mark))
        let others = [
            "ota 000000000000 20270115 000001 com.example.app", "ota 3f2a91c4d0e7", "iOS Team",
            "OTA 3f2a91c4d0e7 20270115", "", "ota 3f2a91c4d0e7\u{301} 20270115 a",
        ]
        for other in others { #expect(!ProfileName.isName(other, by: mark), "\(other)") }
    }

    @Test func `a mark is twelve lower-case hexadecimal digits`() {
        for bad in ["", "3f2a91c4d0e", "3F2A91C4D0E7", "3f2a91c4d0e7a", "3f2a91c4d0g7"] {
            #expect(ProfileName.Mark(bad) == nil)
        }
    }
}
