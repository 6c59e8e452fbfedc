import MachOFormat

/// The `__LINKEDIT` segment: it must be the last part of the slice, and a signature its last part.
struct LinkEditPlace {
    let segment: Segment
    /// The start of the old signature, or else the end of the slice, as an offset in the slice.
    let codeEnd: Int

    /// - Throws: ``ProgramFault`` when the segment is missing, not the last, or has data after the
    ///   signature.
    init(_ slice: BinarySlice) throws(ProgramFault) {
        let name = "\(slice.processor)"
        let all = slice.segments.filter { $0.name == "__LINKEDIT" }
        guard let segment = all.first else { throw .linkEditMissing(slice: name) }
        guard all.count == 1 else {
            throw .linkEditMisplaced(slice: name, reason: "appears twice")
        }
        let size = slice.range.count
        let start = segment.fileRange.lowerBound
        guard start >= slice.header.size + slice.header.commandBytes else {
            throw .linkEditMisplaced(slice: name, reason: "begins in the load commands")
        }
        if let signature = slice.signatureRange {
            codeEnd = signature.lowerBound - slice.range.lowerBound
            guard slice.bytesAfterSignature == 0, segment.fileRange.upperBound == size else {
                throw .signatureNotLast(slice: name)
            }
            guard codeEnd >= start else {
                throw .linkEditMisplaced(slice: name, reason: "does not hold the signature")
            }
        } else {
            codeEnd = size
            guard segment.fileRange.upperBound == size else {
                throw .linkEditMisplaced(slice: name, reason: "does not reach the slice's end")
            }
        }
        for other in slice.segments where other.name != "__LINKEDIT" {
            guard other.fileRange.isEmpty || other.fileRange.upperBound <= start else {
                throw .linkEditMisplaced(slice: name, reason: "overlaps another segment")
            }
        }
        guard LinkEditContents(slice).end <= codeEnd else {
            throw .linkEditMisplaced(slice: name, reason: "has symbols behind the code's end")
        }
        self.segment = segment
        try Self.check(segment, memorySize: segment.memorySize, in: slice)
    }

    /// Checks that the segment, with a new size, overlaps no other in memory.
    static func check(
        _ segment: Segment,
        memorySize: UInt64,
        in slice: BinarySlice,
    ) throws(ProgramFault) {
        let (end, overflow) = segment.address.addingReportingOverflow(memorySize)
        let limit = slice.header.is64Bit ? UInt64.max : UInt64(UInt32.max)
        let isFree = slice.segments.allSatisfy { other in
            other.name == "__LINKEDIT" || other.memorySize == 0 || other.address >= end
                || other.address + other.memorySize <= segment.address
        }
        guard !overflow, end <= limit, isFree else {
            throw .linkEditMisplaced(
                slice: "\(slice.processor)",
                reason: "leaves no room behind it in memory",
            )
        }
    }
}
