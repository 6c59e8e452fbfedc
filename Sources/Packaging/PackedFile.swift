import Bytes

/// A file of the app, read once from start to end.
final class PackedFile {
    private let name: String
    private let source: FileSource
    private var offset = 0

    /// - Parameters:
    ///   - name: the path relative to the app's folder.
    ///   - folder: the app's folder.
    ///   - size: the size that the walk found, in bytes; another size means that the file is still being
    ///     written.
    /// - Throws: ``PackageRefusal`` for a file that has changed.
    init(_ name: String, in folder: OpenFolder, size: Int) throws(PackageRefusal) {
        self.name = name
        guard case .file? = folder.status(of: name)?.kind else { throw .changed(name) }
        do {
            source = try folder.file(at: name)
        } catch {
            throw .unreadable(name, reason: error.reason)
        }
        guard source.count == size else { throw .changed(name) }
    }

    /// The next piece; nil at the end.
    func next() throws(PackageRefusal) -> [UInt8]? {
        let count = min(1 << 18, source.count - offset)
        guard count > 0 else { return nil }
        do {
            let piece = try source.bytes(at: offset, count: count)
            offset += count
            return piece
        } catch {
            throw .changed(name)
        }
    }
}
