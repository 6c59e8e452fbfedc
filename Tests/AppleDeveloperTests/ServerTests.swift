@testable import AppleDeveloper
import Bundles
import Cryptography
import Foundation
import HTTPCalling
import Identifiers
import PropertyLists
import TestSupport
import Testing

/// A complete session over TLS with a server that behaves like Apple's.
@Suite(.timeLimit(.minutes(10)))
struct ServerTests {
    @Test func `devices, App ID, certificate and profile are made, and made once`() async throws {
        try await RunningAppleServer.run { server in
            try await server.account { account in
                let device = try await account.register(try TestAccount.udid(1), name: "Ana")
                #expect(device.status == .enabled && device.family == .iphone)
                let bundle = try #require(BundleIdentifier("com.example.browsey"))
                let appID = try await account.register(bundle, name: "Browsey")
                _ = try await account.enable("PUSH_NOTIFICATIONS", for: appID.id)
                let key = try PrivateKey.generate(.rsa2048)
                let certificate = try await account.createCertificate(
                    for: key,
                    subject: DistinguishedName(commonName: "ota"),
                )
                #expect(certificate.isForDistribution && certificate.isAbout(key))
                let draft = ProfileDraft(
                    name: try TestAccount.profileName(),
                    bundleID: appID.id,
                    certificate: certificate.id,
                    devices: [device],
                )
                let issued = try await account.issue(draft)
                let udid = try TestAccount.udid(1)
                #expect(issued.omitted.isEmpty && issued.devices == [udid])
                let profile = try ProfileEnvelope(bytes: issued.content, place: "profile")
                    .verified(against: .apple.adding(server.authorities), at: Date())
                #expect(profile.kind == .adHoc && profile.name == draft.name.text)
                #expect(profile.certificates == [try #require(certificate.certificate)])
                #expect(profile.entitlements["aps-environment"] != nil)

                // All of it is repeated, as after a crash.
                _ = try await account.register(try TestAccount.udid(1), name: "Ana")
                _ = try await account.register(bundle, name: "Browsey")
                _ = try await account.enable("PUSH_NOTIFICATIONS", for: appID.id)
                _ = try await account.createCertificate(
                    for: key,
                    subject: DistinguishedName(commonName: "ota"),
                )
                let again = try await account.issue(draft)
                #expect(again.content == issued.content && again.omitted.isEmpty)
                #expect(try await account.devices(of: issued.profile.id) == [device])

                try await account.delete(issued.profile.id)
                try await account.delete(issued.profile.id)
                try await account.revoke(certificate.id, about: key)
                try await account.revoke(certificate.id, about: key)
            }
            let report = try await server.report()
            #expect(report.devices.count == 1 && report.bundleIds.count == 1)
            #expect(report.profiles.isEmpty && report.certificates.isEmpty)
            let created = report.requests.filter { $0.method == "POST" }
            #expect(created.count == 5 && created.allSatisfy { $0.status == 201 })
        }
    }

    @Test func `a list of many pages, whose links repeat parameters, is read whole`() async throws {
        try await RunningAppleServer.run { server in
            let orders = try (1...450).map {
                #"{"udid": "\#(try TestAccount.udid($0))", "name": "Device \#($0)"}"#
            }
            try await server.order(#"{"devices": [\#(orders.joined(separator: ","))]}"#)
            let found = try await server.account { try await $0.devices() }
            #expect(Set(found.compactMap(\.udid)).count == 450)
            let pages = try await server.report().requests.map(\.query)
            #expect(pages.count == 3)
            #expect(pages.dropFirst().allSatisfy { $0.split(separator: "limit=").count > 2 })
        }
    }

    @Test func `the contract is checked where it is, and always its facts`() async throws {
        try await RunningAppleServer.run { server in
            let names = try await server.report().contracts
            #expect(names == ["facts"] || names == ["facts", "app-store-connect-4.4.1"])
        }
    }

    @Test(
        arguments: [
            ("limit", "201"), ("limit", "0"), ("filter[state]", "A"),
            ("fields[devices]", "name,secret"),
        ]
    )
    func `a request that breaks the contract is refused`(
        name: String,
        value: String,
    )
        async throws
    {
        try await RunningAppleServer.run(keepsContract: false) { server in
            try await server.account { account in
                let request = APIRequest(
                    .get,
                    .readDevices,
                    path: "/v1/devices",
                    query: [(name, value)],
                )
                let found = await failure { _ = try await account.caller.answer(to: request) }
                guard case .refused(status: 400, code: "PARAMETER_ERROR.INVALID", _) = found else {
                    Issue.record("\(String(describing: found))")
                    return
                }
            }
            #expect(try await server.report().violations.isEmpty == false)
        }
    }
}
