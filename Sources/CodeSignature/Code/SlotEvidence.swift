import Cryptography
import MachOFormat

/// The result of comparing a special slot of a CodeDirectory with the content that it covers.
package struct SlotEvidence: Hashable, Sendable {
    package enum State: Hashable, Sendable {
        case matches
        /// The digest does not match the content.
        case differs
        /// There is a digest, but no content.
        case missing
        /// There is content, but no digest.
        case unsealed
        /// Code without a bundle has a digest, but not the place of its content.
        case incomparable
    }

    /// 1 Info.plist, 2 requirements, 3 CodeResources, 5 entitlements, 7 DER entitlements, 8 to 11 launch
    /// constraints; the format counts them as negative numbers.
    package let number: Int
    package let state: State
}

/// The digests of a small file that signatures cover.
struct SpecialFile: Sendable {
    private let digests: [DigestAlgorithm: [UInt8]]

    init(_ bytes: [UInt8]) {
        digests = Dictionary(
            uniqueKeysWithValues: DigestAlgorithm.allCases.map { ($0, $0.digest(of: bytes)) }
        )
    }

    func digest(_ type: HashType) -> [UInt8]? {
        guard let algorithm = type.algorithm, let size = type.size else { return nil }
        return digests[algorithm].map { Array($0.prefix(size)) }
    }
}

/// The files beside an executable that its signature covers.
struct SpecialFiles: Sendable {
    var infoPlist: SpecialFile?
    var codeResources: SpecialFile?
    /// The sections `__TEXT,__info_plist` of a file that is not a bundle's executable; nil for a bundle's
    /// executable, whose Info.plist is a file.
    ///
    /// codesign writes the digest of one of them to slot -1 of every slice: that of the slice itself, or
    /// of the slice for the signing machine.
    var sections: [SpecialFile]? = []
}

extension SlotEvidence {
    /// The slots with a meaning on iOS.
    ///
    /// Slot 4 is application-specific, and how Xcode 7 computed its digest is not known.
    private static let numbers = [1, 2, 3, 5, 7, 8, 9, 10, 11]

    /// Every slot that has a digest, or content that should have one.
    static func all(
        of directory: CodeDirectory,
        in signature: CodeSignature,
        beside files: SpecialFiles,
    ) -> [SlotEvidence] {
        numbers.compactMap { number in
            let found: [UInt8]?
            switch number {
            case 1, 3:
                if let sections = files.sections {
                    return state(
                        directory.digest(ofSlot: number),
                        number == 1 ? sections.map { $0.digest(directory.hashType) } : [],
                    )
                    .map { SlotEvidence(number: number, state: $0) }
                }
                found =
                    (number == 1 ? files.infoPlist : files.codeResources)?
                    .digest(directory.hashType)
            default:
                let blob = signature.blob(in: BlobSlot(UInt32(number)))
                found = blob.flatMap { directory.hashType.digest(of: $0) }
            }
            return state(directory.digest(ofSlot: number), found).map {
                SlotEvidence(number: number, state: $0)
            }
        }
    }

    /// The state for code without a bundle, which need not seal any file.
    private static func state(_ sealed: ArraySlice<UInt8>?, _ found: [[UInt8]?]) -> State? {
        guard let sealed else { return nil }
        guard !found.isEmpty else { return .incomparable }
        return found.contains { $0.map(sealed.elementsEqual) ?? false } ? .matches : .differs
    }

    private static func state(_ sealed: ArraySlice<UInt8>?, _ found: [UInt8]?) -> State? {
        switch (sealed, found) {
        case (nil, nil): nil
        case (nil, _): .unsealed
        case (_, nil): .missing
        case (let sealed?, let found?): sealed.elementsEqual(found) ? .matches : .differs
        }
    }
}
