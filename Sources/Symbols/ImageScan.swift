import Bytes
import Identifiers
import MachOFormat
import Releases

/// Reads only the headers of programs and symbol files.
enum ImageScan {
    /// Stops reading.
    private struct Enough: Error {}

    /// Reads the headers of a file.
    ///
    /// - Parameters:
    ///   - size: the size of the file in bytes.
    ///   - read: passes the file in windows to its argument.
    /// - Returns: the parsed headers.
    /// - Throws: `MalformedBytes` for a file that is not Mach-O, and errors of `read`.
    static func file(
        of size: Int,
        read: ((UnsafeRawBufferPointer) throws -> Void) throws -> Void,
    ) throws -> MachOFile {
        var scanner = MachOScanner(fileSize: size, readsContents: false)
        do {
            try unsafe read { window in
                unsafe scanner.take(window)
                if scanner.needsNothingMore { throw Enough() }
            }
        } catch is Enough {}
        return try scanner.finish()
    }
}

extension MachOFile {
    /// The slices that have a UUID.
    var images: [ReleaseSymbols.Image] {
        slices.compactMap { slice in
            slice.uuid.flatMap { ImageUUID(bytes: $0) }.map {
                ReleaseSymbols.Image(architecture: slice.processor.description, uuid: $0)
            }
        }
    }
}
