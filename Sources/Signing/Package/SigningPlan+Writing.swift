package import Bytes
import Zip

extension SigningPlan {
    /// Writes the signed archive from start to end.
    ///
    /// Unchanged entries are copied without inflating or verifying them, because the plan has read them
    /// before.
    ///
    /// - Parameters:
    ///   - packing: whether to compress stored files, for an archive that was made from a folder.
    ///   - progress: called with the written share, 0 to 1.
    ///   - copier: receives unchanged ranges of the original archive, in order, instead of `sink`; nil to
    ///     pass these bytes to `sink` too.
    ///   - sink: receives the bytes in order; they are valid only during the call.
    /// - Throws: errors of the archive's byte source and of the sink.
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
