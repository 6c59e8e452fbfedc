package import Essentials

/// A signed message whose signature and signer were proven under a policy.
///
/// Only ``SignedMessage/verified(by:anchors:at:detachedContent:)`` makes one.
package struct VerifiedMessage: Sendable {
    /// Whose word the message is.
    package enum Anchor: Equatable, Sendable {
        case apple
        /// The common name of a root that the operator added.
        case privateAuthority(String)
    }

    package let content: [UInt8]
    /// Signer first, trusted root last.
    package let chain: [Certificate]
    package let anchor: Anchor
    package let attributes: SignedAttributes?
    /// What the signer claims; no authority vouches for it.
    package let signingTime: Date?

    init(
        content: [UInt8],
        chain: [Certificate],
        anchor: Anchor,
        attributes: SignedAttributes?,
    ) {
        self.content = content
        self.chain = chain
        self.anchor = anchor
        self.attributes = attributes
        signingTime = attributes?.signingTime
    }

    package var signer: Certificate? { chain.first }
}
