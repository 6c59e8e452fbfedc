import Bundles
import Bytes
import Cryptography
import Foundation
import PropertyLists
import Sample
import Signing
import Testing

/// Each bundle gets the profile for its identifier, or a sentence that says why there is none.
@Suite struct ProfileMatchingTests {
    private static func fault(_ profiles: SigningProfile...) throws -> SigningRefusal? {
        let request = try Resigned.request(profiles)
        let ipa = try Resigned.app().bytes()
        return #expect(throws: SigningRefusal.self) { try Resigned(ipa, request) }
    }

    private static func used(_ profiles: SigningProfile...) throws -> String? {
        let signed = try Resigned(
            try Resigned.app().bytes(),
            try Resigned.request(profiles),
        )
        return signed.plan.bundles.first?.profile?.facts.name
    }

    @Test func `an identifier is found before a pattern, and a long pattern before a short one`()
        throws
    {
        let all = try Resigned.profile("*")
        let team = try Resigned.profile("com.example.*")
        let exact = try Resigned.profile("com.example.demo")
        #expect(try Self.used(all, team, exact) == "Profile for com.example.demo")
        #expect(try Self.used(all, team) == "Profile for com.example.*")
        #expect(try Self.used(all) == "Profile for *")
    }

    @Test func `of several for one identifier the newest that can be used is taken`() throws {
        let old = try Resigned.profile("com.example.demo") { $0.name = "Old" }
        let new = try Resigned.profile("com.example.demo") {
            $0.name = "New"
            $0.created = Resigned.date.addingDays(-1)
            $0.expires = Resigned.date.addingDays(30)
        }
        let expired = try Resigned.profile("com.example.demo") {
            $0.name = "Expired"
            $0.created = Resigned.date.addingDays(-2)
            $0.expires = Resigned.date.addingDays(-1)
        }
        #expect(try Self.used(expired, new, old) == "Old")
        #expect(try Self.used(expired, new) == "New")
    }

    @Test func `none at all is named`() throws {
        let refusal = try Self.fault(try Resigned.profile("com.example.other"))
        #expect(refusal?.id == "signing.profile-missing")
        #expect(refusal?.place == "Payload/Demo.app")
        #expect(refusal?.description.contains("com.example.demo") == true)
        #expect(refusal?.fix.contains("com.example.demo") == true)
    }

    @Test func `an expired one is named with its date`() throws {
        let refusal = try Self.fault(
            try Resigned.profile("com.example.demo") {
                $0.created = Resigned.date.addingDays(-400)
                $0.expires = Resigned.date.addingDays(-1)
            }
        )
        #expect(
            refusal?.fault
                == .profileExpired(
                    "Profile for com.example.demo",
                    on: Resigned.date.addingDays(-1),
                )
        )
        #expect(refusal?.description.contains("2025-12-31") == true)
    }

    @Test func `one of another team is named with both teams`() throws {
        let authority = try Resigned.authority()
        let refusal = try Self.fault(
            try Resigned.profile("com.example.demo") {
                $0.team = .other
                $0.certificates = [authority.distribution.certificate]
            }
        )
        #expect(
            refusal?.fault
                == .profileOfOtherTeam(
                    "Profile for com.example.demo",
                    team: "OTHERTEAM9",
                    signer: "OTASAMPLE1",
                )
        )
    }

    @Test func `one for the App Store, for another platform or without the certificate is named`()
        throws
    {
        let store = try Self.fault(try Resigned.profile("com.example.demo", .appStore))
        #expect(store?.id == "signing.profile-for-store")
        let platform = try Self.fault(
            try Resigned.profile("com.example.demo") { $0.platforms = ["tvOS"] }
        )
        #expect(platform?.id == "signing.profile-for-other-platform")
        let authority = try Resigned.authority()
        let certificate = try Self.fault(
            try Resigned.profile("com.example.demo") {
                $0.certificates = [authority.development.certificate]
            }
        )
        #expect(certificate?.id == "signing.certificate-not-in-profile")
    }

    @Test func `one that nobody vouches for is not used`() throws {
        let builder = ProfileBuilder(.adHoc, devices: [SampleDevices.one], created: Resigned.date)
        let bytes = try builder.bytes(
            for: .init(bundleIdentifier: "com.example.demo"),
            by: try Resigned.authority(),
        )
        let profile = try SigningProfile(bytes, at: "a", trusting: .apple, date: Resigned.date)
        let refusal = try Self.fault(profile)
        #expect(refusal?.id == "signing.profile-unproven")
    }

    @Test func `profiles of different kinds do not go into one app`() throws {
        let app = try Resigned.app().nesting(.widget("Widget"))
        let authority = try Resigned.authority()
        let request = try Resigned.request([
            try Resigned.profile("com.example.demo"),
            try Resigned.profile("com.example.demo.Widget", .development) {
                $0.certificates = [authority.distribution.certificate]
            },
        ])
        let ipa = try app.bytes()
        let refusal = #expect(throws: SigningRefusal.self) { try Resigned(ipa, request) }
        #expect(refusal?.id == "signing.mixed-kinds")
    }

    @Test func `a wildcard profile signs code with its whole identifier`() throws {
        let signed = try Resigned(try Resigned.app(), try Resigned.profile("com.example.*"))
        #expect(signed.blocking == [])
        #expect(
            try signed.entitlements(of: "Payload/Demo.app")["application-identifier"]
                == .string("OTASAMPLE1.com.example.demo")
        )
    }
}
