import Bytes
import MachOFormat

/// The positions of the slices in a signed file, and the bytes before each.
struct ProgramLayout {
    /// A slice and its position in the signed file.
    struct Piece {
        let signer: SliceSigner
        /// New bytes before the copied code: padding, the universal header and the slice's header.
        let head: [UInt8]
        /// The number of bytes of ``head`` that belong to the slice itself.
        let headerSize: Int
        /// The range of the original that is copied.
        let code: Range<Int>
        /// The number of zero bytes between the code and the signature.
        let padding: Int
    }

    /// The slices in the order of the file.
    let pieces: [Piece]
    /// The size of the signed file in bytes.
    let count: Int
    /// Ranges of the original outside slices and headers, which must be zero.
    let gaps: [Range<Int>]

    /// - Throws: ``ProgramFault``, such as ``ProgramFault/tooLarge(limit:)`` when the signed file exceeds
    ///   its format.
    init(
        of file: MachOFile,
        size: Int,
        signing sign: (SignableSlice) throws(ProgramFault) -> SliceSigner,
    ) throws(ProgramFault) {
        var signers: [SliceSigner] = []
        for slice in file.slices.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
            signers.append(try sign(try SignableSlice(slice)))
        }
        let places = try Self.places(of: signers, in: file.universal)
        var written = 0
        var pieces: [Piece] = []
        for (index, signer) in signers.enumerated() {
            var head: [UInt8] = []
            if index == 0, let universal = file.universal {
                head = universal.bytes(placing: places, of: signers)
            }
            // At most 32 KiB: the largest alignment of slices.
            head.append(
                contentsOf: repeatElement(
                    0,
                    count: places[index].lowerBound - written - head.count,
                )
            )
            let header = try signer.target.headerBytes(signatureSize: signer.size)
            let slice = signer.target.slice.range
            pieces.append(
                Piece(
                    signer: signer,
                    head: head + header,
                    headerSize: header.count,
                    code: slice.lowerBound + header.count..<slice.lowerBound
                        + signer.target.codeEnd,
                    padding: signer.target.signatureOffset - signer.target.codeEnd,
                )
            )
            written = places[index].upperBound
        }
        self.pieces = pieces
        count = written
        gaps = Self.gaps(between: signers.map(\.target.slice.range), in: file.universal, size)
    }

    /// The range of each slice in the signed file: in the same order, with the same alignment.
    private static func places(
        of signers: [SliceSigner],
        in universal: UniversalHeader?,
    ) throws(ProgramFault) -> [Range<Int>] {
        var end = universal?.size ?? 0
        var places: [Range<Int>] = []
        for signer in signers {
            let target = signer.target
            let entry = universal?.entries.first { $0.range == target.slice.range }
            let alignment = 1 << (entry?.alignmentLog2 ?? 0)
            let start = (end + alignment - 1) & ~(alignment - 1)
            end = start + target.signatureOffset + signer.size
            places.append(start..<end)
        }
        if let universal, !universal.is64Bit, end > SignableSlice.greatestSize {
            throw .tooLarge(limit: SignableSlice.greatestSize)
        }
        return places
    }

    private static func gaps(
        between slices: [Range<Int>],
        in universal: UniversalHeader?,
        _ size: Int,
    ) -> [Range<Int>] {
        guard let universal else { return [] }
        let starts = slices.map(\.lowerBound) + [size]
        let ends = [universal.size] + slices.map(\.upperBound)
        return zip(ends, starts).map { $0..<$1 }.filter { !$0.isEmpty }
    }
}

extension UniversalHeader {
    /// The universal header for slices with new positions, in its old order.
    ///
    /// `places` and `signers` are in the order of the file.
    fileprivate func bytes(placing places: [Range<Int>], of signers: [SliceSigner]) -> [UInt8] {
        var writer = ByteWriter()
        writer.bigEndian(is64Bit ? 0xcafe_babf : 0xcafe_babe as UInt32)
        writer.bigEndian(UInt32(entries.count))
        for entry in entries {
            let index = signers.firstIndex { $0.target.slice.range == entry.range }
            let place = index.map { places[$0] } ?? entry.range
            for number in entry.processorNumbers { writer.bigEndian(number) }
            if is64Bit {
                writer.bigEndian(UInt64(place.lowerBound))
                writer.bigEndian(UInt64(place.count))
            } else {
                writer.bigEndian(UInt32(place.lowerBound))
                writer.bigEndian(UInt32(place.count))
            }
            writer.bigEndian(UInt32(entry.alignmentLog2))
            if is64Bit { writer.bigEndian(0 as UInt32) }
        }
        return writer.bytes
    }
}
