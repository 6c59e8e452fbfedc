import Bundles
import Foundation
import Identifiers
import Inspection
import Pages
import Releases
import TestSupport
import Testing

/// What the page shows to a particular device.
struct PersonalPageTests {
    private let pages = ExamplePages()
    private let link = "itms-services://"

    @Test func `every page for one device is as it was`() throws {
        for (name, html) in try pages.personal().sorted(by: { $0.key < $1.key }) {
            #expect(try html == Golden.text(name, recording: html), "\(name)")
        }
    }

    @Test func `a listed device gets the button and its name`() throws {
        let html = try pages.html(pages.install(for: pages.device(ExamplePages.listed)))
        #expect(html.components(separatedBy: link).count == 2)
        #expect(html.contains("Ana’s iPhone"))
        #expect(html.contains("iPhone 14 Pro"))
        #expect(html.contains("Made for this device."))
        #expect(!html.contains("00008120"), "never its identifier")
    }

    @Test(arguments: [
        (1.0, "added on 17 November 2026, after this build was published."),
        (5.0, "This build was made without your device."),
    ])
    func `a device that the build lacks learns why and what happens next`(
        joined: Double,
        says: String,
    ) throws {
        let device = try pages.device(ExamplePages.unlisted, joined: joined)
        let html = try pages.html(pages.install(for: device))
        #expect(!html.contains(link))
        #expect(html.contains(says))
        #expect(html.contains("The Install button then appears on this page."))
        #expect(!html.contains("What happens when you tap Install"))
    }

    @Test func `a device that is waiting for approval is told so`() throws {
        let device = try pages.device(ExamplePages.unlisted, state: .enrolled)
        let html = try pages.html(pages.install(for: device))
        #expect(!html.contains(link))
        #expect(html.contains("waiting for your team to approve it"))
    }

    @Test func `a device that waits, and that the build lists, can install it`() throws {
        let device = try pages.device(ExamplePages.listed, state: .enrolled)
        #expect(try pages.html(pages.install(for: device)).contains(link))
    }

    @Test func `an older iOS is named, and whoever has updated may try`() throws {
        let old = OSVersion(major: 15, minor: 2)
        let device = try pages.device(ExamplePages.listed, os: old)
        let html = try pages.html(pages.install(for: device))
        #expect(
            html.contains(
                "The app needs iOS 16.0 or later. This device last reported iOS "
                    + "15.2"
            )
        )
        #expect(html.contains("I have updated it: try anyway"))
        let updated = try pages.install(for: device, seenOS: OSVersion(major: 17, minor: 4))
        #expect(try pages.html(updated).contains("Made for this device."))
        let both = try pages.device(ExamplePages.unlisted, os: old)
        #expect(try !pages.html(pages.install(for: both)).contains(link))
    }

    @Test func `a device of another kind and one taken out of use get no button`() throws {
        let watch = try pages.device(ExamplePages.listed, model: "Watch7,1", os: nil)
        let html = try pages.html(pages.install(for: watch))
        #expect(html.contains("Not for this kind of device"))
        #expect(!html.contains(link))
        let disabled = try pages.device(ExamplePages.listed, state: .disabled)
        let gone = try pages.html(pages.install(for: disabled))
        #expect(gone.contains("Your team has disabled this device"))
        #expect(!gone.contains(link))
    }

    @Test func `a build that nobody can install says that first`() throws {
        let pages = ExamplePages(days: -1)
        let html = try pages.html(pages.install(for: pages.device(ExamplePages.unlisted)))
        #expect(html.contains("This build cannot be installed"))
        #expect(!html.contains("does not include this device"))
    }

    @Test func `an unknown device may enrol or try anyway`() throws {
        let html = try pages.html(pages.installForUnknown())
        #expect(html.contains("the 12 devices that it includes"))
        #expect(html.contains("href=\"enrol.html\""))
        #expect(html.contains("try anyway"))
        #expect(html.components(separatedBy: link).count == 2)
    }

    @Test(arguments: [
        (InstallAttempt.Outcome.manifestOnly, "asked about the app 5 minutes ago"),
        (.cutShort, "9.1 MB of 24.8 MB had arrived when the download stopped 5 minutes ago"),
        (.downloaded, "The download finished 5 minutes ago"),
    ])
    func `what became of the last try is said with the next step`(
        outcome: InstallAttempt.Outcome,
        says: String,
    ) throws {
        let device = try pages.device(ExamplePages.listed)
        let html = try pages.html(pages.install(for: device, lastTry: pages.attempt(outcome)))
        #expect(html.contains(says))
        #expect(html.contains("help.html#when-it-does-not-install"))
        #expect(html.contains(outcome == .downloaded ? ">Install again<" : ">Install<"))
    }

    @Test func `a download under way takes the place of the last try`() throws {
        let device = try pages.device(ExamplePages.listed)
        let page = try pages.install(
            for: device,
            lastTry: pages.attempt(.cutShort),
            fetched: 11_165_548,
        )
        let html = try pages.html(page)
        #expect(html.contains("value=\"44\""))
        #expect(html.contains("11.2 MB of 24.8 MB"))
        #expect(!html.contains("was interrupted"))
    }

    @Test func `the door of a closed app says no more than its name`() throws {
        for html in [
            try pages.html(pages.passphrase()), try pages.html(pages.members(nil)),
        ] {
            #expect(html.contains("Browsey"))
            for secret in ["2.4.0", "318", "itms-services", "com.vforsh"] {
                #expect(!html.contains(secret), "\(secret)")
            }
        }
    }

    @Test func `the guide has the sections that pages lead to`() throws {
        let html = try pages.html(pages.guide())
        for anchor in ["install-the-app", "when-it-does-not-install"] {
            #expect(html.contains("id=\"\(anchor)\""))
        }
        #expect(html.contains("<dt>"))
        #expect(!html.contains("|"), "tables are read")
        #expect(!html.contains("**"))
    }
}
