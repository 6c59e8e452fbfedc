import APIDocuments
import Foundation
import Identifiers
import Releases
import Store
import TestSupport
import Testing

/// Device lists are split into pages, and the command joins them.
@Suite(.timeLimit(.minutes(10)))
struct DeviceListTests {
    private static func fill(_ store: OTAStore, with count: Int) throws {
        let devices = try (0..<count).map { number in
            Device(
                udid: try #require(DeviceUDID("00008120-" + String(format: "%016d", number))),
                name: String(format: "Device %04d", number),
                family: .iphone,
                added: Date(),
            )
        }
        try store.changeDevices { $0 = DeviceRegister(devices) }
    }

    private static func page(_ query: String, _ admin: APIClient) async throws -> DevicesDocument {
        let answer = try await admin.get("/devices" + query)
        #expect(answer.status == 200)
        return try answer.document(DevicesDocument.self)
    }

    @Test func `each page says where the next begins, and the last says nothing`() async throws {
        try await TestSite.run { site in
            try Self.fill(site.store, with: 5)
            let admin = try APIClient.holding("admin", on: site)
            var names: [String] = []
            var sizes: [Int] = []
            var query = "?limit=2"
            while sizes.count < 4 {
                let page = try await Self.page(query, admin)
                names += page.devices.map(\.name)
                sizes.append(page.devices.count)
                #expect(page.slots.isEmpty == false)
                guard let next = page.next else { break }
                query = "?limit=2&after=" + next
            }
            #expect(sizes == [2, 2, 1])
            #expect(names == (0..<5).map { String(format: "Device %04d", $0) })
            #expect(try await Self.page("?limit=5", admin).next == nil)
            for wrong in ["?after=x", "?limit=0", "?limit=501"] {
                #expect(try await admin.get("/devices" + wrong).status == 400, "\(wrong)")
            }
        }
    }

    @Test func `a page has a hundred if the request does not say`() async throws {
        try await TestSite.run { site in
            try Self.fill(site.store, with: 101)
            let admin = try APIClient.holding("admin", on: site)
            #expect(try await Self.page("", admin).devices.count == 100)
            #expect(try await Self.page("?limit=500", admin).devices.count == 101)
        }
    }

    @Test func `the command lists the devices of all pages`() async throws {
        try await TestSite.run { site in
            try Self.fill(site.store, with: ListDevices.pageSize + 7)
            let program = try #require(Program(built: "ota"), "ota was not built beside the tests")
            let shown = try await program.run(
                [
                    "devices", "list", "--json", "--store",
                    site.folder.appending(path: "store").path(),
                ],
                in: site.folder,
            )
            #expect(shown.status == 0, "\(shown.errors)")
            let decoder = JSONDecoder()
            decoder.dateDecodingStrategy = .iso8601
            let all = try decoder.decode(DevicesDocument.self, from: Data(shown.output.utf8))
            #expect(Set(all.devices.map(\.name)).count == ListDevices.pageSize + 7)
            #expect(all.next == nil)
        }
    }
}
