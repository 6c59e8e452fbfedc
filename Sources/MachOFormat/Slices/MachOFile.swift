package import Bytes

/// A program or a library: one slice, or a universal file of several.
package struct MachOFile: Sendable {
    /// Nil for a file that is a slice itself.
    package let universal: UniversalHeader?
    /// In the order of the universal header.
    package private(set) var slices: [BinarySlice]

    init(universal: UniversalHeader?, slices: [BinarySlice]) {
        self.universal = universal
        self.slices = slices
    }

    /// The file without the zeros that signatures end with, as far as the room for one was not needed,
    /// and without what is no signature at all.
    package var withTrimmedSignatures: MachOFile {
        var file = self
        for index in file.slices.indices { file.slices[index].trimSignature() }
        return file
    }

    /// Bytes of the signatures that are kept.
    package var signatureSize: Int { slices.reduce(0) { $0 + ($1.signatureBytes?.count ?? 0) } }

    /// Reads a file that is in memory; ``MachOScanner`` reads one that flows by.
    ///
    /// - Throws: ``MalformedBytes`` with an offset in the file.
    package init(reading bytes: [UInt8]) throws(MalformedBytes) {
        var scanner = MachOScanner(fileSize: bytes.count)
        scanner.take(bytes[...])
        self = try scanner.finish()
    }
}
