import Bundles
import Foundation
import Identifiers
import Inspection
import Pages
import Releases
import TestSupport
import Testing

struct InstallPageTests {
    private let link = "itms-services://?action=download-manifest&amp;url="

    @Test func `a build that installs has one install link`() throws {
        let html = try ExamplePages().html(ExamplePages().install())
        #expect(html.components(separatedBy: link).count == 2)
        #expect(html.contains("For the 12 devices listed in this build."))
        #expect(!html.contains("How to fix it"))
    }

    @Test func `a visitor with Android reads that the app is for iPhone and iPad`() throws {
        let pages = ExamplePages(visitor: .android, code: "<svg></svg>")
        let html = try pages.html(pages.install())
        #expect(html.contains("This app is for iPhone and iPad"))
        #expect(!html.contains("itms-services"))
        #expect(html.contains("Point the camera at the code"))
        #expect(try !ExamplePages().html(ExamplePages().install()).contains("This app is for"))
    }

    @Test func `on a computer the code to scan comes before the button, and the link is copied`()
        throws
    {
        let pages = ExamplePages(visitor: .other, code: "<svg></svg>")
        let html = try pages.html(pages.install())
        let code = try #require(html.range(of: "id=\"scan\""))
        let button = try #require(html.range(of: "id=\"install\""))
        #expect(code.lowerBound < button.lowerBound)
        #expect(html.contains("data-copy=\"https://"))
    }

    @Test func `a blocked build gives its reasons and no install link`() throws {
        let pages = ExamplePages(findings: [
            ExamplePages.blocking("It is not signed.", "Sign it."),
            ExamplePages.blocking("It is for simulators.", "Build for devices."),
        ])
        let html = try pages.html(pages.install())
        #expect(!html.contains("itms-services"))
        for text in [
            "It is not signed.", "Sign it.", "It is for simulators.", "Build for devices.",
        ] {
            #expect(html.contains(text))
        }
        #expect(!html.contains("What happens when you tap Install"))
    }

    @Test func `a build blocks once its profile expires, though it did not when published`() throws
    {
        let html = try ExamplePages().html(ExamplePages(days: 0).install())
        #expect(!html.contains("itms-services"))
        #expect(html.contains("This build cannot be installed"))
    }

    @Test func `a withdrawn build says why and has no install link`() throws {
        let pages = ExamplePages(
            withdrawal: Release.Withdrawal(
                date: ExamplePages.now,
                actor: "ada",
                reason: "It loses data",
            )
        )
        let html = try pages.html(pages.install())
        #expect(!html.contains("itms-services"))
        #expect(html.contains("The team withdrew this version on 18 November 2026: It loses data"))
        #expect(!html.contains("ada"), "who did it is for the team to know")
    }

    @Test func `what only some devices refuse is told beside the link`() throws {
        let pages = ExamplePages(findings: [
            Finding(
                id: "device.not-listed",
                severity: .blocks,
                place: "Payload",
                message: "One phone is missing.",
                fix: "Add it.",
                devices: [],
            ),
            Finding(
                id: "signature.old",
                severity: .warns,
                place: "Payload",
                message: "It is of an old form.",
                fix: "Sign it again.",
                blocksFrom: OSVersion(major: 15),
            ),
            Finding(id: "x.y", severity: .warns, place: "Payload", message: "Hm.", fix: "Look."),
        ])
        let html = try pages.html(pages.install())
        #expect(html.contains("itms-services"))
        #expect(html.contains("Not every listed device can install this build"))
        #expect(html.contains("One phone is missing. Add it."))
        #expect(html.contains("iOS 15.0 and later refuse this build"))
        #expect(!html.contains("Hm."), "a matter of the team")
    }

    @Test func `another app's browser gets a way out, and the button stays`() throws {
        let pages = ExamplePages(visitor: .inAppBrowser(app: "Slack"))
        let html = try pages.html(pages.install())
        #expect(html.contains("Open this page in Safari"))
        #expect(html.contains("the browser inside Slack"))
        #expect(html.contains("<code>https://ota.example.com/apps/browsey</code>"))
        #expect(html.contains("itms-services"))
    }

    @Test(arguments: [(30.0, true), (31.5, false)])
    func `a build that expires within thirty days says so`(days: Double, warns: Bool) throws {
        let html = try ExamplePages().html(ExamplePages(days: days).install())
        #expect(html.contains("neither installs nor opens") == warns)
    }

    @Test func `no device of the profile is named`() throws {
        let html = try ExamplePages().html(ExamplePages().install())
        #expect(!html.contains("00008120"))
    }

    @Test func `a page that stands alone refers to nothing but its icon and its links`() throws {
        let html = try ExamplePages().html(ExamplePages(code: "<svg></svg>").standalone())
        let references = HTMLStructure(html).tags.flatMap { tag in
            tag.attributes.filter { ["src", "href", "srcset", "data", "action"].contains($0.name) }
        }
        #expect(
            Set(references.map(\.value)) == [
                "#content", "icon-512.png",
                "itms-services://?action=download-manifest&amp;url="
                    + "https%3A%2F%2Ffiles.example.com%2Fbrowsey%2Fmanifest.plist",
            ]
        )
        #expect(
            !HTMLStructure(html).tags.contains { ["link", "script", "iframe"].contains($0.name) }
        )
        #expect(!html.contains("@import") && !html.contains("url(") && !html.contains("http:"))
    }
}
