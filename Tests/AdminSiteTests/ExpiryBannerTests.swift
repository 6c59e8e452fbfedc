import Access
import Foundation
import Notices
import Testing

@testable import AdminSite
@testable import Pages

/// The banner on every admin page about things that expire soon.
struct ExpiryBannerTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    // Each token expires after one of the given numbers of days.
    private static func banner(_ days: [Int], in passed: Int = 0) throws -> AdminChrome.Banner? {
        var register = TokenRegister()
        for (number, days) in days.enumerated() {
            _ = try register.create(
                name: "ci-\(number)",
                scopes: [Scope(.read)],
                expires: now.addingTimeInterval(Double(days) * 86_400),
                at: now,
                random: { (0..<$0).map { _ in .random(in: 0...255) } },
            )
        }
        var material = ExpiryTimeline.Material()
        material.tokens = register.tokens
        let date = now.addingTimeInterval(Double(passed) * 86_400)
        let timeline = ExpiryTimeline(of: material, at: date)
        return ExpiryBanner(of: timeline, at: date).banner(leadingTo: "/admin/profiles")
    }

    @Test(arguments: [
        ([10], ""), ([10, 11], " 1 more item expires within 30 days."),
        ([10, 11, 12], " 2 more items expire within 30 days."), ([10, 60], ""),
    ])
    func `the first is named, and the others are counted`(days: [Int], more: String) throws {
        let banner = try #require(try Self.banner(days))
        #expect(banner.title == "The token ci-0 expires in 10 days")
        #expect(banner.message.hasPrefix("After that, requests with it are refused. "))
        let isCounted = banner.message.contains(" more item")
        #expect(isCounted == !more.isEmpty && banner.message.hasSuffix(more), "\(banner.message)")
    }

    @Test func `nothing is said of what lasts, or of a token that is over`() throws {
        #expect(try Self.banner([60]) == nil)
        #expect(try Self.banner([10], in: 11) == nil)
    }

    @Test func `what has ended is spoken of as over`() throws {
        var material = ExpiryTimeline.Material()
        material.serverCertificate = ExpiryTimeline.ServerCertificate(
            name: "ota.example.com",
            fingerprint: "00",
            begins: Self.now.addingTimeInterval(-90 * 86_400),
            expires: Self.now.addingTimeInterval(-7 * 86_400),
        )
        let timeline = ExpiryTimeline(of: material, at: Self.now)
        let banner = try #require(
            ExpiryBanner(of: timeline, at: Self.now).banner(leadingTo: "/admin/profiles")
        )
        #expect(banner.title.hasSuffix("ota.example.com expired 7 days ago"))
        #expect(banner.message.hasPrefix("Phones refuse to install from this server. "))
        #expect(banner.tone == "bad")
    }
}
