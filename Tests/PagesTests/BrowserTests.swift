import Bundles
import Foundation
import Images
import Pages
import Releases
import TestSupport
import Testing

/// Every page in a real browser: width, contrast, names, headings, the position of the Install button.
///
/// Scripts are disabled in the measured pages, which therefore must work without them.
@Suite(
    .serialized,
    .enabled(if: Browser.chromium != nil && WebhookReceiver.python != nil, "there is no browser"),
    .timeLimit(.minutes(15)),
)
struct BrowserTests {
    private struct Measurement: Decodable {
        let page: String
        let scheme: String
        let width: Int
        let problems: [String]

        var place: String { "\(page), \(scheme), \(width) px" }
    }

    private static let schemes = ["light", "dark"]
    private static let widths = [390, 320, 1200]

    /// The pages by file name, with texts as long as people write them.
    private func pages() throws -> [String: String] {
        let code = try QRCode(encoding: "https://ota.example.com/apps/browsey")
            .svg(label: "Code of this page")
        let good = ExamplePages()
        let long = ExamplePages(word: { word in
            word == "Browsey"
                ? "Donaudampfschifffahrtsgesellschaft für Überseereisen"
                : word + "-" + String(repeating: "0123456789", count: 3)
        })
        let hostile = ExamplePages(word: { _ in "abc\u{202E}gpj \"\u{301}<b>" })
        let blocked = ExamplePages(findings: [
            ExamplePages.blocking("The signature of Payload/Browsey.app is missing.", "Sign it.")
        ])
        let inApp = ExamplePages(visitor: .inAppBrowser(app: "Slack"))
        let desk = ExamplePages(visitor: .other, code: code)
        let trial = ExamplePages(days: 20, trust: .privateAuthority(name: "ota Sample Root CA"))
        let pages = [
            "install.html": try good.html(good.install()),
            "desktop.html": try good.html(ExamplePages(visitor: .other, code: code).install()),
            "channels.html": try good.html(ExamplePages(hasChannels: true).install()),
            "channels-long.html": try good.html(
                ExamplePages(word: long.word, visitor: .other, hasChannels: true, code: code)
                    .install()
            ),
            "standalone.html": try good.html(ExamplePages(code: code).standalone()),
            "long.html": try good.html(long.install()),
            "hostile.html": try good.html(hostile.install()),
            "blocked.html": try good.html(blocked.install()),
            "expired.html": try good.html(ExamplePages(days: -3).install()),
            "in-app.html": try good.html(inApp.install()),
            "private.html": try good.html(trial.install()),
            "start.html": try good.html(ExamplePages(days: 12).start()),
            "start-long.html": try good.html(long.start()),
            "empty.html": try good.html(good.empty()),
            "start-many.html": try good.html(good.startOfMany()),
            "start-searched.html": try good.html(long.startOfMany(matching: "<none>")),
            "history.html": try good.html(good.history()),
            "history-long.html": try good.html(long.history()),
            "trust.html": try good.html(good.trustPage()),
            "message.html": try good.html(good.message()),
            "enrol.html": try good.html(good.enrol()),
            "enrol-refused.html": try good.html(long.enrol(refused: true)),
            "invitation.html": try good.html(good.invitation()),
            "invitation-long.html": try good.html(long.invitation()),
            "invitation-hostile.html": try good.html(hostile.invitation()),
            "invitation-desktop.html": try good.html(desk.invitation(team: nil)),
            "invitation-in-app.html": try good.html(inApp.invitation()),
            "invitation-many.html": try good.html(good.invitation(isForMany: true)),
            "invitation-many-refused.html": try good.html(
                hostile.invitation(isForMany: true, refusing: "x")
            ),
            "poster.html": try good.html(long.poster()),
            "poster-hostile.html": try good.html(hostile.poster()),
            "groups.html": try good.html(
                long.ownGroups("qa", String(repeating: "a", count: 40))
            ),
            "groups-none.html": try good.html(good.ownGroups()),
            "feedback.html": try good.html(good.feedback()),
            "feedback-refused.html": try good.html(long.feedback(isRefused: true)),
            "start-member.html": try good.html(good.startOfMember()),
            "enrolled-waiting.html": try good.html(good.enrolled(.waiting)),
            "enrolled-approved.html": try good.html(long.enrolled(.approved)),
            "enrolled-refused.html": try good.html(long.enrolled(long.refusal())),
            "enrolled-hostile.html": try good.html(hostile.enrolled(hostile.refusal())),
        ]
        let longer = try long.personal().map { ("long-" + $0.key, $0.value) }
        return pages.merging(try good.personal()) { page, _ in page }
            .merging(longer) { page, _ in page }
    }

    /// The admin's pages with long texts, and with texts that could change the page around them.
    private func strangeAdminPages() throws -> [String: String] {
        let long = ExamplePages(word: { $0 + "-" + String(repeating: "0123456789", count: 3) })
        let hostile = ExamplePages(word: { _ in "abc\u{202E}gpj \"\u{301}<b>" })
        return try long.adminPages(ending: "-long")
            .merging(hostile.adminPages(ending: "-hostile")) { $1 }
    }

    @Test func `every page fits, reads and can be operated on phone and desktop`() async throws {
        // The texts do not affect colours, so the dark scheme is checked only with plain ones.
        let plain = try pages().filter { isPlain($0.key) }
        try await check(plain)
        try await check(
            pages().filter { !isPlain($0.key) },
            schemes: ["light"],
            hasColours: false,
        )
    }

    private func isPlain(_ page: String) -> Bool {
        !page.contains("long") && !page.contains("hostile")
    }

    @Test func `every page for testers does so in every language`() async throws {
        let long = ExamplePages(word: {
            $0 == "Browsey" ? "Donaudampfschifffahrtsgesellschaft für Überseereisen" : $0
        })
        let pseudo = ExampleLanguages.pseudo
        var all: [String: String] = [:]
        for language in Language.all.filter({ $0 != .english }) + [pseudo] {
            // For other languages, only the long run checks every page; otherwise, the pages that every
            // tester opens.
            let isWhole = TestDepth.isLong || ["de", pseudo.tag].contains(language.tag)
            for (page, html) in try ExampleLanguages.pages(in: language, long).spoken()
            where isWhole || page.hasPrefix("install") || page.hasPrefix("invitation") {
                all["\(language.tag)-\(page)"] = html.replacing(
                    "<details class=\"languages\">",
                    with: "<details class=\"languages\" open>",
                )
            }
        }
        // The pseudo-language tests direction and width; its texts are longer than any real ones.
        let fold = "the Install button is below the fold"
        let widths = TestDepth.isLong ? [390, 320] : [320]
        try await check(all, widths: widths, schemes: ["light"], hasColours: false) {
            page,
            problem in
            // On Android, the notice that the app cannot be installed comes first.
            (page.hasPrefix(pseudo.tag + "-") || page.hasSuffix("-android.html")) && problem == fold
        }
    }

    @Test func `every page for admins does too`() async throws {
        try await check(ExamplePages().adminPages())
        try await check(strangeAdminPages(), schemes: ["light"], hasColours: false)
    }

    @Test(.enabled(if: AxeCore.script != nil, "axe-core is missing: run scripts/tools"))
    func `axe-core finds nothing to complain about`() async throws {
        // Long and hostile texts do not affect these rules.
        let plain = try pages().filter { isPlain($0.key) }
        let pages = try plain.merging(ExamplePages().adminPages()) { $1 }
        try await check(pages, widths: [390, 1200], judging: AxeCore.script)
    }

    @Test(
        .enabled(if: WebKit.isHere, "webkit2gtk-driver or xvfb is not on this machine"),
        // WebKit computes the colours as Chromium does.
        arguments: TestDepth.isLong ? schemes : ["light"],
    )
    func `every page is the same in the engine of Safari`(scheme: String) async throws {
        let pages = try pages().merging(ExamplePages().adminPages()) { $1 }
        let widths = TestDepth.isLong ? Self.widths : [390, 1200]
        try await check(pages, widths: widths, schemes: [scheme], in: .webKit)
    }

    private func check(
        _ pages: [String: String],
        widths: [Int] = widths,
        schemes: [String] = schemes,
        in engine: Engine = .chromium,
        judging axe: URL? = nil,
        hasColours: Bool = true,
        but isMeant: (_ page: String, _ problem: String) -> Bool = { _, _ in false },
    ) async throws {
        let results = try await measure(
            pages,
            widths: widths,
            schemes: schemes,
            in: engine,
            judging: axe,
            hasColours: hasColours,
        )
        // In the dark scheme, axe-core checks only colours, which are the same at every width.
        let screens = axe == nil ? widths.count * schemes.count : widths.count + 1
        #expect(results.count == pages.count * screens)
        for result in results {
            let problems = result.problems.filter { !isMeant(result.page, $0) }
            #expect(problems.isEmpty, "\(result.place)")
        }
    }

    @Test func `the measurement sees what is wrong`() async throws {
        let page = """
            <!doctype html><title></title><h1>One</h1><h1>Two</h1><h3>Three</h3>
            <style>@media (prefers-color-scheme: dark) { #dim { color: #333; background: #000 } }
            @media (min-width: 800px) { #grey { color: #777 } }</style>
            <main><p id="dim">Dim<p id="grey">Grey
            <img src="absent.png"><a href="x"></a><p style="color:#999">Pale</p>
            <p style="width:2000px">Wide</p><p style="height:2000px"></p>
            <a class="button" id="install" href="x">Install</a></main>
            <script>document.body.innerHTML = "all is well"</script>
            """
        let results = try await measure(["bad.html": page])
        let problems = results.flatMap(\.problems)
        for problem in [
            "h1 × 2", "no title", "H3 after h1", "img without alt", "img not found", "no name",
            "contrast 2.85: Pale", "wider than the screen", "reaches out: P", "small target",
            "below the fold",
        ] {
            #expect(problems.contains { $0.contains(problem) }, "\(problem)")
        }
        let dim = results.filter { $0.problems.contains { $0.hasSuffix(": Dim") } }
        #expect(dim.map(\.place) == [390, 320, 1200].map { "bad.html, dark, \($0) px" })
        let grey = results.filter { $0.problems.contains { $0.hasSuffix(": Grey") } }
        #expect(grey.map(\.place) == Self.schemes.map { "bad.html, \($0), 1200 px" })
    }

    @Test(.enabled(if: AxeCore.script != nil, "axe-core is missing: run scripts/tools"))
    func `axe-core sees what is wrong`() async throws {
        let page = """
            <!doctype html><html lang="en"><title>Bad</title>
            <style>a { text-decoration: none; color: #00c } p { color: #000 }
            @media (prefers-color-scheme: dark) { body { background: #000 } p { color: #fff }
            a { color: #ddf } } @media (max-width: 800px) { a { text-decoration: underline } }
            #wide { display: none } @media (min-width: 800px) { #wide { display: block } }
            @media (prefers-color-scheme: dark) { a { text-decoration: none } }
            </style><main><h1>Bad</h1><div role="banana">Role</div><input>
            <p>See <a href="x">this</a> page of many words.</p><h4 id="wide">Deep</h4></main>
            """
        let results = try await measure(
            ["bad.html": page],
            widths: [390, 1200],
            judging: AxeCore.script,
        )
        func places(_ rule: String) -> [String] {
            results.filter { $0.problems.contains { $0.hasPrefix("axe \(rule): ") } }.map(\.place)
        }
        #expect(places("aria-roles") == ["bad.html, light, 390 px"])
        #expect(places("label") == ["bad.html, light, 390 px"])
        #expect(places("heading-order") == ["bad.html, light, 1200 px"])
        #expect(places("link-in-text-block").last == "bad.html, dark, 390 px")
    }

    private enum Engine { case chromium, webKit }

    private func measure(
        _ pages: [String: String],
        widths: [Int] = widths,
        schemes: [String] = schemes,
        in engine: Engine = .chromium,
        judging axe: URL? = nil,
        hasColours: Bool = true,
    ) async throws -> [Measurement] {
        try await withTemporaryFolder { folder in
            try Self.write(pages, into: folder)
            let harness = URL(filePath: #filePath).deletingLastPathComponent()
                .appending(path: "Browser/measure.html")
            try FileManager.default.copyItem(
                at: harness,
                to: folder.appending(path: "measure.html"),
            )
            let query =
                (widths.map { "width=\($0)" } + schemes.map { "scheme=" + $0 }
                + pages.keys.sorted().map { "page=" + $0 })
                .joined(separator: "&")
            if let axe {
                try FileManager.default.copyItem(at: axe, to: folder.appending(path: "axe.js"))
            }
            let target =
                "measure.html?\(query)" + (axe == nil ? "" : "&axe=axe.js")
                + (hasColours ? "" : "&colours=no")
            let text =
                switch engine {
                case .chromium: try await Self.chromium(target, of: folder)
                // This engine uses one colour scheme for as long as it runs.
                case .webKit: try WebKit.results(of: target, in: folder, scheme: schemes[0])
                }
            let json = try #require(text.removingPercentEncoding)
            return try JSONDecoder().decode([Measurement].self, from: Data(json.utf8))
        }
    }

    private static func chromium(_ target: String, of folder: URL) async throws -> String {
        let results = "document.getElementById('results').textContent"
        return try await Browser.run(in: folder) { browser in
            try await browser.open("file://\(folder.path())\(target)")
            // Each page may take up to two minutes, for slow machines.
            var last = try await browser.text("document.title") ?? ""
            while try await browser.waits(
                for: "\(results) || document.title !== '\(last)'",
                seconds: 120,
            ) {
                if let text = try await browser.text(results), !text.isEmpty { return text }
                last = try await browser.text("document.title") ?? ""
            }
            throw Browser.Failure(reason: "nothing was measured for two minutes after \(last)")
        }
    }

    /// Writes pages with everything that they load, so that a browser can open them from a folder.
    static func write(_ pages: [String: String], into folder: URL) throws {
        let publicFolder = folder.appending(path: "public")
        try FileManager.default.createDirectory(
            at: publicFolder,
            withIntermediateDirectories: true,
        )
        for (name, bytes) in try Assets().publicFiles {
            try Data(bytes).write(to: publicFolder.appending(path: name))
        }
        let icon = Raster.placeholder(name: "Browsey", seed: "com.vforsh.browsey", side: 512).png()
        try Data(icon).write(to: folder.appending(path: "icon.png"))
        try Data(icon).write(to: folder.appending(path: "icon-512.png"))
        for (name, html) in pages { try Data(html.utf8).write(to: folder.appending(path: name)) }
    }
}
