package import Cryptography
package import Essentials
package import Signing
import PropertyLists

/// Signs the Mach-O files of samples as codesign does for iOS, or with requested flaws.
///
/// `Signing` creates the valid parts; this type assembles them, and omits or replaces those that
/// ``SigningOptions`` name.
package struct CodeSigner: Sendable {
    package var identity: SigningIdentity
    package var options: SigningOptions
    /// The signing time attribute.
    package var date: Date

    package init(
        identity: SigningIdentity,
        options: SigningOptions = SigningOptions(),
        at date: Date,
    ) {
        self.identity = identity
        self.options = options
        self.date = date
    }

    /// The signed file: a single slice, or a universal file.
    package func signed(_ builders: [MachOBuilder], sealing seals: CodeSeals) throws -> [UInt8] {
        try UniversalBinary.joining(
            builders.enumerated().map { index, builder in
                var own = seals
                if index > 0, let other = options.otherEntitlements {
                    own.entitlements = other == .dictionary([:]) ? nil : other
                }
                return (builder.architecture, try signed(builder, sealing: own))
            }
        )
    }

    /// The bytes that codesign reserves for the CMS message; unused ones are zero.
    private static let messageReserve = 18_000

    private func signed(_ builder: MachOBuilder, sealing seals: CodeSeals) throws -> [UInt8] {
        guard options.isSigned else { return try builder.slice(reservingSignature: 0).bytes }
        // The header contains the signature's size and is hashed itself, so the size is needed first: a
        // draft without the message gives the size of the rest.
        let draft = try signature(
            over: try builder.slice(reservingSignature: 16),
            seals,
            isDraft: true,
        )
        let reserved = (draft.count + Self.messageReserve + 15) & ~15
        let slice = try builder.slice(reservingSignature: reserved)
        let signature = try signature(over: slice, seals, isDraft: false)
        guard signature.count <= reserved else {
            throw SampleFailure.signatureTooLarge(needed: signature.count, reserved: reserved)
        }
        return slice.bytes + signature + Array(repeating: 0, count: reserved - signature.count)
    }

    private func signature(
        over slice: MachOSlice,
        _ seals: CodeSeals,
        isDraft: Bool,
    ) throws -> [UInt8] {
        let identifier = options.identifier ?? seals.identifier
        var parts: [(slot: UInt32, bytes: [UInt8])] = []
        if options.includesRequirements {
            let requirement = DesignatedRequirement(
                identifier: identifier,
                signerName: identity.certificate.subject.commonName ?? "",
            )
            parts.append((SignatureSlot.requirements, requirement.blob))
        }
        if let entitlements = seals.entitlements {
            if options.includesXMLEntitlements {
                let xml = options.xmlEntitlements ?? entitlements.xml()
                parts.append((SignatureSlot.entitlements, SignatureBlob.entitlements(xml: xml)))
            }
            if options.includesDEREntitlements {
                let der = try options.derEntitlements ?? EntitlementsDER.encoding(entitlements)
                parts.append((SignatureSlot.derEntitlements, SignatureBlob.entitlements(der: der)))
            }
        }
        var directory = CodeDirectoryBuilder(
            identifier: identifier,
            team: options.team ?? identity.team,
        )
        directory.version = options.version
        directory.flags = options.flags
        directory.pageSizeLog2 = options.pageSizeLog2
        directory.executableSegmentSize = slice.textSize
        directory.executableSegmentFlags = executableSegmentFlags(of: slice, seals)
        directory.specialSlots[1] =
            options.informationSlot ?? seals.infoPlist ?? slice.information
        if options.hasEmptyScatterList { directory.scatter = Self.emptyScatterList }
        directory.specialSlots[3] = seals.codeResources
        for part in parts { directory.specialSlots[Int(part.slot)] = part.bytes }
        let directories = options.hashes.map { hash in
            var directory = directory
            directory.hash = hash
            if options.uncoveringHash == nil || options.uncoveringHash == hash {
                for slot in options.uncoveredSlots { directory.specialSlots[slot] = nil }
            }
            let code = Array(slice.bytes.prefix(options.coveredCode ?? slice.bytes.count))
            let blob =
                options.misdigestingHash == hash
                ? directory.blob(misdigesting: code) : directory.blob(over: code)
            return HashedCodeDirectory(hash: hash, blob: blob)
        }
        var blobs = [(SignatureSlot.codeDirectory, directories[0].blob)] + parts
        for (index, alternate) in directories.dropFirst().enumerated() {
            blobs.append((SignatureSlot.alternateCodeDirectory + UInt32(index), alternate.blob))
        }
        switch options.message {
        case .absent: break
        case .empty: blobs.append((SignatureSlot.message, SignatureBlob.message([])))
        case .signed:
            let message = try isDraft ? [] : message(over: directories)
            blobs.append((SignatureSlot.message, SignatureBlob.message(message)))
        }
        return SuperBlob(blobs).bytes
    }

    /// A list whose first range has no pages, and so terminates it.
    private static let emptyScatterList = [UInt8](repeating: 0, count: 24)

    private func executableSegmentFlags(of slice: MachOSlice, _ seals: CodeSeals) -> UInt64 {
        guard slice.isExecutable, options.marksPrograms else { return 0 }
        return seals.entitlements?["get-task-allow"] == .boolean(true) ? 0x11 : 1
    }
}
