import Bytes
import Cryptography
import Foundation
import Store
import Zip

/// A folder that a build made, as one ZIP archive.
struct FolderArchive {
    /// Absolute.
    let folder: String
    /// Bytes of the archive.
    let limit: Int

    init(of folder: String, limit: Int) {
        self.folder = folder
        self.limit = limit
    }

    enum Failure: Error, CustomStringConvertible {
        case tooLarge(String, limit: Int)
        case tooManyFiles(String)

        var description: String {
            switch self {
            case .tooLarge(let name, let limit): "\(quoted: name) has more than \(limit) bytes"
            case .tooManyFiles(let name): "\(quoted: name) has more than 100000 files"
            }
        }
    }

    /// Puts it into the store.
    ///
    /// - Returns: the blob and its size.
    func keep(in store: OTAStore) throws -> (blob: SHA256Digest, bytes: Int) {
        let incoming = try store.backend.receive()
        let hasher = SHA256Hasher()
        let name = (folder as NSString).lastPathComponent
        var zip = ZipWriter { piece in
            guard incoming.count + piece.count <= limit else {
                throw Failure.tooLarge(name, limit: limit)
            }
            hasher.update(piece)
            try unsafe piece.withUnsafeBytes { try unsafe incoming.append($0) }
        }
        try zip.addDirectory(name)
        var count = 0
        for path in try files() {
            count += 1
            guard count <= 100_000 else { throw Failure.tooManyFiles(name) }
            try add(path, as: "\(name)/\(path)", to: &zip)
        }
        try zip.finish()
        let digest = hasher.finish()
        try incoming.commit(as: digest)
        return (digest, incoming.count)
    }

    /// Every path in it, folders before what is in them.
    private func files() throws -> [String] {
        let names = FileManager.default.enumerator(atPath: folder)
        return (names?.compactMap { $0 as? String } ?? []).sorted()
    }

    private func add(_ path: String, as name: String, to zip: inout ZipWriter) throws {
        let place = folder + "/" + path
        var status = stat()
        guard unsafe lstat(place, &status) == 0 else { return }
        let mode = UInt16(status.st_mode & 0o777)
        switch status.st_mode & S_IFMT {
        case S_IFDIR: try zip.addDirectory(name, mode: mode)
        case S_IFLNK:
            let target = try FileManager.default.destinationOfSymbolicLink(atPath: place)
            try zip.addSymbolicLink(name, target: target)
        case S_IFREG:
            let source = try FileSource(path: place)
            var offset = 0
            try zip.add(name, mode: mode, isLarge: source.count >= 1 << 32 - 1) {
                guard offset < source.count else { return nil }
                let piece = try source.bytes(
                    at: offset,
                    count: min(1 << 20, source.count - offset),
                )
                offset += piece.count
                return piece
            }
        default: return
        }
    }
}

extension OTAStore {
    /// Keeps the bytes of a file, which stays where it is.
    func keep(fileAt path: String) throws -> SHA256Digest {
        let source = try FileSource(path: path)
        let incoming = try backend.receive()
        let hasher = SHA256Hasher()
        var offset = 0
        while offset < source.count {
            let piece = try source.bytes(at: offset, count: min(1 << 20, source.count - offset))
            hasher.update(piece)
            try unsafe piece.withUnsafeBytes { try unsafe incoming.append($0) }
            offset += piece.count
        }
        let digest = hasher.finish()
        try incoming.commit(as: digest)
        return digest
    }
}
