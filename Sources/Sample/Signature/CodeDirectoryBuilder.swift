import Bytes
package import Cryptography

/// The digest of a CodeDirectory, with the number that the format gives it.
package enum CodeHash: UInt8, Sendable {
    case sha1 = 1
    case sha256 = 2
    case sha384 = 4

    package var algorithm: DigestAlgorithm {
        switch self {
        case .sha1: .sha1
        case .sha256: .sha256
        case .sha384: .sha384
        }
    }

    package var size: Int {
        switch self {
        case .sha1: 20
        case .sha256: 32
        case .sha384: 48
        }
    }

    /// The identifier of the digest in attribute 9.2.
    var objectIdentifier: OID {
        switch self {
        case .sha1: "1.3.14.3.2.26"
        case .sha256: "2.16.840.1.101.3.4.2.1"
        case .sha384: "2.16.840.1.101.3.4.2.2"
        }
    }
}

/// What a signature says about its code: one digest for each page, one for each special slot.
package struct CodeDirectoryBuilder: Sendable {
    package var identifier: String
    package var team: String?
    package var hash = CodeHash.sha256
    /// 0x20100 to 0x20500; fields that are newer than the version are left out.
    package var version: UInt32 = 0x20400
    package var flags: UInt32 = 0
    package var pageSizeLog2: UInt8 = 12
    /// The bytes behind each special slot, by its positive number; the highest gives the count.
    package var specialSlots: [Int: [UInt8]] = [:]
    /// A scatter list that counts no page, from version 0x20100.
    package var hasEmptyScatterList = false
    /// Page digests of other code than is there.
    package var misdigestsPages = false
    package var executableSegmentSize = 0
    /// 1 for a main program, 0x10 besides when a debugger may attach.
    package var executableSegmentFlags: UInt64 = 0

    package init(identifier: String, team: String?) {
        self.identifier = identifier
        self.team = team
    }

    /// The blob for `code`, which ends where the signature begins.
    package func blob(over code: [UInt8]) -> [UInt8] {
        let pages = pageDigests(of: code)
        let slotCount = specialSlots.keys.max() ?? 0
        let names = identifierAndTeam
        let scatter = [UInt8](repeating: 0, count: hasEmptyScatterList ? 24 : 0)
        let scatterOffset = headerSize + names.bytes.count
        let hashOffset = scatterOffset + scatter.count + slotCount * hash.size
        var writer = ByteWriter()
        writer.bigEndian(0xfade_0c02 as UInt32)
        writer.bigEndian(UInt32(hashOffset + pages.count * hash.size))
        writer.bigEndian(version)
        writer.bigEndian(flags)
        writer.bigEndian(UInt32(hashOffset))
        writer.bigEndian(UInt32(headerSize))
        writer.bigEndian(UInt32(slotCount))
        writer.bigEndian(UInt32(pages.count))
        writer.bigEndian(UInt32(code.count))
        writer.append([UInt8(hash.size), hash.rawValue, 0, pageSizeLog2])
        writer.bigEndian(0 as UInt32)
        if version >= 0x20100 {
            writer.bigEndian(UInt32(hasEmptyScatterList ? scatterOffset : 0))
        }
        if version >= 0x20200 { writer.bigEndian(UInt32(names.teamOffset)) }
        if version >= 0x20300 {
            writer.bigEndian(0 as UInt32)
            writer.bigEndian(0 as UInt64)
        }
        if version >= 0x20400 {
            writer.bigEndian(0 as UInt64)
            writer.bigEndian(UInt64(executableSegmentSize))
            writer.bigEndian(executableSegmentFlags)
        }
        if version >= 0x20500 { writer.bigEndian(0 as UInt64) }
        writer.append(names.bytes)
        writer.append(scatter)
        for slot in (0..<slotCount).reversed() {
            let empty = [UInt8](repeating: 0, count: hash.size)
            writer.append(specialSlots[slot + 1].map(hash.algorithm.digest(of:)) ?? empty)
        }
        for page in pages { writer.append(page) }
        return writer.bytes
    }

    private var headerSize: Int {
        switch version {
        case ..<0x20100: 44
        case ..<0x20200: 48
        case ..<0x20300: 52
        case ..<0x20400: 64
        case ..<0x20500: 88
        default: 96
        }
    }

    private var identifierAndTeam: (bytes: [UInt8], teamOffset: Int) {
        var bytes = Array(identifier.utf8) + [0]
        guard let team, version >= 0x20200 else { return (bytes, 0) }
        let offset = headerSize + bytes.count
        bytes += Array(team.utf8) + [0]
        return (bytes, offset)
    }

    private func pageDigests(of code: [UInt8]) -> [[UInt8]] {
        let pageSize = 1 << Int(pageSizeLog2)
        return stride(from: 0, to: code.count, by: pageSize).map { start in
            let page = Array(code[start..<min(start + pageSize, code.count)])
            return hash.algorithm.digest(of: misdigestsPages ? page + [0] : page)
        }
    }
}
