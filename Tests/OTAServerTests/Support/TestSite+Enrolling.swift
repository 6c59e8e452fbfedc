import Bundles
import Cryptography
import Enrolment
import Foundation
import Identifiers
import OTAServer
import PropertyLists
import Sample
import Store
import Testing

/// The requests of a device and its owner during enrolment.
extension TestSite {
    /// Certifies simulated devices, as Apple certifies real ones.
    static let deviceAuthority = Result { try DeviceAuthority() }

    /// Runs a server that also accepts the devices of ``deviceAuthority``.
    static func enrolling(
        over wrap: (any Backend) -> any Backend = { $0 },
        configure: (inout ServerConfiguration) -> Void = { _ in },
        _ body: @Sendable @escaping (TestSite) async throws -> Void,
    ) async throws {
        let anchor = try deviceAuthority.get().anchor
        try await run(
            over: wrap,
            configure: { configuration, _ in
                configuration.deviceAnchors = .appleDevices.adding([anchor])
                configure(&configuration)
            },
            body,
        )
    }

    func invite(app: BundleIdentifier? = nil) throws -> IssuedInvitation {
        var issued: IssuedInvitation?
        try store.changeInvitations { register in
            var generator = SystemRandomNumberGenerator()
            issued = try register.invite(
                InvitationDraft(name: "Ana's iPhone", app: app, by: "admin"),
                at: clock.now,
                using: &generator,
            )
        }
        return try #require(issued)
    }

    /// The challenge in the profile, which the phone reads inside the signature.
    func challenge(_ path: String, query: String = "") async throws -> String {
        let profile = try await WireClient.get(self, path + "/profile.mobileconfig" + query)
        #expect(profile.status == 200)
        #expect(profile.fields["content-type"] == "application/x-apple-aspen-config")
        return try challenge(in: profile.body, for: path)
    }

    /// The challenge in a profile that was fetched from an invitation's link.
    func challenge(in profile: [UInt8], for path: String) throws -> String {
        let message = try SignedMessage(reading: profile)
        let content = try #require(message.content)
        let list = try PropertyList(reading: content, limits: .enrolment)
        #expect(list["PayloadType"]?.string == "Profile Service")
        let asked = list["PayloadContent"]?["DeviceAttributes"]?.strings
        #expect(asked == ["UDID", "PRODUCT", "VERSION"])
        #expect(list["PayloadContent"]?["URL"]?.string?.hasSuffix(path) == true)
        return try #require(list["PayloadContent"]?["Challenge"]?.string)
    }

    func post(
        _ path: String,
        _ body: [UInt8],
        type: String = "application/pkcs7-signature",
    ) async throws -> WireResponse {
        try await WireClient.secure(self) { client in
            try await client.send(
                "POST \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Type: \(type)\r\n"
                    + "Content-Length: \(body.count)\r\n\r\n"
            )
            try await client.send(body)
            return try await client.response()
        }
    }
}

extension WireResponse {
    /// The path to which it redirects.
    func location() throws -> String {
        let url = try #require(fields["location"])
        return try #require(URL(string: url)?.path())
    }
}
