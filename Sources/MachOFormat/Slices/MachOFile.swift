package import Bytes

/// A Mach-O program or library: a single slice, or a universal file with several.
package struct MachOFile: Sendable {
    /// Nil for a single slice.
    package let universal: UniversalHeader?
    /// In the order of the universal header.
    package private(set) var slices: [BinarySlice]

    init(universal: UniversalHeader?, slices: [BinarySlice]) {
        self.universal = universal
        self.slices = slices
    }

    /// The file without the unused padding after its signatures, and without signature bytes that are not
    /// a signature.
    package var withTrimmedSignatures: MachOFile {
        var file = self
        for index in file.slices.indices { file.slices[index].trimSignature() }
        return file
    }

    /// The size of the kept signatures in bytes.
    package var signatureSize: Int { slices.reduce(0) { $0 + ($1.signatureBytes?.count ?? 0) } }

    /// Reads a file in memory; ``MachOScanner`` reads one in pieces.
    ///
    /// - Throws: ``MalformedBytes`` with an offset in the file.
    package init(reading bytes: [UInt8]) throws(MalformedBytes) {
        var scanner = MachOScanner(fileSize: bytes.count)
        scanner.take(bytes[...])
        self = try scanner.finish()
    }
}
