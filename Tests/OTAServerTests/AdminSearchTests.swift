import Access
import Foundation
import Identifiers
import Releases
import Store
import Testing

/// The search field in the header of the admin's pages, in a running server.
@Suite(.timeLimit(.minutes(10)))
struct AdminSearchTests {
    private static let udid = "00008120-000A1B2C3D4E5F67"

    private static func fill(_ site: TestSite) throws {
        try TestSite.publish(
            Array("another".utf8),
            into: site.store,
            of: "com.example.other",
            version: "7.1.0",
            build: "9001",
        )
        try site.store.changeDevices { register in
            for (udid, name) in [
                (Self.udid, "Zoë’s iPhone"), ("00008120-000A1B2C3D4E5F68", "Ben"),
            ] {
                let device = Device(
                    udid: try #require(DeviceUDID(udid)),
                    name: name,
                    family: .iphone,
                    added: Date(),
                )
                try register.add(device, at: Date())
            }
        }
        site.settle()
    }

    @Test func `apps, releases and devices are found, and an identifier is in no address`()
        async throws
    {
        try await TestSite.run { site in
            try Self.fill(site)
            let admin = try await AdminClient.admin(site)
            let overview = try await admin.get("/admin").text
            #expect(overview.contains("action=\"/admin/search\" role=\"search\""))
            func found(_ query: String) async throws -> String {
                try await admin.get("/admin/search?q=\(query)").text
            }
            #expect(try await found("demo-co").contains("href=\"/admin/apps/demo-co\""))
            #expect(try await found("7.1").contains("7.1.0 (9001)"))
            #expect(try await found("v7.1.0%20(9001)").contains("7.1.0 (9001)"))
            #expect(try await found("9001").contains("7.1.0 (9001)"))
            #expect(try await found("other%207").contains("7.1.0 (9001)"))
            #expect(try await !found("com.example.demo%207").contains("7.1.0 (9001)"))
            let zoe = try await found("zoe")
            #expect(zoe.contains("Zoë’s iPhone") && !zoe.contains("Ben"))
            #expect(zoe.contains("value=\"zoe\""))
            let none = try await found("%3Cimg%20src=x%3E")
            #expect(
                none.contains("Nothing matches “&lt;img src=x&gt;”.")
                    && !none.contains("<img src=x")
            )
            #expect(try await admin.get("/admin/search").status == 200)

            let sent = try await admin.send("/admin/search", ["search": " 7.1 "])
            #expect(sent.fields["location"] == "/admin/search?q=7.1")
            let direct = try await admin.send("/admin/search", ["search": Self.udid])
            let place = try #require(direct.fields["location"])
            #expect(place.hasPrefix("/admin/devices/") && !place.contains(Self.udid))
            #expect(try await admin.get(place).text.contains("Zoë’s iPhone"))
            let unknown = ["search": "00008120-000A1B2C3D4E5F99"]
            let missing = try await admin.send("/admin/search", unknown)
            #expect(missing.status == 200)
            #expect(missing.text.contains("No device with this UDID is registered."))
            #expect(missing.text.contains("href=\"/admin/devices/add\""))
            #expect(!missing.text.contains("00008120-000A1B2C3D4E5F99"))
            #expect(
                try await found("00008120-000A1B2C3D4E5F99")
                    .contains("No device with this UDID is registered.")
            )
            #expect(try await admin.post("/admin/search", ["search": "x"]).status == 403)
        }
    }

    @Test func `who may read one app finds nothing else`() async throws {
        try await TestSite.run { site in
            try Self.fill(site)
            let reader = try await AdminClient.admin(
                site,
                Scope(.read, app: site.release.bundleIdentifier),
            )
            let own = try await reader.get("/admin/search?q=1.2").text
            #expect(own.contains("1.2.0 (34)"))
            for query in ["7.1", "9001", "other", "zoe", "example"] {
                let page = try await reader.get("/admin/search?q=\(query)").text
                #expect(!page.contains("7.1.0") && !page.contains("Zoë"), "\(query)")
                #expect(!page.contains("com.example.other"), "\(query)")
            }
            // They must not learn whether a device is registered either.
            let answer = try await reader.send("/admin/search", ["search": Self.udid])
            #expect(answer.fields["location"]?.hasPrefix("/admin/search?q=") == true)
        }
    }

    @Test func `a kind names a few, and leads to its whole list`() async throws {
        try await TestSite.run { site in
            for number in 1...9 {
                try TestSite.publish(
                    Array("build \(number)".utf8),
                    into: site.store,
                    of: "com.example.many\(number)",
                )
            }
            site.settle()
            let admin = try await AdminClient.admin(site)
            let page = try await admin.get("/admin/search?q=many").text
            #expect(page.components(separatedBy: "com.example.many").count == 7)
            #expect(page.contains("Show all 9 apps") && page.contains("/admin/apps?search=many"))
        }
    }
}
