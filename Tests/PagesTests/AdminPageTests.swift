import Pages
import TestSupport
import Testing

/// The admin's pages against checked-in HTML; `OTA_RECORD=1 swift test` writes it anew.
struct AdminPageTests {
    private func compare(_ page: some Page, _ name: String) throws {
        let html = try ExamplePages().html(page)
        #expect(try html == Golden.text(name, recording: html))
    }

    @Test func `where a token is shown, before and after a wrong one`() throws {
        try compare(ExamplePages().signIn(), "sign-in.html")
        try compare(ExamplePages().signIn(refused: true), "sign-in-refused.html")
    }

    @Test func `why nothing was changed`() throws {
        try compare(ExamplePages().adminMessage(), "admin-message.html")
    }
}
