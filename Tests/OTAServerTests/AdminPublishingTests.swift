import Access
import Foundation
import Identifiers
import Releases
import Store
import TestSupport
import Testing
import Uploads

/// Builds that an admin publishes from the browser.
@Suite(.timeLimit(.minutes(10)))
struct AdminPublishingTests {
    private func head(_ admin: AdminClient, _ code: String?) -> [String: String] {
        var fields = [
            "Cookie": "__Host-ota_admin=\(admin.cookie)", "Content-Type": "application/json",
        ]
        if let code { fields["OTA-Form"] = code }
        return fields
    }

    /// Sends a request with the cookie, without a token.
    private func send(
        _ method: String,
        _ path: String,
        _ fields: [String: String],
        _ body: [UInt8] = [],
        on site: UploadSite,
    ) async throws -> WireResponse {
        try await WireClient.connect(site.site.port, tls: site.tls) { client in
            var all = fields
            all["Content-Length"] = "\(body.count)"
            try await client.send(Array(UploadSite.head(method, path, all).utf8) + body)
            return try await client.response()
        }
    }

    @Test func `a page's own script uploads with the cookie, and no other site does`() async throws
    {
        try await UploadSite.run { site in
            let admin = try await AdminClient.admin(site.site)
            let code = try await admin.formCode()
            let other = try await AdminClient.admin(site.site, Scope(.publish))
            let offer = Array(try JSONEncoder().encode(UploadOffer(size: site.build.count)))
            let path = "/api/v1/uploads"
            let bare = try await send("POST", path, head(admin, nil), offer, on: site)
            #expect(bare.status == 401)
            let wrong = try await send("POST", path, head(other, code), offer, on: site)
            #expect(wrong.status == 403)
            let foreign = head(admin, code).merging(["Sec-Fetch-Site": "cross-site"]) { $1 }
            #expect(try await send("POST", path, foreign, offer, on: site).status == 403)
            let begun = try await send("POST", path, head(admin, code), offer, on: site)
            #expect(begun.status == 201)
            let upload = try #require(begun.fields["location"])
            let shown = upload.replacing("/api/v1/uploads", with: "/admin/publish")
            #expect(try await admin.get(shown).text.contains("Upload not complete"))
            // Only admins and the person who uploaded it may see it.
            #expect(try await other.get(shown).status == 404)
            let piece = UploadSite.piece(at: 0, isLast: true).merging(head(admin, code)) { one, _ in
                one
            }
            let done = try await send("PATCH", upload, piece, site.build, on: site)
            #expect(done.status == 201, "\(done.text)")
            let page = try await admin.get(shown)
            #expect(page.text.contains("Published on stable."))
            #expect(page.text.contains("href=\"/admin/apps/browsey/1.0-1\""))
            #expect(try await admin.get("/admin/apps/browsey/1.0-1").status == 200)
        }
    }

    @Test func `the form is for those who may publish, and a refusal is explained`() async throws {
        try await UploadSite.run { site in
            let reader = try await AdminClient.admin(site.site, Scope(.read))
            #expect(try await reader.get("/admin/publish").status == 403)
            #expect(!(try await reader.get("/admin/apps").text.contains("Publish a build")))
            let publisher = try await AdminClient.admin(site.site, Scope(.publish), Scope(.read))
            let form = try await publisher.get("/admin/publish?channel=beta")
            #expect(
                form.text.contains("value=\"beta\"") && form.text.contains("ota publish build.ipa")
            )
            #expect(try await publisher.get("/admin/apps").text.contains("Publish a build"))
            let code = try await publisher.formCode()
            let junk = Array("no archive at all".utf8)
            let offer = Array(try JSONEncoder().encode(UploadOffer(size: junk.count)))
            let begun = try await send(
                "POST",
                "/api/v1/uploads",
                head(publisher, code),
                offer,
                on: site,
            )
            let upload = try #require(begun.fields["location"])
            let piece = UploadSite.piece(at: 0, isLast: true).merging(head(publisher, code)) {
                one,
                _ in one
            }
            #expect(try await send("PATCH", upload, piece, junk, on: site).status == 422)
            let shown = upload.replacing("/api/v1/uploads", with: "/admin/publish")
            let page = try await publisher.get(shown)
            #expect(page.text.contains("Not published") && page.text.contains("How to fix it"))
        }
    }

    @Test func `a build that was only checked is published or dropped by choice`() async throws {
        try await UploadSite.run { site in
            let admin = try await AdminClient.admin(site.site)
            let code = try await admin.formCode()
            let other = try await AdminClient.admin(site.site, Scope(.publish))
            let empty = try await admin.get("/admin/publish").text
            #expect(empty.contains("Check only") && !empty.contains("Checked files"))
            #expect(empty.contains("data-sign-in=\"/admin/sign-in?to=%2Fadmin%2Fpublish\""))
            let app = try #require(BundleIdentifier("com.vforsh.browsey"))

            func check() async throws -> String {
                var offer = UploadOffer(size: site.build.count)
                offer.checkOnly = true
                let fields = head(admin, code)
                let body = Array(try JSONEncoder().encode(offer))
                let begun = try await send("POST", "/api/v1/uploads", fields, body, on: site)
                #expect(begun.json("checkOnly") as? Bool == true)
                let upload = try #require(begun.fields["location"])
                let piece = UploadSite.piece(at: 0, isLast: true).merging(fields) { one, _ in one }
                let done = try await send("PATCH", upload, piece, site.build, on: site)
                #expect(done.status == 200 && done.json("checkOnly") as? Bool == true)
                return upload.replacing("/api/v1/uploads", with: "/admin/publish")
            }

            let dropped = try await check()
            let page = try await admin.get(dropped)
            #expect(page.text.contains("This build would be published on"))
            #expect(page.text.contains("Publish on stable"))
            let list = try await admin.get("/admin/publish").text
            #expect(
                list.contains("Checked files") && list.contains("href=\"\(dropped)\""),
                "\(list)",
            )
            #expect(try await !other.get("/admin/publish").text.contains("Checked files"))
            #expect(try site.store.app(app) == nil)
            // Only admins and the person who uploaded it may decide.
            #expect(try await other.send(dropped, ["choice": "publish"]).status == 404)
            #expect(try await other.send(dropped, ["choice": "drop"]).status == 404)
            #expect(try await admin.send(dropped, ["choice": "drop"]).status == 303)
            #expect(try await admin.get(dropped).status == 404)
            // The same button in an outdated tab.
            site.site.clock.advance(by: 11)
            let stale = try await admin.send(dropped, ["choice": "drop"])
            #expect(stale.status == 404 && stale.text.contains("choose the file again"))
            #expect(try site.store.backend.uploads().isEmpty && site.store.app(app) == nil)

            let published = try await check()
            #expect(try await admin.send(published, ["choice": "publish"]).status == 303)
            var isThere = false
            for _ in 0..<300 where !isThere {
                isThere = try await admin.get(published).text.contains("Published on stable.")
                try await Task.sleep(for: .milliseconds(100))
            }
            #expect(isThere)
            #expect(try site.store.app(app)?.channels[.stable] != nil)
            let late = try await admin.send(published, ["choice": "drop"])
            #expect(late.status == 400 && !late.text.contains("with GET"), "\(late.text)")
        }
    }

    @Test(
        .enabled(
            if: Browser.chromium != nil && WebhookReceiver.python != nil,
            "there is no browser",
        )
    )
    func `a file chosen in a browser arrives in pieces, through a cut, and its page opens`()
        async throws
    {
        try await UploadSite.run(noise: 200_000) { site in
            let admin = try await AdminClient.admin(site.site)
            let root = "https://localhost:\(site.site.port)"
            try await Browser.run(in: site.site.folder) { browser in
                try await browser.set(
                    cookie: "__Host-ota_admin",
                    to: admin.cookie,
                    for: root + "/",
                )
                try await browser.open(root + "/admin/publish")
                #expect(try await browser.waits(for: "!document.getElementById('publish').hidden"))
                let file = Data(site.build).base64EncodedString()
                // The first piece is lost in transit.
                let script = """
                    (() => {
                      const bytes = Uint8Array.from(atob('\(file)'), c => c.charCodeAt(0));
                      const chosen = new DataTransfer();
                      chosen.items.add(new File([bytes], 'build.ipa'));
                      const form = document.getElementById('publish');
                      form.elements.file.files = chosen.files;
                      form.elements.channel.value = 'beta';
                      form.elements.notes.value = 'From a browser.';
                      const send = XMLHttpRequest.prototype.send;
                      let pieces = 0;
                      XMLHttpRequest.prototype.send = function (body) {
                        if (body instanceof Blob && pieces++ === 0) {
                          setTimeout(() => this.onloadend(), 0);
                        } else { send.call(this, body); }
                      };
                      form.requestSubmit();
                      return '';
                    })()
                    """
                _ = try await browser.text(script)
                let isDone = "document.querySelector('h1').textContent.includes('1.0 (1)')"
                #expect(try await browser.waits(for: isDone, seconds: 60))
                let text = try await browser.text("document.getElementById('content').textContent")
                #expect(text?.contains("Published on beta.") == true, "\(text ?? "")")
            }
            let app = try #require(BundleIdentifier("com.vforsh.browsey"))
            let release = try site.store.release(
                ReleaseIdentifier(version: "1.0", build: "1"),
                of: app,
            )
            #expect(release?.sha256 == site.digest && release?.notes == "From a browser.")
        }
    }
}
