import Bytes
import Identifiers
import MachOFormat
import Releases

/// Reads the headers of programs and symbols that flow by, and no byte behind them.
enum ImageScan {
    /// Ends the flow.
    private struct Enough: Error {}

    /// Reads the headers of a file.
    ///
    /// - Parameters:
    ///   - size: bytes of the file.
    ///   - read: hands over the file in windows.
    /// - Returns: what they say.
    /// - Throws: `MalformedBytes` for what is no Mach-O file, and what `read` throws.
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
