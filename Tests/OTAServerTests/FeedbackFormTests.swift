import Administration
import Foundation
import Identifiers
import Releases
import Store
import TestSupport
import Testing

/// The form in which testers report problems, over TLS and without scripts.
@Suite(.timeLimit(.minutes(10)))
struct FeedbackFormTests {
    private static let path = "/apps/demo-co/1.2.0-34/feedback"

    private static func open(_ site: TestSite, _ way: FeedbackWay = .form) throws {
        try site.store.changeApp(site.release.bundleIdentifier) { $0.feedback = way }
        site.settle()
    }

    /// A browser that loaded the form: its cookies and the code in the form.
    private struct Browser {
        private static let plain = CharacterSet(
            charactersIn: "abcdefghijklmnopqrstuvwxyz0123456789"
        )

        let page: WireResponse
        let cookies: String
        let code: String

        init(on site: TestSite, as tester: TestTester? = nil) async throws {
            var fields = ["User-Agent": TestTester.agent]
            if let tester { fields["Cookie"] = tester.cookie }
            page = try await WireClient.get(site, FeedbackFormTests.path, fields: fields)
            let own = page.fields["set-cookie"].map { String($0.prefix { $0 != ";" }) }
            cookies = [tester?.cookie, own].compactMap(\.self).joined(separator: "; ")
            code = String(
                page.text.components(separatedBy: "name=\"form\" value=\"").last?
                    .prefix { $0 != "\"" } ?? ""
            )
        }

        func send(
            _ text: String,
            on site: TestSite,
            code: String? = nil,
            fields: String = "",
        ) async throws -> WireResponse {
            let typed = text.addingPercentEncoding(withAllowedCharacters: Self.plain) ?? ""
            let body = "form=\(code ?? self.code)&text=\(typed)"
            return try await WireClient.secure(site) { client in
                try await client.send(
                    "POST \(FeedbackFormTests.path) HTTP/1.1\r\nHost: localhost\r\nCookie: \(cookies)\r\n"
                        + "User-Agent: \(TestTester.agent)\r\n\(fields)"
                        + "Content-Type: application/x-www-form-urlencoded\r\n"
                        + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
                )
                return try await client.response()
            }
        }
    }

    @Test func `what a tester types arrives with device and build, and is deleted for good`()
        async throws
    {
        try await TestSite.run { site in
            let app = site.release.bundleIdentifier
            #expect(try await WireClient.get(site, Self.path).status == 404, "it is off")
            try Self.open(site)
            let ana = try TestTester(TestTester.ana, of: site)
            try ana.join(site)
            let page = try await ana.get(site, "/apps/demo-co")
            #expect(page.text.contains("\(Self.path)\">Report a problem"))
            let browser = try await Browser(on: site, as: ana)
            #expect(browser.page.status == 200)
            for words in ["s iPhone, iPhone 14 Pro", "iOS 18.1", "1.2.0 (34)"] {
                #expect(browser.page.text.contains(words), "\(words)")
            }
            #expect(!browser.page.text.contains("00008120"))
            let text = "It <b>crashes</b>\non start, on 00008120-000A1B2C3D4E5F60."
            let sent = try await browser.send(text, on: site)
            #expect(sent.status == 303)
            #expect(sent.fields["location"]?.hasSuffix(Self.path + "?sent=1") == true)
            let thanks = try await ana.get(site, Self.path + "?sent=1")
            #expect(thanks.text.contains("Thank you"))
            let kept = try #require(try site.store.feedback(of: app).entries.first)
            #expect(kept.text == "It <b>crashes</b>\non start, on (device).")
            #expect(kept.sender.words == "Ana's iPhone, iPhone 14 Pro, iOS 18.1")
            #expect(kept.release.rawValue == "1.2.0-34" && kept.device == ana.reference)
            let told = try #require(try site.store.activity(count: 1).first)
            #expect(told.event == .feedbackReceived && told.detail == kept.identifier)
            // The admin sees it as text, and deletes it.
            let admin = try await AdminClient.admin(site)
            let shown = try await admin.get("/admin/apps/demo-co").text
            #expect(shown.contains("It &lt;b&gt;crashes&lt;/b&gt;"))
            #expect(try await admin.get("/admin/apps/demo-co/feedback").text.contains("on start"))
            let form = "/admin/apps/demo-co/feedback/\(kept.identifier)/delete"
            #expect(try await admin.send(form, [:]).status == 303)
            #expect(try site.store.feedback(of: app).entries.isEmpty)
            // A second tap on the same button gets the same response, and does nothing.
            #expect(try await admin.send(form, [:]).status == 303)
            let deletions = try site.store.activity(count: 20)
                .filter { $0.event == .feedbackDeleted }
            #expect(deletions.map(\.actor) == ["root0"])
        }
    }

    @Test func `a forged, empty, long or repeated form keeps nothing, and says why`() async throws {
        try await TestSite.run { site in
            let app = site.release.bundleIdentifier
            try Self.open(site)
            let browser = try await Browser(on: site)
            #expect(browser.page.text.contains("A device that this server does not know"))
            #expect(try await browser.send("x", on: site, code: "forged").status == 403)
            let foreign = try await browser.send(
                "x",
                on: site,
                fields: "Sec-Fetch-Site: cross-site\r\n",
            )
            #expect(foreign.status == 403)
            let empty = try await browser.send(" \n\t ", on: site)
            #expect(empty.status == 422 && empty.text.contains("There is no message."))
            let long = try await browser.send(
                String(repeating: "ä", count: Feedback.longestText + 1),
                on: site,
            )
            #expect(long.status == 422 && long.text.contains("The message is too long."))
            #expect(long.text.contains("ääää"), "what was typed is not lost")
            let huge = try await browser.send(String(repeating: "a", count: 60_000), on: site)
            #expect(huge.status == 413)
            #expect(try site.store.feedback(of: app).entries.isEmpty)
            #expect(try await browser.send("twice", on: site).status == 303)
            #expect(try await browser.send("twice", on: site).status == 303)
            #expect(try site.store.feedback(of: app).entries.count == 1)
        }
    }

    @Test func `the same words of two strangers are two messages`() async throws {
        try await TestSite.run { site in
            try Self.open(site)
            for _ in 0..<2 {
                let stranger = try await Browser(on: site)
                for _ in 0..<2 {
                    #expect(try await stranger.send("It crashes", on: site).status == 303)
                }
            }
            let kept = try site.store.feedback(of: site.release.bundleIdentifier).entries
            #expect(kept.map(\.text) == ["It crashes", "It crashes"])
        }
    }

    @Test func `what an admin changes holds with the answer`() async throws {
        try await TestSite.run { site in
            let admin = try await AdminClient.admin(site)
            for (link, mark) in [("one", "qa1@"), ("two", "qa2@"), ("three", "qa3@")] {
                // Afterwards the page comes from memory.
                for _ in 0..<3 { _ = try await WireClient.get(site, "/apps/demo-co") }
                let form = [
                    "title": link, "feedback": "link", "feedback-link": "mailto:\(mark)example.com",
                ]
                #expect(try await admin.send("/admin/apps/demo-co/settings", form).status == 303)
                let page = try await WireClient.get(site, "/apps/demo-co").text
                #expect(page.contains("mailto:\(mark)"), "\(link)")
            }
        }
    }

    @Test func `a device and an address send so many within an hour`() async throws {
        try await TestSite.run { site in
            try Self.open(site)
            let ana = try TestTester(TestTester.ana, of: site)
            try ana.join(site)
            let own = try await Browser(on: site, as: ana)
            var answers: [Int] = []
            for number in 1...6 {
                answers.append(try await own.send("\(number)", on: site).status)
            }
            #expect(answers == [303, 303, 303, 303, 303, 429])
            let other = try await Browser(on: site)
            answers = []
            for number in 1...20 {
                answers.append(try await other.send("other \(number)", on: site).status)
            }
            #expect(answers.filter { $0 == 303 }.count < 20 && answers.last == 429)
            let last = try await other.send("once more", on: site)
            #expect(last.text.contains("Too many messages were sent."))
            #expect(last.text.contains("once more"))
        }
    }

    @Test func `a link of the team's own stands on the page in place of the form`() async throws {
        try await TestSite.run { site in
            let admin = try await AdminClient.admin(site)
            let settings = "/admin/apps/demo-co/settings"
            var form = ["title": "Demo & Co", "feedback": "link", "feedback-link": "javascript:x"]
            #expect(try await admin.send(settings, form).status == 422)
            form["feedback-link"] = "mailto:qa@example.com?subject=Demo"
            #expect(try await admin.send(settings, form).status == 303)
            site.settle()
            let page = try await WireClient.get(site, "/apps/demo-co").text
            #expect(page.contains("href=\"mailto:qa@example.com?subject"))
            #expect(try await WireClient.get(site, Self.path).status == 404)
            let shown = try await admin.get("/admin/apps/demo-co").text
            #expect(shown.contains("value=\"mailto:qa@example.com?subject"))
        }
    }

    @Test func `an erased device leaves its feedback without a name`() async throws {
        try await TestSite.run { site in
            let app = site.release.bundleIdentifier
            try Self.open(site)
            let ana = try TestTester(TestTester.ana, of: site)
            try ana.join(site)
            #expect(
                try await Browser(on: site, as: ana).send("It crashes.", on: site).status == 303
            )
            let admin = Administrator(of: site.store, named: "ada", clock: { site.clock.now })
            try admin.remove(ana.device, erasing: true)
            let kept = try #require(try site.store.feedback(of: app).entries.first)
            #expect(kept.device == nil && kept.sender.name == nil && kept.text == "It crashes.")
        }
    }
}
