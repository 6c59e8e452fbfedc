import Bytes
import Cryptography
import Store
import Zip

/// A folder that a build made, as one ZIP archive.
struct KeptFolder {
    private let folder: OpenFolder
    private let name: String
    /// Bytes of the archive.
    private let limit: Int

    private static let countLimit = 100_000
    private static let depthLimit = 100

    init(of folder: OpenFolder, named name: String, limit: Int) {
        self.folder = folder
        self.name = name
        self.limit = limit
    }

    /// Why a folder is not kept; it becomes the detail of the artifact.
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
        let (name, limit) = (name, limit)
        var zip = ZipWriter { piece in
            guard incoming.count + piece.count <= limit else {
                throw Failure.tooLarge(name, limit: limit)
            }
            hasher.update(piece)
            try unsafe piece.withUnsafeBytes { try unsafe incoming.append($0) }
        }
        try zip.addDirectory(name)
        for path in try files() { try add(path, as: "\(name)/\(path)", to: &zip) }
        try zip.finish()
        let digest = hasher.finish()
        try incoming.commit(as: digest)
        return (digest, incoming.count)
    }

    /// Every path in it, folders before what is in them; nothing behind a link.
    private func files() throws -> [String] {
        var paths: [String] = []
        var folders = [""]
        while let place = folders.popLast() {
            let there = try place.isEmpty ? folder : folder.folder(at: place)
            let depth = place.utf8.count { $0 == UInt8(ascii: "/") }
            for bytes in try there.names(atMost: Self.countLimit + 1) {
                let name = String(decoding: bytes, as: UTF8.self)
                let path = place.isEmpty ? name : "\(place)/\(name)"
                paths.append(path)
                guard paths.count <= Self.countLimit, depth < Self.depthLimit else {
                    throw Failure.tooManyFiles(self.name)
                }
                if there.status(of: name)?.kind == .folder { folders.append(path) }
            }
        }
        return paths.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    private func add(_ path: String, as name: String, to zip: inout ZipWriter) throws {
        guard let status = folder.status(of: path) else { return }
        let mode = status.mode
        switch status.kind {
        case .folder: try zip.addDirectory(name, mode: mode)
        case .link:
            let target = try folder.target(of: path)
            try zip.addSymbolicLink(name, target: String(decoding: target, as: UTF8.self))
        case .file:
            let source = try folder.file(at: path)
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
        case .special: return
        }
    }
}

extension OTAStore {
    /// Keeps the bytes of a file, which stays where it is.
    func keep(_ source: FileSource) throws -> SHA256Digest {
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
