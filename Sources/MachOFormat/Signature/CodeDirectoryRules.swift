import Bytes

/// The checks of xnu's `cs_validate_codedirectory`, and further ones of Security.
struct CodeDirectoryRules {
    private let directory: CodeDirectory
    private(set) var faults: [SignatureFault] = []

    init(_ directory: CodeDirectory) {
        self.directory = directory
        checkVersion()
        checkDigests()
        checkPages()
        checkNames()
        checkExtras()
    }

    private mutating func checkVersion() {
        // Security: `CodeDirectory::earliestVersion` and `compatibilityLimit`.
        guard !(0x20001...0x2f000).contains(directory.version) else { return }
        note(.unsupportedVersion, at: 8, "version 0x\(String(directory.version, radix: 16))")
    }

    private mutating func checkDigests() {
        guard let size = directory.hashType.size else {
            return note(.unknownHashType, at: 37, "\(directory.hashType) is unknown")
        }
        guard directory.hashSize == size else {
            return note(
                .wrongHashSize,
                at: 36,
                "\(directory.hashType) digests of \(directory.hashSize) bytes",
            )
        }
        let offset = directory.hashOffset
        guard offset <= directory.bytes.count else {
            return note(.digestsOutside, at: 16, "page digests at \(offset)")
        }
        if offset / size < directory.specialSlotCount {
            note(.digestsOutside, at: 24, "\(directory.specialSlotCount.grouped) special slots")
        }
        if (directory.bytes.count - offset) / size < directory.pageCount {
            note(.digestsOutside, at: 28, "\(directory.pageCount.grouped) page digests")
        }
    }

    private mutating func checkPages() {
        guard directory.pageSizeLog2 == 12 || directory.pageSizeLog2 == 14 else {
            return note(
                .unsupportedPageSize,
                at: 39,
                "pages of 2^\(directory.pageSizeLog2) bytes",
            )
        }
        guard let expected = directory.expectedPageCount, expected != directory.pageCount else {
            return
        }
        note(
            .wrongPageCount,
            at: 28,
            "\(directory.pageCount.grouped) page digests where the code has \(expected.grouped) pages",
        )
    }

    private mutating func checkNames() {
        if directory.identifierOffset != 0, directory.identifier == nil {
            note(.identifierUnterminated, at: 20, "an identifier without end")
        }
        if directory.teamOffset != nil, directory.team == nil {
            note(.teamUnterminated, at: 48, "a team without end")
        }
    }

    private mutating func checkExtras() {
        if let ranges = directory.scatteredRanges {
            // The kernel finds no digest for a page that no entry covers (xnu `hashes`).
            if directory.scatterOffset != nil, !directory.isCoveredInOrder(by: ranges) {
                note(.scatterIncomplete, at: 44, "a scatter list that leaves pages without digest")
            }
        } else {
            note(.scatterOutside, at: 44, "a scatter list without end")
        }
        if directory.preEncryptOffset != nil, directory.pageCount > 0,
            directory.preEncryptDigest(ofPage: directory.pageCount - 1) == nil
        {
            note(.preEncryptOutside, at: 92, "digests from before encryption")
        }
        if directory.linkage != nil, directory.linkageDigest == nil {
            note(.linkageOutside, at: 100, "a linkage digest")
        }
    }

    private mutating func note(_ rule: SignatureFault.Rule, at field: Int, _ what: String) {
        faults.append(
            SignatureFault(rule, at: directory.offset + field, "\(directory.slot): \(what)")
        )
    }
}
