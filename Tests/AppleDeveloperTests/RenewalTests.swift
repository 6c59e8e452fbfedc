@testable import AppleDeveloper
import Cryptography
import Foundation
import Identifiers
import Testing

/// Profiles are renewed when necessary, and never needlessly.
struct RenewalTests {
    private let date = Date(timeIntervalSince1970: 1_800_000_000)

    private func day(_ number: Double) -> Date { date.addingTimeInterval(number * 86_400) }

    private func device(
        _ number: Int,
        _ status: AccountDevice.Status = .enabled,
    ) throws -> AccountDevice {
        AccountDevice(
            id: try #require(ResourceID("D\(number)")),
            udid: try TestAccount.udid(number),
            name: "Device \(number)",
            status: status,
            deviceClass: .family(.iphone),
            model: nil,
            added: nil,
        )
    }

    private func certificate(_ id: String = "C1", ends: Double = 300) throws -> AccountCertificate {
        AccountCertificate(
            id: try #require(ResourceID(id)),
            name: "Apple Distribution",
            type: "DISTRIBUTION",
            serialNumber: nil,
            expires: day(ends),
            certificate: nil,
        )
    }

    private func profile(
        _ id: String = "P1",
        name: String? = nil,
        devices: [Int] = [1, 2],
        ends: Double = 200,
        state: AccountProfile.State = .active,
        certificate: String = "C1",
        bundleID: String = "B1",
    ) throws -> ListedProfile {
        ListedProfile(
            AccountProfile(
                id: try #require(ResourceID(id)),
                name: try name ?? TestAccount.profileName().text,
                type: "IOS_APP_ADHOC",
                state: state,
                uuid: nil,
                created: nil,
                expires: day(ends),
                bundleID: ResourceID(bundleID),
                certificates: [try #require(ResourceID(certificate))],
                content: nil,
            ),
            devices: Set(try devices.map(TestAccount.udid)),
        )
    }

    private func need(_ devices: [AccountDevice], hasAppID: Bool = true) throws -> ProfileNeed {
        ProfileNeed(
            bundle: try #require(BundleIdentifier("com.example.browsey")),
            appID: hasAppID
                ? AccountBundleID(
                    id: try #require(ResourceID("B1")),
                    name: "Browsey",
                    identifier: "com.example.browsey",
                    prefix: nil,
                ) : nil,
            devices: devices,
        )
    }

    private func entry(
        _ profiles: [ListedProfile],
        devices: [AccountDevice]? = nil,
        certificate: AccountCertificate?? = nil,
        hasAppID: Bool = true,
    ) throws -> RenewalPlan.Entry {
        let plan = RenewalPlan(
            needs: [
                try need(devices ?? [try device(1), try device(2)], hasAppID: hasAppID)
            ],
            profiles: profiles,
            certificate: try certificate ?? self.certificate(),
            mark: try #require(TestAccount.mark),
            at: date,
            renewingBefore: 30,
        )
        return try #require(plan.entries.first)
    }

    private func reasons(_ entry: RenewalPlan.Entry) -> [RenewalPlan.Reason]? {
        if case .make(_, let reasons, _) = entry.step { reasons } else { nil }
    }

    @Test func `a profile that serves is kept`() throws {
        let listed = try profile()
        let entry = try entry([listed])
        #expect(entry.step == .keep(listed) && entry.superseded.isEmpty)
        #expect(
            entry.description
                == "keep the profile of com.example.browsey, which expires on 3 August 2027"
        )
    }

    @Test func `the set of devices decides, not their number`() throws {
        let entry = try entry([try profile(devices: [1, 3])])
        #expect(reasons(entry) == [.missing(["Device 2"]), .surplus(1)])
        #expect(
            entry.description
                == "create a profile for com.example.browsey with 2 devices, because the profile does "
                + "not list “Device 2” and the profile lists 1 device no longer in use"
        )
        #expect(entry.superseded.map(\.rawValue) == ["P1"])
    }

    @Test func `ten devices at once are one profile`() throws {
        let devices = try (1...12).map { try device($0) }
        let entry = try entry([try profile()], devices: devices)
        guard case .make(let listed, let reasons, _) = entry.step else {
            Issue.record("\(entry)")
            return
        }
        #expect(listed.count == 12 && reasons.count == 1)
        #expect(
            entry.description.contains("“Device 10”, “Device 11”, “Device 12”, “Device 3” and 6")
        )
    }

    @Test func `devices that Apple has not finished with follow later`() throws {
        let waiting = try device(2, .processing)
        let entry = try entry(
            [try profile(devices: [1])],
            devices: [try device(1), waiting, try device(3, .disabled)],
        )
        #expect(entry.waiting == [waiting])
        #expect(entry.step == .keep(try profile(devices: [1])))
        #expect(entry.description.hasSuffix("; 1 device will follow when Apple has processed it"))
    }

    @Test(arguments: [(31.0, false), (30.0, true), (-1.0, true)])
    func `a profile that ends within the days is made anew`(ends: Double, renews: Bool) throws {
        let entry = try entry([try profile(ends: ends)])
        #expect((reasons(entry) == [.expires(day(ends))]) == renews)
    }

    @Test func `a profile that ends with its certificate is not made anew in vain`() throws {
        let listed = try profile(ends: 20)
        let entry = try entry([listed], certificate: try certificate(ends: 20))
        #expect(entry.step == .keep(listed))
    }

    @Test(arguments: [AccountProfile.State.invalid, .expired, .other("ODD")])
    func `a profile that Apple no longer takes is made anew`(state: AccountProfile.State) throws {
        #expect(reasons(try entry([try profile(state: state)])) == [.invalid])
    }

    @Test func `a new certificate makes new profiles`() throws {
        let entry = try entry([try profile()], certificate: try certificate("C2"))
        #expect(reasons(entry) == [.otherCertificate])
    }

    @Test func `profiles of others, and of other App IDs, are neither used nor deleted`() throws {
        let entry = try entry([
            try profile("P1", name: "iOS Team Ad Hoc"), try profile("P2", bundleID: "B2"),
        ])
        #expect(reasons(entry) == [.none] && entry.superseded.isEmpty)
    }

    @Test func `of several own profiles the best is kept and the others go`() throws {
        let best = try profile("P2", ends: 250)
        let entry = try entry([
            try profile("P1", ends: 200), best, try profile("P3", devices: [1], ends: 300),
        ])
        #expect(entry.step == .keep(best))
        #expect(entry.superseded.map(\.rawValue) == ["P1", "P3"])
    }

    @Test func `what is in the way is said, and the old profiles stay`() throws {
        let old = try profile(devices: [7])
        let cases: [(RenewalPlan.Entry, RenewalPlan.Obstacle)] = [
            (try entry([old], hasAppID: false), .noAppID),
            (try entry([old], certificate: .some(nil)), .noCertificate),
            (
                try entry([old], certificate: try certificate(ends: -1)),
                .certificateEnded(day(-1)),
            ),
            (try entry([old], devices: [try device(1, .disabled)]), .noDevices),
            (
                try entry([old], devices: try (1...601).map { try device($0) }),
                .tooManyDevices(601),
            ),
        ]
        for (entry, obstacle) in cases {
            #expect(entry.step == .cannot(obstacle) && entry.superseded.isEmpty)
            #expect(
                entry.description.hasPrefix("no profile can be created for com.example.browsey")
            )
            #expect(!obstacle.fix.isEmpty)
        }
    }

    @Test func `a certificate is renewed before it ends, and made where there is none`() throws {
        let key = try PrivateKey.generate(.p256)
        let own = try AccountCertificate(
            id: try #require(ResourceID("C1")),
            name: "Apple Distribution",
            type: "DISTRIBUTION",
            serialNumber: nil,
            expires: day(100),
            certificate: CertificateTemplate(
                subject: DistinguishedName(commonName: "a"),
                serial: [1],
                notBefore: day(-1),
                notAfter: day(100),
            ).issued(for: key),
        )
        let plan = { (now: Date) in
            CertificatePlan(
                for: key,
                among: [try certificate("C9"), own],
                at: now,
                renewingBefore: 30,
            )
        }
        #expect(try plan(date) == .keep(own))
        #expect(try plan(day(70)) == .renew(own, before: day(100)))
        #expect(try plan(day(100)) == .create)
        #expect(
            try plan(day(70)).description
                == "create a new certificate, because the current one expires on 25 April 2027"
        )
    }
}
