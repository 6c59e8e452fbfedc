package import Cryptography
package import PropertyLists
package import Signing

/// How to sign one bundle; the defaults are what today's Xcode does.
///
/// Everything but the first two exists for tests that need a signature with exactly one flaw.
package struct SigningOptions: Sendable {
    package enum Message: Sendable {
        /// A signed message over the CodeDirectory.
        case signed
        /// An empty wrapper, as an ad hoc signature (`codesign -s -`) has it.
        case empty
        /// No wrapper at all.
        case absent
    }

    /// The primary CodeDirectory's digest first; Xcode 7 to 9 wrote SHA-1, then SHA-256.
    package var hashes: [CodeHash] = [.sha256]
    package var version: UInt32 = 0x20400
    /// False leaves the executable without any signature.
    package var isSigned = true
    /// CodeDirectory flags: 2 for ad hoc.
    package var flags: UInt32 = 0
    /// False leaves a program without CS_EXECSEG_MAIN_BINARY, as for a library.
    package var marksPrograms = true
    package var pageSizeLog2: UInt8 = 12
    package var includesRequirements = true
    package var includesXMLEntitlements = true
    package var includesDEREntitlements = true
    package var message = Message.signed
    /// In place of the bundle identifier.
    package var identifier: String?
    /// In place of the signer's team.
    package var team: String?
    /// In place of the XML form of the entitlements.
    package var xmlEntitlements: [UInt8]?
    /// The entitlements of every architecture but the first, where they are others; an empty
    /// dictionary leaves them without any.
    package var otherEntitlements: PropertyList?
    /// In place of the DER form of the XML entitlements.
    package var derEntitlements: [UInt8]?
    /// Signed with this instead of the authority's identity for the profile's kind.
    package var identity: SigningIdentity?
    /// Attribute 9.1 and 9.2 name other CodeDirectories than the real ones.
    package var misstatesHashes = false
    /// Special slots, by their positive numbers, whose digests are left out.
    package var uncoveredSlots: Set<Int> = []
    /// The digest whose CodeDirectory alone leaves them out; nil for each.
    package var uncoveringHash: CodeHash?
    /// The digest whose CodeDirectory alone has wrong digests of its pages; nil for none.
    package var misdigestingHash: CodeHash?
    /// A scatter list that counts no page.
    package var hasEmptyScatterList = false
    /// What slot -1 has the digest of, in place of Info.plist.
    package var informationSlot: [UInt8]?
    /// Bytes of code from the start that have page digests; nil for all.
    package var coveredCode: Int?
    /// In place of the seal of the bundle's files.
    package var codeResources: [UInt8]?
    /// Certificates besides the leaf in the message; nil for the whole chain.
    package var includesChain = true

    package init() {}
}
