import Cryptography
import Foundation
import NIOHTTP1
import Phone
import PropertyLists
import Testing

@Suite(.serialized) struct AuthorityTests {
    private let authority: TestAuthority

    init() throws {
        authority = try TestAuthority.shared.get()
    }

    private func profile(_ body: [UInt8], type: String = "com.apple.security.root") -> [UInt8] {
        PropertyList.dictionary([
            "PayloadType": .string("Configuration"), "PayloadVersion": .integer(1),
            "PayloadIdentifier": .string("test.authority"),
            "PayloadUUID": .string(UUID().uuidString),
            "PayloadContent": .array([
                .dictionary(["PayloadType": .string(type), "PayloadContent": .data(body)])
            ]),
        ]).xml()
    }

    /// Returns the phone after it visited the plain server, and the steps of the visit.
    private func trust(
        _ body: [UInt8],
        as type: String = "application/x-apple-aspen-config",
    ) async throws -> (phone: SimulatedPhone, step: Step) {
        let reply = ScriptedReply(headers: [("Content-Type", type)], body: body)
        return try await ScriptedServer.running(
            nil,
            script: { request in
                request.path == "/trust/authority.mobileconfig"
                    ? reply : ScriptedReply(status: .notFound)
            },
        ) { _, port in
            var phone = SimulatedPhone(downloads: FileManager.default.temporaryDirectory)
            let step = await phone.trustServer("http://127.0.0.1:\(port)/")
            return (phone, step)
        }
    }

    @Test func `a phone that installed the authority installs the app`() async throws {
        let root = authority.root.certificate
        let trusting = try await trust(profile(root.der))
        #expect(trusting.step.outcome == .passed)
        #expect(trusting.phone.authorities == [root])
        let outcome = try await install(from: TestSite()) {
            $0.authorities = trusting.phone.authorities
        }
        #expect(outcome.attempt.installs)
    }

    @Test func `PEM and a signed profile do as well`() async throws {
        let root = authority.root.certificate
        #expect(try await trust(profile(Array(root.pem.utf8))).phone.authorities == [root])
        let signer = CMSSigner(authority.intermediate, digest: .sha256)
        let signed = try signer.sign(profile(root.der), at: Date())
        #expect(try await trust(signed).phone.authorities == [root])
    }

    @Test func `what a phone cannot switch on is refused`() async throws {
        let root = authority.root.certificate.der
        let refused = try [
            await trust(profile(authority.server().certificate.der)),
            await trust(profile(authority.intermediate.certificate.der)),
            await trust(profile([1, 2, 3])),
            await trust(profile(root, type: "com.apple.security.pkcs1")),
            await trust(profile(root), as: "application/octet-stream"),
            await trust(Array("<plist><dict/></plist>".utf8)),
            await trust([0x30, 0x01]),
        ]
        for (phone, step) in refused {
            #expect(step.faults.map(\.id) == [.authorityProfile])
            #expect(phone.authorities.isEmpty)
        }
    }
}
