import APIDocuments
import Access
import Administration
import Foundation
import Identifiers
import Releases
import Store
import StoreFixtures
import Testing

/// What admins change about an app.
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

    @Test func `a passphrase that no one would be asked for is refused`() async throws {
        try await Office.open { office in
            let (app, _) = try office.publish()
            for access in [nil, AppRecord.Access.enrolled] {
                #expect(throws: AdministrationRefusal.needlessPassphrase(access ?? .open)) {
                    try office.ada.changeApp(
                        app.bundleIdentifier,
                        AppChange(access: access, passphrase: "open sesame, please"),
                    )
                }
            }
            #expect(try office.store.app(app.bundleIdentifier)?.passphrase == nil)
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

    @Test func `an app is added before its first build, which finds its settings`() async throws {
        try await Office.open { office in
            let identifier = try StoredRelease().identifier
            let slug = try #require(Slug("wanted"))
            let settings = AppChange(
                title: "Wanted",
                access: .enrolled,
                slug: slug,
                isListed: false,
            )
            let added = try office.ada.addApp(NewApp(identifier, settings))
            #expect(added.channels.isEmpty && added.defaultChannel == nil)
            #expect(try office.store.app(slug: slug) == added)
            #expect(try office.store.apps() == [added])
            #expect(try office.journal() == ["appAdded Wanted"])
            #expect(throws: AdministrationRefusal.appExists(slug)) {
                try office.ada.addApp(NewApp(identifier))
            }
            #expect(try office.store.verify().problems.isEmpty)
            let (app, release) = try office.publish()
            #expect(app.channels.values.elementsEqual([release.identifier]))
            #expect(app.title == "Wanted" && app.slug == slug && app.access == .enrolled)
            #expect(!app.isListed)
            #expect(throws: AdministrationRefusal.appExists(slug)) {
                try office.ada.addApp(NewApp(identifier))
            }
        }
    }

    @Test func `an app that is added without words is called as its identifier ends`() async throws
    {
        try await Office.open { office in
            let first = try #require(BundleIdentifier("com.example.Pare-Beta"))
            let second = try #require(BundleIdentifier("org.example.Pare-Beta"))
            let added = try office.ada.addApp(NewApp(first))
            #expect(added.title == "Pare-Beta" && added.slug.rawValue == "pare-beta")
            #expect(added.access == .open && added.isListed && added.signing == .manual)
            #expect(try office.ada.addApp(NewApp(second)).slug.rawValue == "pare-beta-2")
        }
    }

    @Test func `an app that is not added takes no address and tells nothing`() async throws {
        try await Office.open { office in
            let identifier = try #require(BundleIdentifier("com.example.app"))
            let slug = try #require(Slug("app"))
            #expect(throws: AdministrationRefusal.noPassphrase) {
                try office.ada.addApp(
                    NewApp(identifier, AppChange(access: .passphrase, slug: slug))
                )
            }
            #expect(throws: TeamRefusal.noTeamForSigning) {
                try office.ada.addApp(NewApp(identifier, AppChange(signing: .automatic)))
            }
            #expect(throws: TeamRefusal.unknown("AAAAAAAAAA")) {
                let settings = AppChange(team: TeamChoice("AAAAAAAAAA"), signing: .automatic)
                _ = try office.ada.addApp(NewApp(identifier, settings))
            }
            #expect(throws: AdministrationRefusal.badTitle(" ")) {
                try office.ada.addApp(NewApp(identifier, AppChange(title: " ")))
            }
            #expect(try office.store.apps().isEmpty)
            #expect(try office.journal().isEmpty)
            let other = try #require(BundleIdentifier("com.example.other"))
            #expect(try office.ada.addApp(NewApp(other, AppChange(slug: slug))).slug == slug)
            #expect(throws: SlugRefusal.taken(slug)) {
                try office.ada.addApp(NewApp(identifier, AppChange(slug: slug)))
            }
        }
    }

    @Test func `what is sent for a new app is one object, of known keys alone`() throws {
        let app = try #require(BundleIdentifier("com.example.app"))
        let new = NewApp(app, AppChange(title: "A", isListed: false))
        let bytes = try JSONEncoder().encode(new)
        let sent = try #require(try JSONSerialization.jsonObject(with: bytes) as? [String: Any])
        #expect(Set(sent.keys) == ["app", "title", "listed"])
        #expect(NewApp.keys.isSuperset(of: sent.keys))
        #expect(try JSONDecoder().decode(NewApp.self, from: bytes) == new)
    }
}
