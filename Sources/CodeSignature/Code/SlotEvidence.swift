import Cryptography
import MachOFormat

/// How one special slot of a CodeDirectory compares with what it stands for.
package struct SlotEvidence: Hashable, Sendable {
    package enum State: Hashable, Sendable {
        case matches
        /// The digest is of something else.
        case differs
        /// A digest of what is not there.
        case missing
        /// What is there has no digest.
        case unsealed
        /// A digest of something that code without a bundle does not say where to find.
        case incomparable
    }

    /// 1 Info.plist, 2 requirements, 3 CodeResources, 5 entitlements, 7 DER entitlements, 8 to 11
    /// launch constraints; the format counts them downwards from 0.
    package let number: Int
    package let state: State
}

/// The digests of a small file that signatures refer to.
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

/// The files beside an executable that its signature refers to.
struct SpecialFiles: Sendable {
    var infoPlist: SpecialFile?
    var codeResources: SpecialFile?
    /// The sections `__TEXT,__info_plist` of a file that is no bundle's executable; nil for one that
    /// is, whose Info.plist is a file.
    ///
    /// codesign puts the digest of one of them into slot -1 of every slice: of the slice itself, or
    /// of the one for the machine that signs.
    var sections: [SpecialFile]? = []
}

extension SlotEvidence {
    /// What has a meaning on iOS: 4 is the application's own, and what Xcode 7 put there is digested
    /// in no known way.
    private static let numbers = [1, 2, 3, 5, 7, 8, 9, 10, 11]

    /// Every slot that has a digest, or something that should have one.
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

    /// Code without a bundle, which need not seal anything beside it.
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
