import Bundles
import Foundation
import Pages
import Releases
import TestSupport
import Testing

/// Every page against checked-in HTML; `OTA_RECORD=1 swift test` writes it anew.
struct GoldenPageTests {
    private func compare(_ page: some Page, _ name: String) throws {
        let html = try ExamplePages().html(page)
        #expect(try html == Golden.text(name, recording: html))
    }

    @Test func `the install page on a phone`() throws {
        try compare(ExamplePages().install(), "install.html")
    }

    @Test func `the install page on a desktop, with a code to scan`() throws {
        var pages = ExamplePages(visitor: .other)
        pages.code = "<svg></svg>"
        try compare(pages.install(), "desktop.html")
    }

    @Test func `the install page of an app with several channels`() throws {
        try compare(ExamplePages(hasChannels: true).install(), "install-channels.html")
    }

    @Test func `the install page in another app's browser`() throws {
        let pages = ExamplePages(visitor: .inAppBrowser(app: "Slack"))
        try compare(pages.install(), "in-app.html")
    }

    @Test func `the install page of an expired build`() throws {
        try compare(ExamplePages(days: -3).install(), "expired.html")
    }

    @Test func `the install page of a build from a private authority that expires soon`() throws {
        let pages = ExamplePages(days: 20, trust: .privateAuthority(name: "ota Sample Root CA"))
        try compare(pages.install(), "private.html")
    }

    @Test func `the install page that stands alone`() throws {
        let html = try ExamplePages().html(ExamplePages().standalone())
        let style = String(decoding: try Assets().publicFiles["ota.css"] ?? [], as: UTF8.self)
        let short = html.replacing(style, with: "…")
        #expect(try short == Golden.text("standalone.html", recording: short))
    }

    @Test func `the list of apps`() throws {
        try compare(ExamplePages(days: 12).start(), "start.html")
        try compare(ExamplePages().empty(), "empty.html")
        let found = try ExamplePages().html(ExamplePages().startOfMany(matching: "REGLAGE beta"))
        #expect(found.contains("<b>Réglage Beta</b>") && !found.contains("<b>Réglage</b>"))
        #expect(found.contains("value=\"REGLAGE beta\"") && !found.contains("<b>Forks"))
        try compare(ExamplePages().startOfMany(matching: "<none>"), "start-searched.html")
    }

    @Test func `the list of versions`() throws {
        try compare(ExamplePages().history(), "history.html")
    }

    @Test func `the page about the server's own authority`() throws {
        try compare(ExamplePages().trustPage(), "trust.html")
    }

    @Test func `a page with one thing to say`() throws {
        try compare(ExamplePages().message(), "message.html")
        let bare = MessagePage(title: "Gone", message: "For good.", chrome: ExamplePages().chrome)
        try compare(bare, "message-bare.html")
    }

    @Test func `where six digits are typed, before and after a wrong one`() throws {
        try compare(ExamplePages().enrol(), "enrol.html")
        try compare(ExamplePages().enrol(refused: true), "enrol-refused.html")
    }

    @Test func `an invitation on a phone, at a desk and in another app's browser`() throws {
        try compare(ExamplePages().invitation(), "invitation.html")
        try compare(
            ExamplePages(visitor: .other, code: "<svg></svg>").invitation(team: nil),
            "invitation-desktop.html",
        )
        try compare(
            ExamplePages(visitor: .inAppBrowser(app: "Slack")).invitation(),
            "invitation-in-app.html",
        )
    }

    @Test func `an invitation for many, its poster, and the groups of a device`() throws {
        let pages = ExamplePages()
        try compare(pages.invitation(isForMany: true), "invitation-many.html")
        try compare(
            pages.invitation(isForMany: true, refusing: "\u{202E}"),
            "invitation-many-refused.html",
        )
        try compare(pages.poster(), "poster.html")
        try compare(pages.ownGroups("beta-testers", "qa"), "groups.html")
        try compare(pages.ownGroups(), "groups-none.html")
        try compare(pages.feedback(), "feedback.html")
        try compare(pages.feedback(isRefused: true), "feedback-refused.html")
        try compare(pages.startOfMember(), "start-member.html")
    }

    @Test func `a device that enrolled: waiting, approved, refused`() throws {
        let pages = ExamplePages()
        try compare(pages.enrolled(.waiting), "enrolled-waiting.html")
        try compare(pages.enrolled(.approved), "enrolled-approved.html")
        try compare(pages.enrolled(pages.refusal()), "enrolled-refused.html")
    }
}
