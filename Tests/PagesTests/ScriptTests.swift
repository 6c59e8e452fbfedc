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

    @Test func `keys go to the search and to sections, until they are turned off`() async throws {
        let examples = ExamplePages()
        let html = try examples.html(examples.devices())
        try await withTemporaryFolder { folder in
            try BrowserTests.write(["devices.html": html], into: folder)
            try await Browser.run(in: folder) { browser in
                let press = { (key: String) in
                    "document.activeElement.dispatchEvent(new KeyboardEvent('keydown', "
                        + "{ key: '\(key)', bubbles: true, cancelable: true }))"
                }
                let rows =
                    "[...document.querySelectorAll('#keys div')].map(x => x.textContent).join()"
                try await browser.open("file://\(folder.path())devices.html")
                _ = try await browser.text(press("?") + "; ''")
                #expect(try await browser.text(rows)?.contains("g dDevices") == true)
                _ = try await browser.text("document.querySelector('#keys button').click(); ''")
                #expect(try await browser.text("String(document.getElementById('keys'))") == "null")
                _ = try await browser.text(press("/") + "; ''")
                #expect(try await browser.text("document.activeElement.name") == "search")
                // A letter typed in a field is not a shortcut.
                _ = try await browser.text(press("?") + "; document.activeElement.blur(); ''")
                #expect(try await browser.text("String(document.getElementById('keys'))") == "null")
                let off =
                    "document.querySelector('[data-keys]').click(); "
                    + "document.querySelectorAll('#keys button')[1].click(); ''"
                _ = try await browser.text(off)
                _ = try await browser.text(press("?") + "; ''")
                #expect(try await browser.text("String(document.getElementById('keys'))") == "null")
            }
        }
    }

    @Test func `a moment that is pointed at says the reader's own time`() async throws {
        let examples = ExamplePages()
        let html = try examples.html(examples.install())
        try await withTemporaryFolder { folder in
            try BrowserTests.write(["install.html": html], into: folder)
            try await Browser.run(in: folder) { browser in
                try await browser.open("file://\(folder.path())install.html")
                let point =
                    "(() => { const t = document.querySelector('.facts time'); "
                    + "t.dispatchEvent(new PointerEvent('pointerover', { bubbles: true })); "
                    + "return t.title })()"
                #expect(try await browser.text(point)?.contains("2026") == true)
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
