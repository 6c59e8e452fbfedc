import Bytes
import Foundation

/// A file of the app, read once from front to back.
final class PackedFile {
    private let name: String
    private let source: FileSource
    private var offset = 0

    /// - Parameters:
    ///   - path: on disk.
    ///   - name: in the app, for people.
    ///   - size: what the walk has seen; another size means that somebody is still writing.
    /// - Throws: ``PackageRefusal`` for a file that is no longer what it was.
    init(_ path: String, named name: String, size: Int) throws(PackageRefusal) {
        self.name = name
        var status = stat()
        guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw .changed(name)
        }
        do {
            source = try FileSource(path: path)
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
