import Bytes
package import Identifiers
import MachOFormat

extension SymbolBundle {
    /// The preferred load address of a slice, and the name of its architecture in LLVM.
    package struct Slice: Sendable {
        package let architecture: String
        /// The address of `__TEXT` in the symbols, to which offsets in an image are relative.
        package let textAddress: UInt64
    }

    /// The slice with a UUID; nil if there is none, or it has no `__TEXT`.
    ///
    /// - Throws: `MalformedBytes`, `ZipRefusal`, `SourceFailure`.
    package func slice(_ uuid: ImageUUID) throws -> Slice? {
        let file = try unsafe ImageScan.file(of: contentSize) {
            try unsafe source.read(content, $0)
        }
        guard let slice = file.slices.first(where: { $0.uuid == uuid.bytes }),
            let text = slice.segments.first(where: { $0.name == "__TEXT" })
        else { return nil }
        return Slice(architecture: slice.processor.description, textAddress: text.address)
    }

    /// Reads the file with the symbols in windows.
    ///
    /// - Parameter body: receives each window.
    /// - Throws: `ZipRefusal`, `SourceFailure`, and errors of `body`.
    package func readContent(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        try unsafe source.read(content, body)
    }
}
