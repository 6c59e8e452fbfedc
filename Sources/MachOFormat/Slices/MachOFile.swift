package import Bytes

/// A program or a library: one slice, or a universal file of several.
package struct MachOFile: Sendable {
    /// Nil for a file that is a slice itself.
    package let universal: UniversalHeader?
    /// In the order of the universal header.
    package let slices: [BinarySlice]

    init(universal: UniversalHeader?, slices: [BinarySlice]) {
        self.universal = universal
        self.slices = slices
    }

    /// Reads a file that is in memory; ``MachOScanner`` reads one that flows by.
    ///
    /// - Throws: ``MalformedBytes`` with an offset in the file.
    package init(reading bytes: [UInt8]) throws(MalformedBytes) {
        var scanner = MachOScanner(fileSize: bytes.count)
        scanner.take(bytes[...])
        self = try scanner.finish()
    }
}
