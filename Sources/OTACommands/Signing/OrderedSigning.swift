import Cryptography
import Foundation
import Inspection
import Packaging
import PropertyLists
import Sandboxing
import Signing
import SigningOrders

/// Signing for the server: `ota sign --request -`, which reads its order from standard input.
enum OrderedSigning {
    /// The answer to the server, which inspects the file itself.
    struct Answer: Codable, Sendable {
        let sha256: String
        let size: Int
    }

    /// - Returns: whether the order was carried out.
    static func run() throws -> Bool {
        try SigningChild.run { order, _ in try carryOut(order) }
    }

    /// - Throws: why the build cannot be signed; the process that gave the order removes the output.
    static func carryOut(_ order: SigningOrder) throws -> Answer {
        let input = try SignInput(order.input)
        let file = try PartialFile(new: order.output)
        // From here on, the process has the key and reads an untrusted build.
        try Confinement.denyFiles()
        let anchors = TrustAnchors.apple.adding(try order.authorities())
        let profiles = try order.profiles.enumerated().map { index, bytes in
            try SigningProfile(
                Array(bytes),
                at: "profile \(index + 1)",
                trusting: anchors,
                date: order.date,
            )
        }
        var request = SigningRequest(
            identity: try order.signingIdentity().checkedForApps(
                at: order.date,
                anchors: anchors,
            ),
            profiles: profiles,
            trusting: anchors,
            at: order.date,
        )
        request.nestedEntitlements = try order.entitlements.mapValues {
            try PropertyList(reading: Array($0))
        }
        let build = try BuildSigning(input: input, file: file, request: request)
            .run { _, _ in }
        guard build.installs else { throw NotInstallable(build).problem }
        return Answer(sha256: build.sha256.description, size: build.size)
    }
}
