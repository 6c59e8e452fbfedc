import Testing

@testable import OTAServer

/// What the log leaves out.
struct RedactionTests {
    @Test func `a mark hides no identifier and no query from the log's mask`() {
        let udid = "00008110-000A000000000001"
        #expect(!Redaction.target("/x/\(udid)%CC%81/y").contains("000A"))
        #expect(Redaction.target("/x?\u{301}secret") == "/x?…")
        #expect(Redaction.target("/install/\u{301}0123456789/a") == "/install/\u{301}0123…/a")
    }
}
