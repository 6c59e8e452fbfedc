import Bundles
import Cryptography
import Foundation
import PropertyLists
import Sample

/// `cms`: only content that a trusted authority has signed is accepted, byte for byte.
struct Messages: InputKind {
    static let name = "cms"

    private let anchors: TrustAnchors
    /// The digests of the contents of the signed seeds.
    private let genuine: Set<SHA256Digest>

    private static let detached = Array("detached".utf8)
    /// Signers that other policies refuse beyond this are genuine signers for another purpose.
    private static let policy: SignerPolicy = {
        var policy = SignerPolicy(checksDates: false)
        policy.knownCriticalExtensions = SignerPolicy.appSigning.knownCriticalExtensions
        return policy
    }()

    init(trusting root: Certificate, seeds: [[UInt8]]) {
        let anchors = TrustAnchors.apple.adding([root])
        self.anchors = anchors
        genuine = Set(
            seeds.compactMap { Self.proof(in: $0, anchors) }.map { SHA256Digest(of: $0.content) }
        )
        promise(genuine.count >= 4, "the seeds prove nothing, so that nothing could be forged")
    }

    static func seeds(by authority: SeedAuthority) throws -> [String: [UInt8]] {
        let sample = authority.sample
        let profile = ProfileBuilder(.adHoc, devices: ["0"], created: SeedAuthority.date)
        var bare = CMSSigner(sample.distribution)
        bare.hasAttributes = false
        var detached = CMSSigner(sample.distribution, digest: .sha1)
        detached.isDetached = true
        return [
            "profile": try profile.bytes(for: .init(bundleIdentifier: "com.a.b"), by: sample),
            "bare": try bare.sign(Array("without attributes".utf8)),
            "detached": try detached.sign(Self.detached, at: SeedAuthority.date),
            "self-signed": try CMSSigner(
                SigningIdentity(certificate: sample.root.certificate, key: sample.root.key)
            ).sign(Array("by the root".utf8), at: SeedAuthority.date),
        ]
    }

    func check(_ input: [UInt8]) {
        if let proof = Self.proof(in: input, anchors) {
            promise(isGenuine(proof.content), "something is believed that nobody signed")
            promise(
                proof.chain.last.map { anchors.certificates.contains($0) } ?? false,
                "a chain ends in a root that nobody trusts",
            )
            promise(
                (proof.anchor == .apple) == (proof.chain.last.map(anchors.isApple) ?? false),
                "a private authority passes for Apple",
            )
        }
        let profile = accepted { () throws(ProfileRefusal) in
            try ProfileEnvelope(bytes: input, place: "embedded.mobileprovision")
                .judged(against: anchors, at: SeedAuthority.date)
        }
        guard let profile, profile.trust.isVerified else { return }
        let content = accepted { () throws(MalformedMessage) in try SignedMessage(reading: input) }?
            .content
        promise(content.map(isGenuine) ?? false, "a profile passes for proven and is not")
    }

    private func isGenuine(_ content: [UInt8]) -> Bool {
        genuine.contains(SHA256Digest(of: content))
    }

    private static func proof(in input: [UInt8], _ anchors: TrustAnchors) -> VerifiedMessage? {
        guard
            let message = accepted({ () throws(MalformedMessage) in
                try SignedMessage(reading: input)
            })
        else { return nil }
        promise(message.certificates.count <= 32, "more certificates than are read")
        return accepted { () throws(SignatureRefusal) in
            try message.verified(
                by: policy,
                anchors: anchors,
                at: SeedAuthority.date,
                detachedContent: message.content == nil ? detached : nil,
            )
        }
    }
}
