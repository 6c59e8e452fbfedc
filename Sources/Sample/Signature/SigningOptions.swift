package import Cryptography
package import PropertyLists
package import Signing

/// The options for signing a bundle; the defaults match the current Xcode.
///
/// All options but the first two are for tests that need a signature with exactly one flaw.
package struct SigningOptions: Sendable {
    package enum Message: Sendable {
        /// A CMS message over the CodeDirectory.
        case signed
        /// An empty blob, as in an ad hoc signature (`codesign -s -`).
        case empty
        /// No blob at all.
        case absent
    }

    /// The hash algorithm of the primary CodeDirectory first; Xcode 7 to 9 used SHA-1, then SHA-256.
    package var hashes: [CodeHash] = [.sha256]
    package var version: UInt32 = 0x20400
    /// False leaves the executable without any signature.
    package var isSigned = true
    /// The CodeDirectory's flags: 2 for ad hoc.
    package var flags: UInt32 = 0
    /// False omits CS_EXECSEG_MAIN_BINARY from a program, as in a library.
    package var marksPrograms = true
    package var pageSizeLog2: UInt8 = 12
    package var includesRequirements = true
    package var includesXMLEntitlements = true
    package var includesDEREntitlements = true
    package var message = Message.signed
    /// Replaces the bundle identifier.
    package var identifier: String?
    /// Replaces the signer's team.
    package var team: String?
    /// Replaces the XML form of the entitlements.
    package var xmlEntitlements: [UInt8]?
    /// The entitlements of all architectures but the first, if they differ; an empty dictionary for none.
    package var otherEntitlements: PropertyList?
    /// Replaces the DER form of the XML entitlements.
    package var derEntitlements: [UInt8]?
    /// Replaces the authority's identity for the profile's kind.
    package var identity: SigningIdentity?
    /// Attributes 1.2.840.113635.100.9.1 and 9.2 name other CodeDirectories than the real ones.
    package var misstatesHashes = false
    /// The positive numbers of special slots whose digests are omitted.
    package var uncoveredSlots: Set<Int> = []
    /// The only hash algorithm whose CodeDirectory omits them; nil for all.
    package var uncoveringHash: CodeHash?
    /// The only hash algorithm whose CodeDirectory has wrong page digests; nil for none.
    package var misdigestingHash: CodeHash?
    /// Whether there is a scatter list without pages.
    package var hasEmptyScatterList = false
    /// The content for the digest in slot -1, instead of Info.plist.
    package var informationSlot: [UInt8]?
    /// The number of bytes of code, from the start, with page digests; nil for all.
    package var coveredCode: Int?
    /// Replaces the seal of the bundle's files.
    package var codeResources: [UInt8]?
    /// Whether the message embeds the chain in addition to the leaf.
    package var includesChain = true

    package init() {}
}
