import HTTPServing
import NIOHTTP1
import Testing

/// A body is handled as the route of its path declares.
struct BodyRulesTests {
    private let rules = BodyRules(
        of: [
            Route("/", [:]),
            Route("/lists/{list}", [:], body: .large),
            Route("/lists/all", [:]),
            Route("/hooks/{name}", [:], body: .atMost(5000)),
            Route("/tiny", [:], body: .atMost(1)),
            Route("/files", [:], body: .counted(isTaken: { $0.method == .PATCH })),
        ],
        below: ["", "/base"],
        small: 100,
        large: 1000,
    )

    private func policy(_ target: String, _ method: HTTPMethod = .POST) -> BodyPolicy {
        rules.policy(for: HTTPRequestHead(version: .http1_1, method: method, uri: target))
    }

    @Test(arguments: [
        ("/", 100), ("/lists/a", 1000), ("/lists/a?x=/hooks/a", 1000), ("/base/lists/a", 1000),
        ("/lists/all", 100), ("/hooks/a", 5000), ("/base/hooks/a?x", 5000), ("/tiny", 100),
        ("/hooks", 100), ("/hooks/a/b", 100), ("/other/hooks/a", 100), ("/unknown", 100),
    ])
    func `an address has the limit of its route`(target: String, limit: Int) {
        #expect(policy(target).limit == limit)
        #expect(!policy(target).isTaken)
    }

    @Test func `a route that counts says of which requests it hands the body on`() {
        #expect(policy("/files", .PATCH).limit == nil && policy("/files", .PATCH).isTaken)
        #expect(policy("/files").limit == nil && !policy("/files").isTaken)
        #expect(policy("/base/files?x", .PATCH).isTaken)
        #expect(!policy("/files/x", .PATCH).isTaken)
    }
}
