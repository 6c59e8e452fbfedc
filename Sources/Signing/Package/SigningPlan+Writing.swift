package import Bytes
import Zip

extension SigningPlan {
    /// Writes the signed archive front to back.
    ///
    /// What does not change is copied as it is, neither inflated nor proven: the plan has read it
    /// before.
    ///
    /// - Parameters:
    ///   - packing: whether files that are stored are compressed, as in an archive that was a folder.
    ///   - progress: is called with the share that is written.
    ///   - copier: takes ranges of the archive that was signed, in the same order, in place of `sink`; nil
    ///     to have `sink` take these bytes, too.
    ///   - sink: takes its bytes in order, which are gone when it returns.
    /// - Throws: what the medium of the archive and the sink throw.
    package func write(
        packing: Bool = false,
        progress: (Double) -> Void = { _ in },
        copier: ((Range<Int>, any ByteSource) throws -> Void)? = nil,
        to sink: @escaping (UnsafeRawBufferPointer) throws -> Void,
    ) throws {
        var writer = unsafe try ZipRewriter(archive, copier: copier, sink: sink)
        let total = max(1, archive.compressedSize)
        var done = 0
        for (index, entry) in archive.entries.enumerated() {
            try add(additions[index] ?? [], to: &writer)
            let method: ZipEntry.Method = packing && entry.size > 0 ? .deflated : entry.method
            switch changes[entry.path] {
            case .removal: break
            case .contents(let bytes):
                try unsafe writer.replace(entry, size: bytes.count, method: method) { body in
                    try unsafe bytes.read(body)
                }
            case .program(let program):
                let original = ArchivedFile(entry: entry, archive: archive)
                try unsafe writer.replace(entry, size: program.count, method: method) { body in
                    try unsafe program.write(from: original, body)
                }
            case nil where packing && entry.kind == .file && entry.size > 0:
                try unsafe writer.replace(entry, size: entry.size, method: method) { body in
                    try unsafe ArchivedFile(entry: entry, archive: archive).read(body)
                }
            case nil: try writer.copy(entry)
            }
            done += entry.compressedSize
            progress(Double(done) / Double(total))
        }
        try add(additions[archive.entries.count] ?? [], to: &writer)
        try writer.finish()
    }

    private func add(_ additions: [Addition], to writer: inout ZipRewriter) throws {
        for addition in additions {
            switch addition {
            case .folder(let path, let model):
                try writer.addDirectory(path, mode: model.map(Self.mode) ?? 0o755, like: model)
            case .file(let path, let model):
                guard case .contents(let bytes) = changes[path] else { continue }
                try writer.add(path, contents: bytes, like: model)
            }
        }
    }

    private static func mode(of entry: ZipEntry) -> UInt16 {
        let mode = (entry.unixMode ?? 0) & 0o777
        return mode == 0 ? 0o755 : mode
    }
}
