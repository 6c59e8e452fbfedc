import TestSupport
import Testing

/// The admin's pages of mirrors against checked-in HTML; `OTA_RECORD=1 swift test` writes it anew.
struct GoldenMirrorPageTests {
    @Test func `the pages of mirrors and builds are as they were`() throws {
        for (name, html) in try ExamplePages().mirrorPages() {
            #expect(try html == Golden.text("\(name).html", recording: html))
        }
    }

    @Test func `the pages of runners are as they were`() throws {
        for (name, html) in try ExamplePages().runnerPages() {
            #expect(try html == Golden.text("\(name).html", recording: html))
        }
    }

    @Test func `a page is looked at again only while something goes on`() throws {
        let pages = try ExamplePages().mirrorPages()
        #expect(pages["build-running"]?.contains("data-busy") == true)
        #expect(pages["mirror"]?.contains("data-busy") == true)
        #expect(pages["build-failed"]?.contains("data-busy") == false)
        #expect(pages["mirrors-none"]?.contains("data-busy") == false)
    }
}
