import Access
import Bundles
import Foundation
import Identifiers
import OTAServer
import Releases
import Store
import Testing

/// A tester's browser, after the device enrolled.
struct TestTester {
    let device: DeviceUDID
    let reference: String
    /// The `Cookie` field.
    let cookie: String

    static let ana = "00008120-000A1B2C3D4E5F60"
    static let ben = "00008120-000A1B2C3D4E5F61"

    init(_ udid: String, of site: TestSite) throws {
        device = try #require(DeviceUDID(udid))
        let sessions = SessionAuthority(key: try site.store.sessionKey())
        reference = sessions.reference(to: device)
        let session = Session(
            kind: .device,
            subject: reference,
            expires: site.clock.now.addingTimeInterval(3600),
        )
        cookie = "__Host-ota_device=" + sessions.value(of: try #require(session))
    }

    /// Adds the device to the register as an enrolment does, and approves it if wanted.
    func join(_ site: TestSite, named name: String = "Ana's iPhone", approved: Bool = true) throws {
        try site.store.changeDevices { register in
            try register.enrol(
                Newcomer(
                    udid: device,
                    name: name,
                    model: "iPhone15,2",
                    os: OSVersion(major: 18),
                    invited: site.clock.now,
                    by: "admin",
                ),
                at: site.clock.now,
            )
            if approved { try register.approve(device, at: site.clock.now, by: "admin") }
        }
        try note(.deviceEnrolled, site, name)
        if approved { try note(.deviceApproved, site, name) }
    }

    func approve(_ site: TestSite) throws {
        try site.store.changeDevices { try $0.approve(device, at: site.clock.now, by: "admin") }
        try note(.deviceApproved, site, "Ana's iPhone")
    }

    func disable(_ site: TestSite) throws {
        try site.store.changeDevices { try $0.disable(device, at: site.clock.now, by: "admin") }
        try note(.deviceRemoved, site, "Ana's iPhone")
    }

    func get(_ site: TestSite, _ path: String) async throws -> WireResponse {
        try await WireClient.get(site, path, fields: ["Cookie": cookie, "User-Agent": Self.agent])
    }

    static let agent =
        "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 "
        + "(KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1"

    private func note(
        _ event: Activity.Event,
        _ site: TestSite,
        _ name: String,
    ) throws {
        try site.store.record(
            Activity(date: site.clock.now, actor: "admin", event: event, subject: name)
        )
    }
}

extension WireResponse {
    /// The path of the manifest behind the Install button.
    func manifestPath(on site: TestSite) throws -> String {
        let link = text.components(separatedBy: "action=download-manifest&amp;url=").dropFirst()
        let encoded = try #require(link.first?.split(separator: "\"").first)
        let url = try #require(String(encoded).removingPercentEncoding)
        return String(url.dropFirst(site.addresses.baseURL.rawValue.count))
    }
}
