import Bytes
import Cryptography

/// Builds a CodeDirectory, with one digest for each page and one for each special slot.
///
/// After Security's `CodeDirectory::Builder`; the fields are those of xnu's `CS_CodeDirectory`.
package struct CodeDirectoryBuilder: Sendable {
    package var identifier: String
    package var team: String?
    package var hash = CodeHash.sha256
    /// 0x20000 to 0x20500; fields newer than the version are omitted.
    package var version: UInt32 = 0x20400
    package var flags: UInt32 = 0
    package var pageSizeLog2: UInt8 = 12
    /// The bytes for each special slot, by its positive number; the highest number sets the count.
    package var specialSlots: [Int: [UInt8]] = [:]
    /// A list of page ranges that are not in digest order (`SC_Scatter`), for version 0x20100 and later;
    /// empty for none.
    package var scatter: [UInt8] = []
    /// The offset of `__TEXT` in the slice, in bytes.
    package var executableSegmentOffset = 0
    package var executableSegmentSize = 0
    /// 1 for a main executable, plus 0x10 when a debugger may attach.
    package var executableSegmentFlags: UInt64 = 0
    /// The packed version of the hardened runtime, for version 0x20500.
    package var runtime: UInt32 = 0

    package init(identifier: String, team: String?) {
        self.identifier = identifier
        self.team = team
    }

    /// Returns the blob for `code`, all bytes of the slice up to the signature.
    package func blob(over code: [UInt8]) -> [UInt8] {
        let pageSize = 1 << Int(pageSizeLog2)
        let digests = stride(from: 0, to: code.count, by: pageSize).map { start in
            hash.algorithm.digest(of: code[start..<min(start + pageSize, code.count)])
        }
        return blob(Array(digests.joined()), codeLimit: code.count)
    }

    /// Returns the blob for pages that are already hashed.
    ///
    /// - Parameters:
    ///   - pages: the concatenated digests of all pages.
    ///   - codeLimit: the number of bytes of the slice that they cover, at most 4 GiB − 1.
    /// - Returns: the complete blob.
    package func blob(_ pages: [UInt8], codeLimit: Int) -> [UInt8] {
        let names = identifierAndTeam
        let headerSize = Self.headerSize(version)
        let scatterOffset = headerSize + names.bytes.count
        let hashOffset = scatterOffset + scatter.count + slotCount * hash.size
        var writer = ByteWriter()
        writer.bigEndian(0xfade_0c02 as UInt32)
        writer.bigEndian(UInt32(hashOffset + pages.count))
        writer.bigEndian(version)
        writer.bigEndian(flags)
        writer.bigEndian(UInt32(hashOffset))
        writer.bigEndian(UInt32(headerSize))
        writer.bigEndian(UInt32(slotCount))
        writer.bigEndian(UInt32(pages.count / hash.size))
        writer.bigEndian(UInt32(codeLimit))
        writer.append([UInt8(hash.size), hash.rawValue, 0, pageSizeLog2])
        writer.bigEndian(0 as UInt32)
        if version >= 0x20100 { writer.bigEndian(UInt32(scatter.isEmpty ? 0 : scatterOffset)) }
        if version >= 0x20200 { writer.bigEndian(UInt32(names.teamOffset)) }
        if version >= 0x20300 {
            writer.bigEndian(0 as UInt32)
            writer.bigEndian(0 as UInt64)
        }
        if version >= 0x20400 {
            writer.bigEndian(UInt64(executableSegmentOffset))
            writer.bigEndian(UInt64(executableSegmentSize))
            writer.bigEndian(executableSegmentFlags)
        }
        if version >= 0x20500 {
            writer.bigEndian(runtime)
            writer.bigEndian(0 as UInt32)
        }
        writer.append(names.bytes)
        writer.append(scatter)
        for slot in (0..<slotCount).reversed() {
            let digest = specialSlots[slot + 1].map(hash.algorithm.digest(of:))
            writer.append(digest ?? [UInt8](repeating: 0, count: hash.size))
        }
        writer.append(pages)
        return writer.bytes
    }

    /// The size of the blob in bytes for `codeLimit` bytes of code in another version.
    func size(codeLimit: Int, version: UInt32) -> Int {
        let pageSize = 1 << Int(pageSizeLog2)
        let pageCount = (codeLimit + pageSize - 1) / pageSize
        return Self.headerSize(version) + identifierAndTeam.bytes.count + scatter.count
            + (slotCount + pageCount) * hash.size
    }

    private var slotCount: Int { specialSlots.keys.max() ?? 0 }

    private static func headerSize(_ version: UInt32) -> Int {
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
        let offset = Self.headerSize(version) + bytes.count
        bytes += Array(team.utf8) + [0]
        return (bytes, offset)
    }
}
