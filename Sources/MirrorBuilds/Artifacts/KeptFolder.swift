import Bytes
import Cryptography
import Store
import Zip

/// A folder that a build made, packed as a ZIP archive without any `.git` in it.
struct KeptFolder {
    private let folder: OpenFolder
    private let name: String
    /// The largest archive, in bytes.
    private let limit: Int

    init(of folder: OpenFolder, named name: String, limit: Int) {
        self.folder = folder
        self.name = name
        self.limit = limit
    }

    /// Why a folder is not kept; recorded as the artifact's detail.
    enum Failure: Error, CustomStringConvertible {
        case tooLarge(String, limit: Int)
        case tooManyFiles(String)

        var description: String {
            switch self {
            case .tooLarge(let name, let limit):
                "\(quoted: name) has more than \(limit.grouped) bytes"
            case .tooManyFiles(let name):
                "\(quoted: name) has more than \(ZippedFiles.countLimit.grouped) files"
            }
        }
    }

    /// Writes the archive to the store.
    ///
    /// - Returns: the blob and its size in bytes.
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
        let files = ZippedFiles(of: folder)
        try zip.addDirectory(name)
        for path in try paths(of: files) { try files.add(path, as: "\(name)/\(path)", to: &zip) }
        try zip.finish()
        let digest = hasher.finish()
        try incoming.commit(as: digest)
        return (digest, incoming.count)
    }

    private func paths(of files: ZippedFiles) throws -> [String] {
        do {
            return try files.paths(leavingOut: ArtifactSearch.isOfRepository)
        } catch is ZippedFiles.TooManyFiles {
            throw Failure.tooManyFiles(name)
        }
    }
}

extension OTAStore {
    /// Stores the bytes of a file, which stays where it is.
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
