import APIDocuments
import Administration
import Bundles
import Foundation
import Identifiers
import Releases
import Store
import Testing

/// Lists that are returned page by page: together, the pages are the whole list.
struct PagedListTests {
    @Test func `apps come by title, and the last page says that it is`() async throws {
        try await Office.open { office in
            let names = try (0..<5).map { try #require(BundleIdentifier("com.example.app\($0)")) }
            for name in names {
                _ = try office.ada.addApp(NewApp(name))
            }
            let local = LocalAdministration(office.ada)
            var pages: [[String]] = []
            var after: String?
            repeat {
                let page = try local.perform(ListApps(limit: 2, after: after))
                pages.append(page.apps.map(\.app))
                after = page.next
            } while after != nil && pages.count < 5
            #expect(pages.map(\.count) == [2, 2, 1])
            #expect(pages.joined().map { $0 } == names.map(\.rawValue))
            #expect(throws: (any Error).self) {
                try local.perform(ListApps(after: "com.example.none"))
            }
        }
    }

    @Test func `the devices of a release come by verdict, with the counts of all`() async throws {
        try await Office.open { office in
            let (app, release) = try office.publish()
            for number in 0..<5 { _ = try office.enrol(number, named: "Device \(number)") }
            let local = LocalAdministration(office.ada)
            func page(_ after: Int, _ limit: Int) throws -> RegisterDocument {
                try local.perform(
                    ShowVerdicts(
                        of: release.identifier.rawValue,
                        of: app.bundleIdentifier.rawValue,
                        after: after,
                        limit: limit,
                    )
                )
            }
            let whole = try page(0, 100)
            #expect(whole.devices.count == 5 && whole.next == nil)
            let pages = try [page(0, 2), page(2, 2), page(4, 2)]
            #expect(pages.map(\.next) == [2, 4, nil])
            #expect(pages.flatMap(\.devices) == whole.devices)
            #expect(pages.allSatisfy { $0.count == whole.count && $0.reasons == whole.reasons })
            #expect(try page(5, 2).devices.isEmpty)
        }
    }

    @Test func `profiles come by the date on which they expire`() async throws {
        try await Office.open { office in
            let files = try SigningFiles(at: Office.date)
            let local = LocalAdministration(office.ada, anchors: files.anchors)
            for number in 0..<3 {
                let profile = try files.profile("com.example.app\(number)")
                _ = try local.perform(AddProfile(profile, from: "\(number).mobileprovision"))
            }
            let whole = try local.perform(ListProfiles())
            #expect(whole.profiles.count == 3 && whole.next == nil)
            let pages = try [0, 2].map { try local.perform(ListProfiles(after: $0, limit: 2)) }
            #expect(pages.map(\.profiles.count) == [2, 1])
            #expect(pages.map(\.next) == [2, nil])
            #expect(pages.flatMap(\.profiles) == whole.profiles)
        }
    }
}
