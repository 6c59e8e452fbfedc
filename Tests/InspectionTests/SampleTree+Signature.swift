import MachOFormat
import Sample
import Testing

extension SampleTree {
    /// The range of the signature of an executable's first slice, in the file.
    func signatureRange(of path: String) throws -> Range<Int> {
        let file = try MachOFile(reading: try bytes(of: path))
        return try #require(file.slices.first?.signatureRange)
    }

    /// The range of a blob in the signature of an executable's first slice, in the file.
    func blobRange(_ slot: BlobSlot, of path: String) throws -> Range<Int> {
        let file = try MachOFile(reading: try bytes(of: path))
        let slice = try #require(file.slices.first)
        let start = try #require(slice.signatureRange?.lowerBound)
        let blob = try #require(try slice.signature()?.blobs.first { $0.slot == slot })
        return start + blob.range.lowerBound..<start + blob.range.upperBound
    }

    /// Inverts a byte of a blob; a negative offset counts from its end.
    mutating func flip(_ slot: BlobSlot, of path: String = "Example", at offset: Int) throws {
        let range = try blobRange(slot, of: path)
        try flip(path, at: offset < 0 ? range.upperBound + offset : range.lowerBound + offset)
    }
}
