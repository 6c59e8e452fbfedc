import Cryptography
package import MachOFormat

/// What the signature of one slice says, and how far it holds.
package struct CodeSignatureEvidence: Sendable {
    /// What the kernel or Security would not accept about the form.
    package let faults: [SignatureFault]
    /// Slot 0 first, then the alternates.
    package let directories: [DirectoryEvidence]
    /// The index among ``directories`` of the one that devices go by; nil when there is none.
    package let chosenIndex: Int?
    package let signer: SignerEvidence
    /// Nil unless the signer is proven: the attributes are the signer's word.
    package let codeHashes: CodeHashEvidence?
    package let entitlements: EntitlementEvidence?
    /// As `codesign -d -r-` prints them; nil when there are none or they cannot be read.
    package let requirements: String?

    package var chosen: DirectoryEvidence? { chosenIndex.map { directories[$0] } }

    /// Whether form, pages, slots, signer and attributes all hold; dates are not asked.
    package var isIntact: Bool {
        faults.isEmpty && chosenIndex != nil && directories.allSatisfy(\.isIntact)
            && signer.proof != nil && codeHashes?.isContradicted == false
    }
}

extension CodeHashEvidence {
    package var isContradicted: Bool { list == .disagrees || digests == .disagrees }
}

/// One CodeDirectory and how the code compares with it.
package struct DirectoryEvidence: Sendable {
    package let slot: BlobSlot
    package let version: UInt32
    package let hashType: HashType
    package let pageSize: Int?
    package let flags: CodeDirectory.Flags
    package let executableSegment: CodeDirectory.ExecutableSegment?
    package let identifier: String?
    package let team: String?
    /// Twenty bytes; empty for an unknown hash type.
    package let codeHash: [UInt8]
    package let pages: PageEvidence
    /// Only those that have a digest, or should have one.
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
    /// Judges a signature; `pages` say how the code compares with the CodeDirectory in each slot.
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
