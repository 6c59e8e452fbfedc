import Bytes
import CodeSignature
import Cryptography
import MachOFormat
import PropertyLists

/// Creates the signature of one slice.
struct SliceSigner {
    let target: SignableSlice
    /// The size in LC_CODE_SIGNATURE in bytes; it is part of the first page, so it must be known before
    /// any page is hashed.
    let size: Int
    private let message: CodeMessage
    /// One for each hash algorithm, the primary CodeDirectory first.
    private let directories: [CodeDirectoryBuilder]
    /// The blobs between the primary CodeDirectory and its alternates.
    private let parts: [(slot: UInt32, bytes: [UInt8])]

    /// The bytes that codesign reserves for the CMS message (Security `SecCodeSigner::Parser`).
    private static let messageReserve = 18_000
    /// The CodeDirectory version with which codesign computes sizes, whichever version it writes.
    private static let reckonedVersion: UInt32 = 0x20500

    /// - Throws: ``ProgramFault`` for entitlements without a DER form.
    init(
        _ target: SignableSlice,
        hashes: [CodeHash],
        sealing seals: CodeSeals,
        message: CodeMessage,
    ) throws(ProgramFault) {
        self.target = target
        self.message = message
        let certificate = message.identity.certificate
        let requirement = DesignatedRequirement(
            identifier: seals.identifier,
            signerName: certificate.subject.commonName ?? "",
        )
        var parts: [(slot: UInt32, bytes: [UInt8])] = [
            (SignatureSlot.requirements, requirement.blob)
        ]
        if let entitlements = seals.entitlements {
            let der = try EntitlementsDER.encoding(entitlements)
            let xml = entitlements.xml()
            parts.append((SignatureSlot.entitlements, SignatureBlob.entitlements(xml: xml)))
            parts.append((SignatureSlot.derEntitlements, SignatureBlob.entitlements(der: der)))
        }
        self.parts = parts
        let slice = target.slice
        var directory = CodeDirectoryBuilder(
            identifier: seals.identifier,
            team: certificate.subject.organizationalUnit,
        )
        let inherited = InheritedFlags(slice)
        directory.flags = inherited.flags.rawValue
        if let runtime = inherited.runtime {
            directory.version = 0x20500
            directory.runtime = runtime.rawValue
        }
        let text = slice.segments.first { $0.name == "__TEXT" }
        directory.executableSegmentOffset = text?.fileRange.lowerBound ?? 0
        directory.executableSegmentSize = text?.fileRange.count ?? 0
        if slice.header.fileType == .executable {
            directory.executableSegmentFlags = ExecutableSegmentFlags.flags(for: seals.entitlements)
        }
        directory.specialSlots[1] = seals.infoPlist ?? slice.information
        directory.specialSlots[3] = seals.codeResources
        for part in parts { directory.specialSlots[Int(part.slot)] = part.bytes }
        directories = hashes.map { hash in
            var directory = directory
            directory.hash = hash
            return directory
        }
        let blobs =
            parts.map(\.bytes.count)
            + directories.map {
                $0.size(codeLimit: target.signatureOffset, version: Self.reckonedVersion)
            }
        let index = SuperBlob.indexSize(count: blobs.count + 1)
        size = (index + blobs.reduce(Self.messageReserve, +) + 15) & ~15
    }

    /// New hashers for the slice's pages, one for each CodeDirectory.
    var pageHashers: [PageHasher] {
        directories.map { PageHasher($0.hash.algorithm, pageSize: 1 << Int($0.pageSizeLog2)) }
    }

    /// Builds the signature from hashed pages.
    ///
    /// - Parameter pages: the finished hashers of ``pageHashers``.
    /// - Returns: the complete signature, padded to ``size``.
    /// - Throws: ``ProgramFault`` when the key cannot sign or the message is too large.
    func signature(over pages: [PageHasher]) throws(ProgramFault) -> [UInt8] {
        let hashed = zip(directories, pages).map { directory, pages in
            HashedCodeDirectory(
                hash: directory.hash,
                blob: directory.blob(pages.digests, codeLimit: target.signatureOffset),
            )
        }
        let cms: [UInt8]
        do throws(MalformedKey) {
            cms = try message.bytes(over: hashed[0].blob, naming: hashed)
        } catch {
            throw .cannotSign(reason: error.description)
        }
        var blobs = [(SignatureSlot.codeDirectory, hashed[0].blob)] + parts
        for (index, alternate) in hashed.dropFirst().enumerated() {
            blobs.append((SignatureSlot.alternateCodeDirectory + UInt32(index), alternate.blob))
        }
        blobs.append((SignatureSlot.message, SignatureBlob.message(cms)))
        var bytes = SuperBlob(blobs).bytes
        guard bytes.count <= size else {
            let reserved = size - (bytes.count - cms.count)
            throw .messageTooLarge(needed: cms.count, reserved: max(0, reserved))
        }
        bytes.append(contentsOf: repeatElement(0, count: size - bytes.count))
        return bytes
    }
}
