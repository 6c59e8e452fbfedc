import APIDocuments
import Administration
import Foundation
import Identifiers
import Publishing
import Releases
import Store
import Testing

struct ReleaseActionTests {
    @Test func `a release is withdrawn with a reason, restored and promoted`() async throws {
        try await Office.open { office in
            let (app, release) = try office.publish()
            let identifier = app.bundleIdentifier
            for reason in ["", " \n", String(repeating: "x", count: 501)] {
                #expect(throws: AdministrationRefusal.badReason) {
                    try office.ada.withdraw(release.identifier, of: identifier, reason: reason)
                }
            }
            let taken = try office.ada.withdraw(
                release.identifier,
                of: identifier,
                reason: "loses\nbookmarks",
            )
            #expect(taken.withdrawal?.actor == "Ada")
            #expect(taken.withdrawal?.reason == "loses bookmarks")
            let beta = try #require(ChannelName("beta"))
            #expect(throws: ReleaseRefusal.withdrawn(release.identifier)) {
                try office.ada.promote(release.identifier, of: identifier, to: beta)
            }
            #expect(try office.ada.restore(release.identifier, of: identifier).withdrawal == nil)
            let promoted = try office.ada.promote(release.identifier, of: identifier, to: beta)
            #expect(promoted.app.channels[beta] == release.identifier)
            #expect(
                try office.journal().map { $0.prefix { $0 != " " } } == [
                    "promoted", "restored", "withdrawn", "published",
                ]
            )
        }
    }

    @Test func `notes change once, within their limit, and not behind somebody's back`()
        async throws
    {
        try await Office.open { office in
            let (app, release) = try office.publish()
            let identifier = app.bundleIdentifier
            let long = String(repeating: "x", count: PublishOptions.notesLimit + 1)
            #expect(
                throws: AdministrationRefusal.notesTooLong(
                    long.utf8.count,
                    limit: PublishOptions.notesLimit,
                )
            ) {
                try office.ada.changeNotes(of: release.identifier, of: identifier, to: long)
            }
            let changed = try office.ada.changeNotes(
                of: release.identifier,
                of: identifier,
                to: "Fixes *everything*",
            ) { $0 == release }
            #expect(changed.notes == "Fixes *everything*")
            try office.ada.changeNotes(of: release.identifier, of: identifier, to: changed.notes)
            #expect(throws: AdministrationRefusal.changedMeanwhile("the release")) {
                try office.ada.changeNotes(of: release.identifier, of: identifier, to: "") {
                    $0 == release
                }
            }
            let unknown = ReleaseIdentifier(version: "9", build: "9")
            #expect(throws: ReleaseRefusal.unknownRelease(unknown)) {
                try office.ada.changeNotes(of: unknown, of: identifier, to: "")
            }
            #expect(try office.journal() == ["notesChanged 1.1-1", "published 1.1-1"])
        }
    }

    @Test func `an app changes what it is called and who may see it`() async throws {
        try await Office.open { office in
            let (app, _) = try office.publish()
            let change = AppChange(title: "Forks & Knives 🍴", access: .enrolled, isListed: false)
            let after = try office.ada.changeApp(app.bundleIdentifier, change)
            #expect(after.title == "Forks & Knives 🍴")
            #expect((after.access, after.isListed) == (.enrolled, false))
            #expect(after.slug == app.slug)
            #expect(try office.ada.changeApp(app.bundleIdentifier, change) == after)
            for title in ["", " x", "a\nb", String(repeating: "x", count: 81)] {
                #expect(throws: AdministrationRefusal.self) {
                    try office.ada.changeApp(app.bundleIdentifier, AppChange(title: title))
                }
            }
            #expect(throws: AdministrationRefusal.changedMeanwhile("the app")) {
                try office.ada.changeApp(app.bundleIdentifier, AppChange(title: "X")) { $0 == app }
            }
            let told = try #require(try office.store.activity(count: 1).first)
            #expect(told.event == .appChanged)
            #expect(
                told.detail == "title Forks → Forks & Knives 🍴, access open → enrolled, not "
                    + "listed"
            )
            #expect(try office.store.activity(count: 9).count == 2)
        }
    }

    @Test func `apps and releases are found as people call them`() async throws {
        try await Office.open { office in
            let (app, release) = try office.publish()
            var other = release.identifier
            #expect(try office.ada.app(named: "FORKS") == app)
            #expect(try office.ada.app(named: "com.example.forks") == app)
            #expect(try office.ada.release(named: "1.1", of: app) == release)
            #expect(try office.ada.release(named: "1.1-1", of: app) == release)
            #expect(throws: AdministrationRefusal.unknownApp("knives", known: [app.slug])) {
                try office.ada.app(named: "knives")
            }
            #expect(throws: AdministrationRefusal.unknownRelease("1", of: app.slug)) {
                try office.ada.release(named: "1", of: app)
            }
            other = try office.publish(2).release.identifier
            let shown = try LocalAdministration(office.ada).perform(ShowApp("forks"))
            #expect(shown.app.offered == other.rawValue)
        }
    }
}
