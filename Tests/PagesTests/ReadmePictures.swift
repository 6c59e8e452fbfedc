import Foundation
import TestSupport
import Testing

/// The pictures in the README and the documents, made from the example pages of the tests; `OTA_RECORD=1
/// swift test --filter ReadmePictures` makes them again.
@Suite(
    .enabled(
        if: ProcessInfo.processInfo.environment["OTA_RECORD"] == "1" && Browser.chromium != nil,
        "pictures are taken when they are asked for",
    ),
    .timeLimit(.minutes(10)),
)
struct ReadmePictures {
    private static let notes = """
        ## Faster tabs

        - Opening a tab takes **half** the time
        - `Bonjour` discovery finds desktops again
        - Fixes a crash when the camera permission is *denied*

        See [the ticket](https://example.com/812).
        """

    @Test func `each picture is taken at the size that the README shows`() async throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../docs/images").standardizedFileURL
        let pages = ExamplePages(notes: Self.notes)
        let html = [
            "install.html": Self.newest(try pages.html(pages.install())),
            // Without the server that it would listen to, it would say that it is connecting.
            "dashboard.html": try pages.html(pages.dashboard())
                .replacing(" data-events=", with: " data-no-events="),
            "missing.html": Self.newest(try #require(pages.personal()["missing.html"])),
        ]
        let pictures: [(name: String, page: String, width: Int, height: Int, isDark: Bool)] = [
            ("install-page", "install.html", 390, 844, false),
            ("install-page-dark", "install.html", 390, 844, true),
            ("not-this-device", "missing.html", 390, 844, false),
            ("dashboard", "dashboard.html", 1200, 900, false),
        ]
        try await withTemporaryFolder { site in
            try BrowserTests.write(html, into: site)
            try await Browser.run(in: site) { browser in
                for picture in pictures {
                    let scale = picture.width < 1000 ? 2.0 : 1.5
                    try await browser.resize(
                        width: picture.width,
                        height: picture.height,
                        scale: scale,
                        isDark: picture.isDark,
                    )
                    try await browser.open("file://\(site.path())\(picture.page)")
                    let file = folder.appending(path: picture.name + ".png")
                    try await browser.picture(to: file, height: picture.height)
                    // Width and height are the first fields in a PNG's header chunk.
                    let head = [UInt8](try Data(contentsOf: file).prefix(24))
                    let width = head[16..<20].reduce(0) { $0 << 8 | Int($1) }
                    #expect(width == Int(Double(picture.width) * scale), "\(picture.name)")
                }
            }
        }
    }

    /// A page as that of the newest build: the examples also show what an older one adds.
    private static func newest(_ html: String) -> String {
        html.replacing(/<[a-z]+ class="chip[^>]*>Older version<\/[a-z]+>/, with: "")
    }

    /// Pages that the documents show, by their files in `Golden`; small, because there are many.
    private static let shown: [(name: String, page: String, width: Int, height: Int)] = [
        ("trust", "trust", 390, 620), ("enrol", "invitation", 390, 620),
        ("waiting", "steps-build", 390, 620), ("history", "history", 390, 620),
        ("admin-devices", "admin-devices", 1100, 720),
        ("admin-release", "admin-release", 1100, 720),
        ("admin-build", "build-failed", 1100, 720), ("admin-app", "admin-app", 1100, 720),
    ]

    @Test func `each document's picture is taken`() async throws {
        let tests = URL(filePath: #filePath).deletingLastPathComponent()
        let folder = tests.appending(path: "../../docs/images").standardizedFileURL
        let html = try Dictionary(
            uniqueKeysWithValues: Self.shown.map { picture in
                let file = tests.appending(path: "Golden/\(picture.page).html")
                let text = try String(contentsOf: file, encoding: .utf8)
                return (
                    picture.page + ".html",
                    Self.newest(text.replacing(" data-events=", with: " data-none=")),
                )
            }
        )
        try await withTemporaryFolder { site in
            try BrowserTests.write(html, into: site)
            try await Browser.run(in: site) { browser in
                for picture in Self.shown {
                    try await browser.resize(
                        width: picture.width,
                        height: picture.height,
                        scale: picture.width < 1000 ? 1.5 : 1,
                        isDark: false,
                    )
                    try await browser.open("file://\(site.path())\(picture.page).html")
                    let file = folder.appending(path: picture.name + ".webp")
                    try await browser.picture(to: file, height: picture.height)
                    let bytes = try Data(contentsOf: file)
                    #expect(bytes.starts(with: Array("RIFF".utf8)))
                    #expect(bytes.count < 100_000, "\(picture.name)")
                }
            }
        }
    }
}
