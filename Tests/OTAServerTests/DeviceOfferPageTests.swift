import Access
import Foundation
import Identifiers
import Releases
import Store
import Testing

/// A device's page if there are more apps than it evaluates at a time.
@Suite(.timeLimit(.minutes(10)))
struct DeviceOfferPageTests {
    @Test func `what it can install comes thirty apps at a time`() async throws {
        try await TestSite.run { site in
            let udid = try #require(DeviceUDID("00008120-0000000000000042"))
            try site.store.changeDevices {
                $0 = DeviceRegister([
                    Device(udid: udid, name: "Ana", family: .iphone, added: Date())
                ])
            }
            let contents = Array("x".utf8)
            for number in 0..<30 {
                try TestSite.publish(
                    contents,
                    into: site.store,
                    of: "com.example.app\(number)",
                    build: "\(number)",
                )
            }
            let admin = try await AdminClient.admin(site)
            let sessions = SessionAuthority(key: try site.store.sessionKey())
            let page = "/admin/devices/" + sessions.reference(to: udid)
            func offers(_ query: String) async throws -> Int {
                try await admin.get(page + query).text.components(separatedBy: "on stable<").count
                    - 1
            }
            #expect(try await offers("") == 30)
            #expect(try await offers("?page=2") == 1)
            #expect(try await admin.get(page).text.contains("1–30 of 31"))
            #expect(try await admin.get(page + "?page=3").status == 404)
            #expect(try await admin.get(page + "?page=0").status == 404)
        }
    }
}
