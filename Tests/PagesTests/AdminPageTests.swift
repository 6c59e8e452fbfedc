import Pages
import TestSupport
import Testing

/// The admin's pages compared with checked-in HTML; `OTA_RECORD=1 swift test` rewrites it.
struct AdminPageTests {
    private func compare(_ page: some Page, _ name: String) throws {
        let html = try ExamplePages().html(page)
        #expect(try html == Golden.text(name, recording: html))
    }

    @Test func `where a token is shown, before and after a wrong one`() throws {
        try compare(ExamplePages().signIn(), "sign-in.html")
        try compare(ExamplePages().signIn(refused: true), "sign-in-refused.html")
        try compare(ExamplePages().signIn(byProvider: true), "sign-in-provider.html")
    }

    @Test func `why nothing was changed`() throws {
        try compare(ExamplePages().adminMessage(), "admin-message.html")
    }

    @Test func `how things go, and how they begin`() throws {
        try compare(ExamplePages().dashboard(), "dashboard.html")
        try compare(ExamplePages().emptyDashboard(), "dashboard-empty.html")
    }

    @Test func `everything of one kind that needs attention`() throws {
        try compare(ExamplePages().attention(), "attention.html")
    }

    @Test func `what a search finds`() throws {
        try compare(ExamplePages().search(finding: true), "search.html")
        try compare(ExamplePages().search(finding: false), "search-none.html")
    }

    @Test func `what happened`() throws {
        try compare(ExamplePages().activity(), "activity.html")
    }

    @Test func `when things end`() throws {
        try compare(ExamplePages().profiles(), "profiles.html")
        try compare(ExamplePages().profiles(isEmpty: true), "profiles-empty.html")
    }

    @Test func `what the server does by itself`() throws {
        try compare(ExamplePages().jobs(), "jobs.html")
        try compare(ExamplePages().jobs(isEmpty: true), "jobs-none.html")
        try compare(ExamplePages().runningJob(), "job-running.html")
        try compare(ExamplePages().waitingJob(), "job-waiting.html")
        let pages = try ExamplePages().adminPages()
        #expect(pages["job-running.html"]?.contains("data-busy") == true)
        #expect(pages["jobs-none.html"]?.contains("data-busy") == false)
    }

    @Test func `who may act from elsewhere`() throws {
        try compare(ExamplePages().tokens(), "tokens.html")
        try compare(ExamplePages().tokens(made: true), "token-made.html")
        try compare(ExamplePages().tokens(isRefused: true), "token-refused.html")
    }

    @Test func `who is told what happens`() throws {
        try compare(ExamplePages().notices(), "notices.html")
        try compare(ExamplePages().notices(isEmpty: true), "notices-empty.html")
        try compare(ExamplePages().notices(made: true), "webhook-made.html")
    }

    @Test(arguments: EscapingTests.hostile)
    func `an admin's page has the same tags and attributes whatever the words are`(
        text: String
    ) throws {
        let plain = try ExamplePages().adminPages()
        let pages = try ExamplePages(word: { _ in text }).adminPages()
        #expect(plain.keys.sorted() == pages.keys.sorted())
        for (name, html) in plain {
            let plain = HTMLStructure(html)
            let page = HTMLStructure(pages[name] ?? "")
            #expect(plain.tags.map(\.name) == page.tags.map(\.name), "\(name)")
            for (left, right) in zip(plain.tags, page.tags) {
                #expect(left.attributes.map(\.name) == right.attributes.map(\.name), "\(name)")
            }
        }
    }
}
