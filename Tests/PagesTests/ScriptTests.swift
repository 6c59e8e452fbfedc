import Foundation
import Images
import Pages
import TestSupport
import Testing

/// What the pages' scripts do, in a real browser.
@Suite(
    .serialized,
    .enabled(if: Browser.chromium != nil && WebhookReceiver.python != nil, "there is no browser"),
    .timeLimit(.minutes(10)),
)
struct ScriptTests {
    @Test func `an iPad that calls itself a Mac is shown no code to scan`() async throws {
        let code = try QRCode(encoding: "https://ota.example.com/apps/browsey")
            .svg(label: "Code of this page")
        let pages = ExamplePages(visitor: .other, code: code)
        try await withTemporaryFolder { folder in
            try BrowserTests.write(["desktop.html": pages.html(pages.install())], into: folder)
            try await Browser.run(in: folder) { browser in
                let height = "String(document.getElementById('scan').offsetHeight > 0)"
                try await browser.open("file://\(folder.path())desktop.html")
                #expect(try await browser.text(height) == "true", "a Mac is shown one")
                try await browser.becomeAnIPad()
                try await browser.open("file://\(folder.path())desktop.html?ipad")
                #expect(try await browser.text(height) == "false")
            }
        }
    }

    @Test func `long notes unfold without a script of ours`() async throws {
        var pages = ExamplePages()
        pages.notes = (1...40).map { "- change \($0)" }.joined(separator: "\n")
        let html = try pages.html(pages.install()).replacing("<script", with: "<!-- ")
        try await withTemporaryFolder { folder in
            try BrowserTests.write(["install.html": html], into: folder)
            try await Browser.run(in: folder) { browser in
                try await browser.resize(width: 390, height: 844, scale: 1, isDark: false)
                try await browser.open("file://\(folder.path())install.html")
                let last = "[...document.querySelectorAll('.notes li')].at(-1).checkVisibility()"
                #expect(try await browser.text("String(\(last))") == "false")
                _ = try await browser.text("document.querySelector('.rest > summary').click()")
                #expect(try await browser.waits(for: last))
            }
        }
    }
}
