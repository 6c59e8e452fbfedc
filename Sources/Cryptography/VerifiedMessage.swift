package import Essentials

/// A signed message whose signature and signer were verified against a policy.
///
/// Only ``SignedMessage/verified(by:anchors:at:detachedContent:)`` makes one.
package struct VerifiedMessage: Sendable {
    /// The kind of root to which the chain leads.
    package enum Anchor: Equatable, Sendable {
        case apple
        /// The common name of a root that the operator added.
        case privateAuthority(String)
    }

    package let content: [UInt8]
    /// The signer's certificate first, the trusted root last.
    package let chain: [Certificate]
    package let anchor: Anchor
    package let attributes: SignedAttributes?
    /// The signing time that the signer states; no authority confirms it.
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
