import APIDocuments
import Access
import Administration
import Foundation
import Identifiers
import Releases
import Store
import Testing

/// What an admin changes of an app.
struct AppActionTests {
    @Test func `an app gets another title, address, passphrase and place`() async throws {
        try await Office.open { office in
            let (app, _) = try office.publish()
            let slug = try #require(Slug("other"))
            let after = try office.ada.changeApp(
                app.bundleIdentifier,
                AppChange(
                    title: "Other",
                    access: .passphrase,
                    slug: slug,
                    passphrase: "open sesame, please",
                    isListed: false,
                ),
            )
            #expect(after.title == "Other")
            #expect(after.slug == slug)
            #expect(!after.isListed)
            #expect(try after.passphrase?.matches("open sesame, please") == true)
            #expect(try office.store.app(slug: slug)?.bundleIdentifier == app.bundleIdentifier)
            #expect(try office.store.app(slug: app.slug)?.title == "Other")
            let entry = try #require(try office.store.activity(count: 1).first)
            #expect(entry.event == .appChanged)
            #expect(entry.detail?.contains("new passphrase") == true)
            #expect(entry.detail?.contains("sesame") == false)
        }
    }

    @Test func `an admin says what the server does for an app by itself`() async throws {
        try await Office.open { office in
            let (app, _) = try office.publish()
            let before = AppDescription(app)
            #expect(before.approval == .manual)
            #expect(before.freshChannels.description == "all")
            #expect(before.renewalDays == 30)
            let after = try office.ada.changeApp(
                app.bundleIdentifier,
                AppChange(
                    approval: .automatic,
                    freshChannels: FreshChannels("stable,beta,stable"),
                    renewalDays: 45,
                ),
            )
            #expect(after.approval == .automatic)
            #expect(after.freshChannels?.map(\.rawValue) == ["beta", "stable"])
            #expect(after.renewalDays == 45)
            let entry = try #require(try office.store.activity(count: 1).first)
            #expect(
                entry.detail
                    == "approval automatic, signs beta, stable again, renews 45 days before the end"
            )
            let back = try office.ada.changeApp(
                app.bundleIdentifier,
                AppChange(approval: .manual, freshChannels: FreshChannels("all"), renewalDays: 30),
            )
            #expect(back == app)
        }
    }

    @Test(arguments: [0, 181, -1, .max])
    func `days that nothing is renewed before are refused`(_ days: Int) async throws {
        try await Office.open { office in
            let (app, _) = try office.publish()
            #expect(throws: AdministrationRefusal.badRenewalDays(days)) {
                try office.ada.changeApp(app.bundleIdentifier, AppChange(renewalDays: days))
            }
            #expect(try office.store.app(app.bundleIdentifier) == app)
        }
    }

    @Test func `channels are all, or a few names`() {
        #expect(FreshChannels("all")?.names == nil)
        #expect(FreshChannels("later,beta")?.description == "beta,later")
        let many = (0...20).map { "c\($0)" }.joined(separator: ",")
        for text in ["", ",", "stable,", "Stable", "a b", many] {
            #expect(FreshChannels(text) == nil, "\(text)")
        }
    }

    @Test func `nobody is shut out by a passphrase that is not there`() async throws {
        try await Office.open { office in
            let (app, _) = try office.publish()
            #expect(throws: AdministrationRefusal.noPassphrase) {
                try office.ada.changeApp(app.bundleIdentifier, AppChange(access: .passphrase))
            }
            #expect(throws: PassphraseRefusal.tooShort) {
                try office.ada.changeApp(
                    app.bundleIdentifier,
                    AppChange(access: .passphrase, passphrase: "short"),
                )
            }
            #expect(try office.store.app(app.bundleIdentifier)?.access == .open)
        }
    }

    @Test func `a change that is refused takes no address`() async throws {
        try await Office.open { office in
            let (app, _) = try office.publish()
            let slug = try #require(Slug("wanted"))
            #expect(throws: AdministrationRefusal.noPassphrase) {
                try office.ada.changeApp(
                    app.bundleIdentifier,
                    AppChange(access: .passphrase, slug: slug),
                )
            }
            #expect(throws: AdministrationRefusal.changedMeanwhile("the app")) {
                try office.ada.changeApp(app.bundleIdentifier, AppChange(slug: slug)) { _ in false }
            }
            #expect(try office.store.app(slug: slug) == nil)
            let after = try office.ada.changeApp(app.bundleIdentifier, AppChange(slug: slug))
            #expect(after.slug == slug)
        }
    }
}
