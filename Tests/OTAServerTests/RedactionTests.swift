import Testing

@testable import OTAServer

/// What is redacted in the log.
struct RedactionTests {
    @Test func `a mark hides no identifier and no query from the log's mask`() {
        let udid = "00008110-000A000000000001"
        #expect(!Redaction.target("/x/\(udid)%CC%81/y").contains("000A"))
        #expect(Redaction.target("/x?\u{301}secret") == "/x?…")
        #expect(Redaction.target("/install/\u{301}0123456789/a") == "/install/\u{301}0123…/a")
    }

    @Test func `a token in a path or an agent is masked but for its identifier`() {
        let token = "ota_0a1b2c3d_" + String(repeating: "7f", count: 32)
        #expect(Redaction.target("/api/v1/apps/\(token)/x") == "/api/v1/apps/ota_0a1b2c3d_…/x")
        let agent = Redaction.masked("curl \(token) ota_ ota_short \(token)")
        #expect(agent == "curl ota_0a1b2c3d_… ota_ ota_short ota_0a1b2c3d_…")
    }
}
