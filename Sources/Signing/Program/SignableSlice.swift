import Bytes
import MachOFormat

/// A slice that can be signed, with the position of its signature.
struct SignableSlice {
    let slice: BinarySlice
    let linkEdit: Segment
    private let header: SliceHeader
    /// The start of the old signature, or else the end of the slice, as an offset in the slice.
    let codeEnd: Int

    /// The offset of the new signature: codesign aligns it to 16 bytes.
    var signatureOffset: Int { (codeEnd + 15) & ~15 }

    /// Maximum size in bytes: a CodeDirectory stores its code size in 32 bits, and so does
    /// LC_CODE_SIGNATURE.
    static let greatestSize = Int(UInt32.max)

    /// - Throws: ``ProgramFault``: why the slice cannot be signed.
    init(_ slice: BinarySlice) throws(ProgramFault) {
        let name = "\(slice.processor)"
        switch slice.header.fileType {
        case .executable, .dynamicLibrary, .bundle: break
        default: throw .notLoadable(slice: name)
        }
        guard slice.encryption?.isEncrypted != true else { throw .encrypted(slice: name) }
        let place = try LinkEditPlace(slice)
        guard let header = SliceHeader(slice) else { throw .linkEditMissing(slice: name) }
        // Security `MachOBase::validateStructure`; a command added after unused bytes would not be found.
        guard header.commandsEnd == header.bytes.count else {
            throw .malformed(
                MalformedBytes(
                    "load commands",
                    at: slice.range.lowerBound + header.commandsEnd,
                    .invalid("end before their size says"),
                )
            )
        }
        guard place.codeEnd <= Self.greatestSize - 15 else {
            throw .tooLarge(limit: Self.greatestSize)
        }
        if header.lacksSignature { try Self.checkRoom(behind: header, of: slice, name) }
        self.slice = slice
        self.header = header
        linkEdit = place.segment
        codeEnd = place.codeEnd
    }

    private static func checkRoom(
        behind header: SliceHeader,
        of slice: BinarySlice,
        _ name: String,
    ) throws(ProgramFault) {
        let starts = slice.segments.flatMap { segment -> [Int] in
            let range = segment.fileRange
            let own = range.isEmpty || range.lowerBound == 0 ? nil : range.lowerBound
            return [own, segment.contentStart].compactMap(\.self)
        }
        let needed = SliceHeader.signatureCommandSize
        // A section may have an offset beyond the slice's end.
        let end = min(starts.min() ?? .max, slice.range.count)
        let available = max(0, end - header.bytes.count)
        guard available >= needed else {
            throw .noRoomForCommand(slice: name, needed: needed, available: available)
        }
    }

    /// The header of the slice with a signature of `signatureSize` bytes at its end.
    ///
    /// - Throws: ``ProgramFault`` when the slice becomes too large, or `__LINKEDIT` would overlap the
    ///   next segment in memory.
    func headerBytes(signatureSize: Int) throws(ProgramFault) -> [UInt8] {
        let end = signatureOffset + signatureSize
        guard end <= Self.greatestSize else { throw .tooLarge(limit: Self.greatestSize) }
        let fileSize = end - linkEdit.fileRange.lowerBound
        let memorySize = max(linkEdit.memorySize, pages(UInt64(fileSize)))
        try LinkEditPlace.check(linkEdit, memorySize: memorySize, in: slice)
        var header = header
        header.place(signatureAt: signatureOffset, size: signatureSize)
        header.resizeLinkEdit(fileSize: fileSize, memorySize: memorySize)
        return header.bytes
    }

    /// Rounds up to the processor's page size (`get_segalign_from_flag` of Apple's cctools).
    private func pages(_ size: UInt64) -> UInt64 {
        let page: UInt64 =
            switch slice.processor {
            case .x86_64, .i386: 0x1000
            default: 0x4000
            }
        return (size + page - 1) / page * page
    }
}
