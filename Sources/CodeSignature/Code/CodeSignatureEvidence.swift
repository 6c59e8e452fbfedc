import Cryptography
package import MachOFormat

/// The contents of a slice's signature, with the results of verifying it.
package struct CodeSignatureEvidence: Sendable {
    /// Format errors for which the kernel or Security would reject the signature.
    package let faults: [SignatureFault]
    /// Slot 0 first, then the alternates.
    package let directories: [DirectoryEvidence]
    /// The index in ``directories`` of the one that devices use; nil when there is none.
    package let chosenIndex: Int?
    package let signer: SignerEvidence
    /// Nil unless the signer is proven, because the signer makes the attributes.
    package let codeHashes: CodeHashEvidence?
    package let entitlements: EntitlementEvidence?
    /// In the form of `codesign -d -r-`; nil when absent or unreadable.
    package let requirements: String?

    package var chosen: DirectoryEvidence? { chosenIndex.map { directories[$0] } }

    /// Whether format, pages, slots, signer and attributes are all valid, regardless of dates.
    package var isIntact: Bool {
        faults.isEmpty && chosenIndex != nil && directories.allSatisfy(\.isIntact)
            && signer.proof != nil && codeHashes?.isContradicted == false
    }
}

extension CodeHashEvidence {
    package var isContradicted: Bool { list == .disagrees || digests == .disagrees }
}

/// A CodeDirectory, with the results of comparing the code with it.
package struct DirectoryEvidence: Sendable {
    package let slot: BlobSlot
    package let version: UInt32
    package let hashType: HashType
    package let pageSize: Int?
    package let flags: CodeDirectory.Flags
    package let executableSegment: CodeDirectory.ExecutableSegment?
    package let identifier: String?
    package let team: String?
    /// The code directory hash of twenty bytes; empty for an unknown hash type.
    package let codeHash: [UInt8]
    package let pages: PageEvidence
    /// Only slots that have a digest or should have one.
    package let slots: [SlotEvidence]

    package var isIntact: Bool {
        pages.isIntact
            && slots.allSatisfy { $0.state == .matches || $0.state == .incomparable }
    }

    init(_ directory: CodeDirectory, pages: PageEvidence, slots: [SlotEvidence]) {
        slot = directory.slot
        version = directory.version
        hashType = directory.hashType
        pageSize = directory.pageSize
        flags = directory.flags
        executableSegment = directory.executableSegment
        identifier = directory.identifier
        team = directory.team
        codeHash = directory.codeHash ?? []
        self.pages = pages
        self.slots = slots
    }
}

extension CodeSignatureEvidence {
    /// Verifies a signature; `pages` has the page comparison for the CodeDirectory in each slot.
    init(
        _ signature: CodeSignature,
        pages: [BlobSlot: PageEvidence],
        beside files: SpecialFiles,
        trusting anchors: TrustAnchors,
    ) {
        faults = signature.faults
        directories = signature.directories.map { directory in
            DirectoryEvidence(
                directory,
                pages: pages[directory.slot] ?? PageEvidence(.unusable),
                slots: SlotEvidence.all(of: directory, in: signature, beside: files),
            )
        }
        let best = signature.best?.slot
        chosenIndex = signature.directories.firstIndex { $0.slot == best }
        signer = SignerEvidence(
            signature.message,
            over: Array(signature.primary?.bytes ?? []),
            trusting: anchors,
        )
        codeHashes = signer.proof.map { CodeHashEvidence($0.attributes, signature.directories) }
        entitlements = EntitlementEvidence(signature)
        requirements = signature.blob(in: .requirements).flatMap { blob in
            (try? RequirementSet(reading: blob)).map { "\($0)" }
        }
    }
}
