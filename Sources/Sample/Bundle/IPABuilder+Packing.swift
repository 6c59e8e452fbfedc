package import Zip

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension IPABuilder {
    /// The whole IPA in memory.
    package func bytes() throws -> [UInt8] {
        let tree = try tree()
        return try ZipWriter.archive(options: packing) { try tree.pack(into: &$0) }
    }

    /// Writes the IPA in pieces to a file, replacing an existing one.
    ///
    /// - Throws: ``SampleFailure/cannotWrite(path:reason:)``, and errors of signing.
    package func build(to path: String) throws {
        let tree = try tree()
        let file = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard file >= 0 else { throw Self.failure(path) }
        defer { close(file) }
        var zip = ZipWriter(options: packing) { try Self.write($0, to: file, path) }
        try tree.pack(into: &zip)
        try zip.finish()
    }

    private static func write(_ bytes: [UInt8], to file: Int32, _ path: String) throws {
        var written = 0
        while written < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[written...])
                #if canImport(Darwin)
                return unsafe Darwin.write(file, rest.baseAddress, rest.count)
                #elseif canImport(Musl)
                return unsafe Musl.write(file, rest.baseAddress, rest.count)
                #else
                return unsafe Glibc.write(file, rest.baseAddress, rest.count)
                #endif
            }
            guard count >= 0 || errno == EINTR else { throw failure(path) }
            written += max(0, count)
        }
    }

    private static func failure(_ path: String) -> SampleFailure {
        .cannotWrite(path: path, reason: unsafe String(cString: strerror(errno)).lowercased())
    }
}

extension SampleTree {
    /// Adds every file to an archive, in order.
    package func pack(into zip: inout ZipWriter) throws {
        for file in files {
            switch file.content {
            case .folder: try zip.addDirectory(file.path, mode: file.mode)
            case .symbolicLink(let target): try zip.addSymbolicLink(file.path, target: target)
            case .bytes(let bytes): try zip.add(file.path, contents: bytes, mode: file.mode)
            case .noise(_, let count):
                var pieces = file.content.pieces().makeIterator()
                try zip.add(file.path, mode: file.mode, isLarge: count >= UInt32.max) {
                    pieces.next()
                }
            }
        }
    }
}
